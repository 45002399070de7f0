/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the programs of MDS-Ach include: channel names, joint addresses, and the packed structs on its
 * channels, byte for byte. Little-endian. Positions in rad; a joint's index is its address on the CAN bus.
 */
#ifndef MDS_H
#define MDS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ach.h"

#define MDS_JOINT_COUNT 100
#define MDS_ARM_COUNT 2
#define MDS_CHAR_PARAM_BUFFER_SIZE 30

#define MDS_CHAN_REF_NAME "mds-ref"
#define MDS_CHAN_REF_FILTER_NAME "mds-ref-filter"
#define MDS_CHAN_STATE_NAME "mds-state"
#define MDS_CHAN_PARAM_NAME "mds-param"
#define MDS_CHAN_BOARD_CMD_NAME "mds-cmd"
#define MDS_CHAN_IK_NAME "mds-ik"

/** Joints by their short names. */
enum {
  NKR = 0x30,
  NKP1 = 0x38,
  NKP2 = 0x39,
  NKY = 0x3A,
  REP = 0x48,
  RSY = 0x49,
  RSR = 0x4B,
  LEP = 0x4C,
  LSY = 0x4D,
  LSR = 0x4F,
  RWR = 0x50,
  RWY = 0x52,
  LWR = 0x54,
  LWY = 0x56,
  RSP = 0x5B,
  WST = 0x5C,
  LSP = 0x5F
};

/** The same joints by the names of their muscles. */
enum {
  HeadRoll = NKR,
  HeadPitch = NKP1,
  NeckPitch = NKP2,
  HeadPan = NKY,
  RightElbowFlex = REP,
  RightUpperArmRoll = RSY,
  RightShoulderAbd = RSR,
  LeftElbowFlex = LEP,
  LeftUpperArmRoll = LSY,
  LeftShoulderAbd = LSR,
  RightWristFlex = RWR,
  RightWristRoll = RWY,
  LeftWristFlex = LWR,
  LeftWristRoll = LWY,
  RightShoulderExt = RSP,
  TorsoPan = WST,
  LeftShoulderExt = LSP
};

/** Arms. */
enum { RIGHT = 0, LEFT = 1 };

/** How a joint goes to its reference, as sinew-xach carries it out. */
enum {
  MDS_REF_MODE_REF_FILTER = 0, /**< As its channel does: smoothed on mds-ref-filter, directly on mds-ref. */
  MDS_REF_MODE_REF = 1,        /**< Directly. */
  MDS_REF_MODE_COMPLIANT = 2,  /**< The reference follows the encoder: the joint goes where it is pushed. */
  MDS_REF_MODE_ENC_FILTER = 3  /**< Through the filter, from the encoder: it yields, and sags. */
};

typedef struct __attribute__((packed)) mds_joint_ref {
  double ref;   /**< [rad] */
  int16_t mode; /**< MDS_REF_MODE_… */
} mds_joint_ref_t;

/** On mds-ref and mds-ref-filter: wanted positions of all joints at once. */
typedef struct __attribute__((packed)) mds_ref {
  mds_joint_ref_t joint[MDS_JOINT_COUNT];
} mds_ref_t;

typedef struct __attribute__((packed)) mds_joint_state {
  double ref_r; /**< Last reference received [rad]. */
  double ref;   /**< Last reference sent [rad]. */
  double ref_c; /**< Last reference the motor controller took [rad]. */
  double pos;   /**< [rad] */
  double cur;   /**< [A] */
  double vel;   /**< [rad/s] */
  double offset;
  double direction;
  int16_t enabled;
  int16_t address;
  uint8_t active;
  uint8_t homed;
  char name[MDS_CHAR_PARAM_BUFFER_SIZE];      /**< Filled up with blanks, without a zero byte. */
  char nameshort[MDS_CHAR_PARAM_BUFFER_SIZE]; /**< Likewise. */
} mds_joint_state_t;

typedef struct __attribute__((packed)) mds_power {
  double voltage; /**< [V] */
  double current; /**< [A] */
  double power;   /**< [W] */
} mds_power_t;

/** On mds-state. */
typedef struct __attribute__((packed)) mds_state {
  mds_joint_state_t joint[MDS_JOINT_COUNT];
  mds_power_t power;
  double time;     /**< [s] */
  uint8_t refWait; /**< Not zero: references are not followed. */
} mds_state_t;

typedef struct __attribute__((packed)) mds_jnt_param {
  double rom; /**< Range of motion [counts]. */
  double encoderresolution;
  double gearratio;
  double HomeAcceleration;
  double HomeVelocity;
  double HomeError;
  double HomeBuffer;
  double HomeTimeout;
  double MCB_KP;
  double MCB_KI;
  double MCB_KD;
  double MCB_KM;
  double safetymargin;
  double encoderconfig_tickspercount;
  double rom_margin;
  double offset;
  double direction;
  int16_t enabled;
  uint16_t address;
  char coordsys[MDS_CHAR_PARAM_BUFFER_SIZE];
  char HomeType[MDS_CHAR_PARAM_BUFFER_SIZE];
  char HomeTarget[MDS_CHAR_PARAM_BUFFER_SIZE];
  char name[MDS_CHAR_PARAM_BUFFER_SIZE];
  char nameshort[MDS_CHAR_PARAM_BUFFER_SIZE];
} mds_jnt_param_t;

/** On mds-param. */
typedef struct __attribute__((packed)) mds_joint_param {
  mds_jnt_param_t joint[MDS_JOINT_COUNT];
} mds_joint_param_t;

typedef struct __attribute__((packed)) mds_ik_arm {
  double t_x; /**< [m] */
  double t_y;
  double t_z;
  double r_x; /**< [rad] */
  double r_y;
  double r_z;
  int16_t ik_method; /**< How many of these six, in this order, are to be met. */
} mds_ik_arm_t;

/** On mds-ik: where a hand is to go. */
typedef struct __attribute__((packed)) mds_ik {
  mds_ik_arm_t arm[MDS_ARM_COUNT];
  int16_t move; /**< RIGHT or LEFT. */
} mds_ik_t;

/* the programs of MDS-Ach are compiled as C99, whose headers do not know the word yet */
#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert __extension__ _Static_assert
#endif

static_assert(sizeof(mds_joint_ref_t) == 10 && sizeof(mds_ref_t) == 1000, "as MDS-Ach has it");
static_assert(sizeof(mds_joint_state_t) == 130 && offsetof(mds_joint_state_t, pos) == 24 &&
                  offsetof(mds_joint_state_t, direction) == 56 &&
                  offsetof(mds_joint_state_t, enabled) == 64 && offsetof(mds_joint_state_t, active) == 68 &&
                  offsetof(mds_joint_state_t, name) == 70 && offsetof(mds_joint_state_t, nameshort) == 100,
              "as MDS-Ach has it");
static_assert(offsetof(mds_state_t, power) == 13000 && offsetof(mds_state_t, time) == 13024 &&
                  offsetof(mds_state_t, refWait) == 13032 && sizeof(mds_state_t) == 13033,
              "as MDS-Ach has it");
static_assert(sizeof(mds_jnt_param_t) == 290 && offsetof(mds_jnt_param_t, enabled) == 136 &&
                  offsetof(mds_jnt_param_t, coordsys) == 140 && sizeof(mds_joint_param_t) == 29000,
              "as MDS-Ach has it");
static_assert(sizeof(mds_ik_arm_t) == 50 && offsetof(mds_ik_t, move) == 100 && sizeof(mds_ik_t) == 102,
              "as MDS-Ach has it");

#endif

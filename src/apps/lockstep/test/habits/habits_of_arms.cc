// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lockstep/test/habits/habits.h"
#include "apps/lockstep/test/habits/sketch.h"

namespace sinew {
namespace {

// hangs on "world", a base that is turned round, a frame beside each end, and an upper arm that keeps 10.5 mm
// from the base but for a plug that it may come near
Habit collaborative_arm() {
  return {
      .name = "ur-like",
      .text = Sketch("ur", "world", "-")
                  .add(R"(
f base_joint world base_link 0,0,0
f base_link-base_link_inertia base_link base_link_inertia 0,0,0 rpy=0,0,3.14159 m=4 s=cyl:0.075,0.1@0,0,0.05;box:0.06,0.03,0.04@-0.08,0,0.03
f base_link-base_fixed_joint base_link base 0,0,0 rpy=0,0,3.14159
r shoulder_pan_joint base_link_inertia shoulder_link 0,0,0.0892 z -6.2832,6.2832 3.14,150 m=3.7 s=cyl:0.05,0.1
r shoulder_lift_joint shoulder_link upper_arm_link 0,0,0 z -6.2832,6.2832 3.14,150 rpy=1.5708,0,0 m=8.4 s=cyl:0.05,0.1@0,0,0.1355;cyl:0.04,0.1@-0.4,0,0.1355
r elbow_joint upper_arm_link forearm_link -0.425,0,0 z -3.1416,3.1416 3.14,150 m=2.3 s=cyl:0.04,0.08@0,0,0.03;cyl:0.03,0.06@-0.36,0,0.03
r wrist_1_joint forearm_link wrist_1_link -0.3922,0,0.1333 z -6.2832,6.2832 3.14,28 m=1.2 s=cyl:0.03,0.08
r wrist_2_joint wrist_1_link wrist_2_link 0,-0.0997,0 z -6.2832,6.2832 3.14,28 rpy=1.5708,0,0 m=1.2 s=cyl:0.03,0.08
r wrist_3_joint wrist_2_link wrist_3_link 0,0.0996,0 z -6.2832,6.2832 3.14,28 rpy=-1.5708,0,0 m=0.2 s=cyl:0.03,0.03
f wrist_3_link-ft_frame wrist_3_link ft_frame 0,0,0 rpy=3.1416,0,0
f wrist_3-flange wrist_3_link flange 0,0,0 rpy=0,-1.5708,-1.5708
f flange-tool0 flange tool0 0,0,0 rpy=1.5708,0,1.5708
)")
                  .text(),
      .commanded = 6,
      .base = "base_link",
      .tip = "tool0",
      .says = {
          "'base_link' to 'tool0' by 6 joints that are driven: the longest chain there is, and 'tool0' is a "
          "usual name of where tools go"}};
}

// parallel rods and a balancer follow; one of them is slower and ends sooner than its leader
Habit foundry_arm() {
  return {
      .name = "irb6700-like",
      .text = Sketch("irb6700", "base_link")
                  .add(R"(
r joint_1 base_link link_1 0,0,0.78 z -2.967,2.967 1.74,0 m=80
r joint_2 link_1 link_2 0.32,0,0 y -1.134,1.483 1.48,0 m=60
r joint_2-balancer link_1 balancer -0.2,0,0.1 y -0.5,0.5 0.5,0 mimic=joint_2,-0.25,0 m=5
r joint_3 link_2 link_3 0,0,1.28 y -3.1416,1.2217 1.57,0 m=50
r joint_3-rod link_2 rod 0,0.3,0.2 y -2,1 1.0,0 mimic=joint_3,1,0 m=3
r joint_4 link_3 link_4 0.2,0,0.2 x -5.236,5.236 2.96,0 m=20
r joint_5 link_4 link_5 1.4,0,0 y -2.2689,2.2689 2.26,0 m=10
r joint_6 link_5 link_6 0.2,0,0 x -6.2832,6.2832 3.3,0 m=4
f joint_6-flange link_6 flange 0.05,0,0
f flange-tool0 flange tool0 0,0,0 rpy=0,1.5708,0
f base_link-base base_link base 0,0,0
)")
                  .text(),
      .commanded = 6,
      .base = "base_link",
      .tip = "tool0",
      .says = {
          "joint 'joint_3' goes from -2 to 1 instead of -3.1416 to 1.2217: 'joint_3-rod', which follows it",
          "joint 'joint_3' goes at most 1 per second instead of 1.57"}};
}

// a palletiser: followers keep the wrist level, and the last joint hangs on one of them
Habit palletiser() {
  return {.name = "irb460-like",
          .text = Sketch("irb460", "base_link")
                      .add(R"(
r joint_1 base_link link_1 0,0,0.74 z -2.88,2.88 2.53,0 m=80
r joint_2 link_1 link_2 0.26,0,0 y -0.698,1.483 1.92,0 m=50
r joint_3 link_2 link_3 0,0,0.945 y -0.349,2.0944 2.09,0 m=30
r joint_4 link_3 link_4 1.025,0,0 y -6,6 6,0 mimic=joint_3,-1,0 m=10
r joint_6 link_4 link_6 0.22,0,0 z -5.236,5.236 7,0 m=2
f joint_6-tool0 link_6 tool0 0,0,0.1
r cylinder_joint link_1 cylinder 0,0.2,0 y -3,3 6,0 mimic=joint_2,0.5,0.1 m=4
r ring_joint cylinder ring 0,0,0.3 y -3,3 6,0 mimic=joint_2,-0.5,0 m=1
)")
                      .text(),
          .commanded = 4,
          .base = "base_link",
          .tip = "tool0"};
}

// a lamp and a driven head branch off, capsules are links, the hand has a camera
Habit collaborative_with_head() {
  return {.name = "sawyer-like",
          .text = Sketch("sawyer", "base")
                      .add(R"(
f torso_t0 base torso 0,0,0
f pedestal_fixed base pedestal 0,0,0 m=60 s=box:0.2,0.2,0.8@0,0,-0.45
f right_arm_mount base right_arm_base_link 0,0,0
r right_j0 right_arm_base_link right_l0 0,0,0.08 z -3.05,3.05 1.74,80 m=5
c head_pan right_l0 head 0,0,0.3 z none 1.8,8 m=1.5
f display_joint head screen -0.05,0,0.2 m=0.4 s=box:0.02,0.1,0.1
f head_camera_joint head head_camera 0.02,0,0.2
f right_torso_itb right_l0 right_torso_itb -0.05,0,0.2 m=0.1
r right_j1 right_l0 right_l1 0.081,0.05,0.237 y -3.8,2.27 1.328,80 m=3
r right_j2 right_l1 right_l2 0,-0.14,0.1425 z -3.0426,3.0426 1.957,40 m=2.6
r right_j3 right_l2 right_l3 0,-0.042,0.26 y -3.0439,3.0439 1.957,40 m=2
f right_arm_itb right_l3 right_arm_itb 0,0.05,0 m=0.1
r right_j4 right_l3 right_l4 0,-0.125,-0.1265 z -2.9761,2.9761 3.485,9 m=1.6
r right_j5 right_l4 right_l5 0,0.031,0.275 y -2.9761,2.9761 3.485,9 m=1.2
f right_hand_camera right_l5 right_hand_camera 0.04,0,0.03
r right_j6 right_l5 right_l6 0,-0.11,0.1053 z -4.7124,4.7124 4.545,9 m=0.4
f right_hand right_l6 right_hand 0,0,0.0245
f led_joint right_l6 right_led 0.01,0,0
)")
                      .text(),
          .commanded = 8,
          .base = "right_arm_base_link",
          .tip = "right_hand",
          .says = {"what begins with 'head_pan' branches off it"}};
}

// five joints and a jaw, made of printed parts; the last link is called gripper
Habit printed_arm() {
  return {.name = "so-arm-like",
          .text = Sketch("so_arm", "base_link")
                      .add(R"(
r shoulder_pan base_link shoulder_link 0.04,0,0.06 z -1.92,1.92 10,10 m=0.1
r shoulder_lift shoulder_link upper_arm_link 0,0,0.054 y -1.745,1.745 10,10 m=0.1
r elbow_flex upper_arm_link lower_arm_link 0.028,0,0.11 y -1.69,1.69 10,10 m=0.1
r wrist_flex lower_arm_link wrist_link 0.135,0,0 y -1.65,1.65 10,10 m=0.08
r wrist_roll wrist_link gripper_link 0.06,0,0 x -2.74,2.84 10,10 m=0.08
f gripper_frame_joint gripper_link gripper_frame_link 0.1,0,0
f camera_mount gripper_link camera_link 0,0,0.05
r gripper gripper_link moving_jaw_v1_link 0.03,0,0.03 z -0.1745,1.745 10,10 m=0.01
)")
                      .text(),
          .commanded = 6,
          .base = "base_link",
          .tip = "gripper_frame_link"};
}

// capsules as links of their own ("_sc"), a flange without a name, a hand with a follower
Habit research_arm() {
  Sketch sketch("fr3", "base", "-");
  sketch.add("f base_joint base fr3_link0 0,0,0 m=3 s=cyl:0.06,0.14@-0.04,0,0.06");
  const char* const joints[] = {"0,0,0.333 z -2.7437,2.7437 2.62,87",
                                "0,0,0 z -1.7837,1.7837 2.62,87 rpy=-1.570796,0,0",
                                "0,-0.316,0 z -2.9007,2.9007 2.62,87 rpy=1.570796,0,0",
                                "0.0825,0,0 z -3.0421,-0.1518 2.62,87 rpy=1.570796,0,0",
                                "-0.0825,0.384,0 z -2.8065,2.8065 5.26,12 rpy=-1.570796,0,0",
                                "0,0,0 z 0.5445,4.5169 4.18,12 rpy=1.570796,0,0",
                                "0.088,0,0 z -3.0159,3.0159 5.26,12 rpy=1.570796,0,0"};
  for (int i = 1; i <= 7; ++i) {
    const std::string n = std::to_string(i);
    const std::string link = "fr3_link" + n;
    sketch.add("r fr3_joint" + n + " fr3_link" + std::to_string(i - 1) + " " + link + " " + joints[i - 1] +
               " m=2\n" + "f " + link + "_sc_joint " + link + " " + link + "_sc 0,0,0 s=box:0.04,0.04,0.04");
  }
  sketch.add(R"(
f fr3_joint8 fr3_link7 fr3_link8 0,0,0.107
f fr3_hand_joint fr3_link8 fr3_hand 0,0,0 rpy=0,0,-0.785398 m=0.7 s=box:0.04,0.1,0.03@0,0,0.04
f fr3_hand_tcp_joint fr3_hand fr3_hand_tcp 0,0,0.1034
p fr3_finger_joint1 fr3_hand fr3_leftfinger 0,0,0.0784 y 0,0.04 0.2,100 m=0.015 s=box:0.01,0.01,0.02@0,0.015,0.03
p fr3_finger_joint2 fr3_hand fr3_rightfinger 0,0,0.0784 -y 0,0.04 0.2,100 mimic=fr3_finger_joint1,1,0 m=0.015 s=box:0.01,0.01,0.02@0,-0.015,0.03
)");
  return {.name = "fr3-like", .text = sketch.text(), .commanded = 8, .base = "base", .tip = "fr3_hand_tcp"};
}

// on a podest, joints named by numbers
Habit light_arm_on_podest() {
  return {.name = "lwa4p-like",
          .text = Sketch("lwa4p", "world", "-")
                      .add(R"(
f arm_podest_joint world arm_podest_link 0,0,0 m=10 s=box:0.2,0.2,0.05@0,0,-0.1
f arm_base_joint arm_podest_link arm_base_link 0,0,0 m=4
r arm_1_joint arm_base_link arm_1_link 0,0,0.205 z -2.9671,2.9671 1.26,95 m=3
r arm_2_joint arm_1_link arm_2_link 0,0,0 z -2.9671,2.9671 1.26,95 rpy=1.5708,0,0 m=3
r arm_3_joint arm_2_link arm_3_link 0,0.35,0 z -2.7053,2.7053 1.26,71 rpy=0,3.14159,0 m=3
r arm_4_joint arm_3_link arm_4_link 0,0,0 z -2.9671,2.9671 1.26,38 rpy=-1.5708,0,0 m=2
r arm_5_joint arm_4_link arm_5_link 0,0,0.305 z -2.4435,2.4435 1.26,24 rpy=1.5708,0,0 m=1
r arm_6_joint arm_5_link arm_6_link 0,0,0 z -2.9671,2.9671 1.26,8 rpy=-1.5708,0,0 m=0.5
f arm_gripper_podest_joint arm_6_link gripper_podest_link 0,0,0.075
p gripper_finger_left_joint gripper_podest_link gripper_finger_left_link 0,0.02,0.03 y 0,0.03 0.1,10 m=0.05 s=box:0.01,0.01,0.03
p gripper_finger_right_joint gripper_podest_link gripper_finger_right_link 0,-0.02,0.03 -y 0,0.03 0.1,10 m=0.05 s=box:0.01,0.01,0.03
)")
                      .text(),
          .commanded = 8,
          .base = "arm_base_link",
          .tip = "gripper_podest_link"};
}

// turns without end, and limits that say so by their absence
Habit endless_arm(const std::string& name, const std::string& end, bool has_fingers) {
  Sketch sketch(name, "world", "-");
  sketch.add(R"(
f base_fix world base_link 0,0,0 m=1.7
c joint_1 base_link shoulder_link 0,0,0.1564 z - 1.39,39 rpy=3.1416,0,0 m=1.4
r joint_2 shoulder_link half_arm_1_link 0,0.005,-0.1284 z -2.41,2.41 1.39,39 rpy=1.5708,0,0 m=1.2
c joint_3 half_arm_1_link half_arm_2_link 0,-0.2104,-0.0064 z - 1.39,39 rpy=-1.5708,0,0 m=1.2
r joint_4 half_arm_2_link forearm_link 0,-0.0064,-0.2104 z -2.66,2.66 1.39,39 rpy=1.5708,0,0 m=0.9
c joint_5 forearm_link spherical_wrist_1_link 0,-0.2084,-0.0064 z none 1.22,9 rpy=-1.5708,0,0 m=0.7
r joint_6 spherical_wrist_1_link spherical_wrist_2_link 0,0,-0.1059 z -2.23,2.23 1.22,9 rpy=1.5708,0,0 m=0.7
c joint_7 spherical_wrist_2_link bracelet_link 0,-0.1059,0 z none 1.22,9 rpy=-1.5708,0,0 m=0.4
f camera_module bracelet_link camera_link 0,0.0564,-0.003
)");
  sketch.add("f end_effector bracelet_link " + end + " 0,0,-0.0615 rpy=3.1416,0,0");
  for (int i = 1; has_fingers && i <= 3; ++i)
    sketch.add("r joint_finger_" + std::to_string(i) + " bracelet_link link_finger_" + std::to_string(i) +
               " 0,0." + "0" + std::to_string(i * 2) + ",-0.12 x 0,1.51 1,2 m=0.03 s=box:0.01,0.01,0.03");
  return {.name = name,
          .text = sketch.text(),
          .commanded = has_fingers ? 10U : 7U,
          .base = "base_link",
          .tip = end};
}

// a driven knuckle, all others of its gripper follow
Habit arm_with_linkage_gripper() {
  return {.name = "xarm-like",
          .text = Sketch("xarm6", "world", "-")
                      .add(R"(
f world_joint world link_base 0,0,0 m=2.7
r joint1 link_base link1 0,0,0.267 z -6.28319,6.28319 3.14,50 m=2.4
r joint2 link1 link2 0,0,0 z -2.059,2.0944 3.14,50 rpy=-1.5708,0,0 m=1.9
r joint3 link2 link3 0.053,-0.2845,0 z -3.927,0.19198 3.14,32 m=1.8
r joint4 link3 link4 0.0775,0.3425,0 z -6.28319,6.28319 3.14,32 rpy=-1.5708,0,0 m=1.4
r joint5 link4 link5 0,0,0 z -1.69297,3.14159 3.14,32 rpy=1.5708,0,0 m=1.3
r joint6 link5 link6 0.076,0.097,0 z -6.28319,6.28319 3.14,20 rpy=-1.5708,0,0 m=0.2
f joint_eef link6 link_eef 0,0,0
f gripper_fix link_eef xarm_gripper_base_link 0,0,0 m=0.5 s=box:0.05,0.05,0.05@0,0,0.05
r drive_joint xarm_gripper_base_link left_outer_knuckle 0,0.035,0.09 x 0,0.85 2,50 m=0.03
r left_finger_joint left_outer_knuckle left_finger 0,0.035,0.042 -x 0,0.85 2,50 mimic=drive_joint,1,0 m=0.05 s=box:0.01,0.01,0.03
r left_inner_knuckle_joint xarm_gripper_base_link left_inner_knuckle 0,0.02,0.074 x 0,0.85 2,50 mimic=drive_joint,1,0 m=0.02 s=-
r right_outer_knuckle_joint xarm_gripper_base_link right_outer_knuckle 0,-0.035,0.09 -x 0,0.85 2,50 mimic=drive_joint,1,0 m=0.03
r right_finger_joint right_outer_knuckle right_finger 0,-0.035,0.042 x 0,0.85 2,50 mimic=drive_joint,1,0 m=0.05 s=box:0.01,0.01,0.03
f joint_tcp xarm_gripper_base_link link_tcp 0,0,0.172
)")
                      .text(),
          .commanded = 7,
          .base = "link_base",
          .tip = "link_tcp"};
}

// by itself: the followers count the other way round, so their limits and the leader's have one point in
// common
Habit linkage_gripper() {
  return {
      .name = "2f85-like",
      .text = Sketch("gripper_2f85", "robotiq_arg2f_base_link")
                  .add(R"(
r finger_joint robotiq_arg2f_base_link left_outer_knuckle 0,-0.0306,0.0549 x 0,0.8 2,1000 m=0.02
f left_outer_finger_joint left_outer_knuckle left_outer_finger 0,0.0315,-0.0041 m=0.02
r left_inner_knuckle_joint robotiq_arg2f_base_link left_inner_knuckle 0,-0.0127,0.0615 x 0,0.8757 2,1000 mimic=finger_joint,1,0 m=0.02 s=-
r left_inner_finger_joint left_outer_finger left_inner_finger 0,0.0061,0.0471 x 0,0.8757 2,1000 mimic=finger_joint,-1,0 m=0.02 s=-
r right_outer_knuckle_joint robotiq_arg2f_base_link right_outer_knuckle 0,0.0306,0.0549 -x 0,0.81 2,1000 mimic=finger_joint,1,0 m=0.02
)")
                  .text(),
      .commanded = 1,
      .says = {
          "joint 'finger_joint' keeps its range of 0 to 0.8: 'left_inner_finger_joint', which follows it, "
          "says 0 to 0.8757, which would leave it nowhere to go and is passed over"}};
}

// DOS line endings behind a byte order mark, efforts of zero, meshes of a package that is not there
Habit arm_from_windows() {
  std::string text = Sketch("m10ia", "base_link", "mesh:package://fanuc_m10ia_support/meshes/base.stl")
                         .add(R"(
r joint_1 base_link link_1 0,0,0.45 z -2.965,2.965 3.67,0 s=mesh:package://fanuc_m10ia_support/meshes/link_1.stl
r joint_2 link_1 link_2 0.15,0,0 y -1.57,2.79 3.32,0 s=mesh:package://fanuc_m10ia_support/meshes/link_2.stl
r joint_3 link_2 link_3 0,0,0.6 -y -3.14,4.61 3.67,0 s=mesh:file:///nowhere/link_3.DAE
r joint_4 link_3 link_4 0,0,0.2 -x -3.31,3.31 6.98,0 m=-
r joint_5 link_4 link_5 0.64,0,0 -y -3.31,3.31 6.98,0 m=-
r joint_6 link_5 link_6 0,0,0 -x -6.28,6.28 10.47,0 m=-
f joint_6-flange link_6 flange 0.1,0,0 rpy=3.1416,0,0
f flange-tool0 flange tool0 0,0,0 rpy=0,-1.5708,0
f link_3-cable link_3 cable_cover 0,0,0
)")
                         .text();
  std::string dos = "\xEF\xBB\xBF";
  for (const char c : text) {
    if (c == '\n') dos += '\r';
    dos += c;
  }
  return {.name = "fanuc-like",
          .text = dos,
          .commanded = 6,
          .base = "base_link",
          .tip = "tool0",
          .says = {"the mesh 'package://fanuc_m10ia_support/meshes/link_1.stl' is missing",
                   "links without a mass"}};
}

// a comment before the declaration, letters of many alphabets, and a mimic that is rounded beyond its limit
Habit commented_arm() {
  return {.name = "staubli-like",
          .text = "<!-- généré à la main · 手动生成 -->\n" + Sketch("tx90-ü", "base_link")
                                                                 .add(R"(
r joint_1 base_link link_1 0,0,0.478 z -3.1415,3.1415 6.98,318
r joint_2 link_1 link_2 0.05,0,0 y -2.2689,2.5743 6.98,166
r joint_3 link_2 link_3 0,0.05,0.425 y -2.5307,2.5307 7.5,76
r joint_4 link_3 link_4 0,0,0 z -4.7123,4.7123 8.7,34
r joint_5 link_4 link_5 0,0,0.425 y -2.0071,2.4434 9.42,29
r joint_6 link_5 link_6 0,0,0.1 z -4.7123,4.7123 13.26,11
f joint_6-tool0 link_6 tool0 0,0,0
r joint_1-belt base_link ремень 0.1,0,0.3 z -3.14159,3.14159 7,1 mimic=joint_1,1,0 m=0.1
)")
                                                                 .text(),
          .commanded = 6,
          .base = "base_link",
          .tip = "tool0"};
}

// as a CAD program exports what it was not told: all limits zero, blanks in names, masses of zero
Habit exported_arm() {
  return {.name = "cad-export",
          .text = Sketch("Assem1", "Base Plate-1")
                      .add(R"(
r Base~to~turret Base~Plate-1 Turret 0,0,0.1 z 0,0 0,0 m=0
r turret/arm1 Turret Arm1 0,0,0.1 y 0,0 0,0 m=0
r arm1/arm2 Arm1 Arm2 0,0,0.3 y none 0,0 m=0
p arm2/pen Arm2 Pen~holder 0.2,0,0 x 0,0 0,0 m=0 s=mesh:package://Assem1/meshes/Pen.STL
)")
                      .text(),
          .commanded = 4,
          .base = "Base Plate-1",
          .tip = "Pen holder",
          .says = {"says no range", "the mass is zero"}};
}

// velocities of -1, limits the wrong way round, and all that belongs to other programs
Habit arm_for_other_programs() {
  return {.name = "gazebo-leftovers",
          .text = Sketch("lab_arm", "world", "-")
                      .in_joints(
                          "<dynamics damping=\"0.7\" friction=\"0.1\"/><calibration rising=\"0.3\"/>"
                          "<safety_controller k_position=\"100\" k_velocity=\"1.5\" soft_lower_limit=\"-1\" "
                          "soft_upper_limit=\"1\"/>")
                      .add(R"(
planar ground world base_footprint 0,0,0
f base_joint base_footprint arm_base_link 0,0,0 m=5
r j1 arm_base_link a1 0,0,0.2 z 1.5,-1.5 -1,30
r j2 a1 a2 0,0,0.1 y -1.5,1.5 -1,-1
r j3 a2 a3 0,0,0.3 y -2,2 1,30
r j4 a3 tool_link 0.2,0,0 x -3,3 1,5
floating drone tool_link drone_link 0,0,0.5
)")
                      .raw("  <gazebo reference=\"a1\"><mu1>0.2</mu1></gazebo>\n"
                           "  <transmission name=\"t1\"><type>x</type><joint name=\"j1\"/></transmission>\n"
                           "  <ros2_control name=\"c\" type=\"system\"/>\n"
                           "  <xacro:include filename=\"$(find nowhere)/urdf/gripper.xacro\"/>\n")
                      .text(),
          .commanded = 4,
          .base = "arm_base_link",
          .tip = "tool_link",
          .says = {"'velocity' of joint 'j1' is -1, less than zero, and is taken as not known",
                   "is taken to go from -1.5 to 1.5", "<xacro:include> is passed over",
                   "'drone' floats or slides in the middle of the robot and is taken as fixed"}};
}

}  // namespace

std::vector<Habit> habits_of_arms() {
  return {collaborative_arm(),
          foundry_arm(),
          palletiser(),
          collaborative_with_head(),
          printed_arm(),
          research_arm(),
          light_arm_on_podest(),
          endless_arm("gen3-like", "end_effector_link", false),
          endless_arm("jaco-like", "j2n6s300_end_effector", true),
          arm_with_linkage_gripper(),
          linkage_gripper(),
          arm_from_windows(),
          commented_arm(),
          exported_arm(),
          arm_for_other_programs()};
}

}  // namespace sinew

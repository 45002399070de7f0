// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "apps/lockstep/test/habits/habits.h"
#include "apps/lockstep/test/habits/sketch.h"

namespace sinew {
namespace {

const char* const kSides[] = {"left", "right"};

double sign_of(std::string_view side) {
  return side.starts_with('l') ? 1.0 : -1.0;
}

// Joints of one branch, a word each: name:axis; every link 0.12 m below or beyond the one before.
void add_limb(Sketch& sketch, const std::string& parent, const std::string& prefix,
              const std::string& first_place, const std::string& place,
              const std::vector<std::string>& joints, const std::string& limits = "-1.2,1.2",
              const std::string& most = "4,80") {
  std::string above = parent;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::size_t colon = joints[i].find(':');
    const std::string name = prefix + joints[i].substr(0, colon);
    sketch.add(fmt::format("r {0}_joint {1} {0}_link {2} {3} {4} {5} m=0.5", name, above,
                           i == 0 ? first_place : place, joints[i].substr(colon + 1), limits, most));
    above = name + "_link";
  }
}

// two heavy arms on a torso that lifts, wheels that steer, a head, a laser that nods, motors as joints; what
// the shoulders may give is what a spring leaves to them, and no more
Habit service_robot() {
  Sketch sketch("pr2", "base_footprint", "-");
  sketch.in_joints(
      "<dynamics damping=\"1.0\"/><calibration rising=\"-0.2\"/>"
      "<safety_controller k_position=\"100\" k_velocity=\"10\" soft_lower_limit=\"-0.2\" "
      "soft_upper_limit=\"0.2\"/>");
  sketch.add("f base_footprint_joint base_footprint base_link 0,0,0.051 m=116 s=box:0.5,0.5,0.2@0,0,0.1");
  for (const char* corner : {"fl", "fr", "bl", "br"}) {
    const double x = corner[0] == 'f' ? 0.22 : -0.22;
    const double y = corner[1] == 'l' ? 0.22 : -0.22;
    sketch.add(
        fmt::format("c {0}_caster_rotation_joint base_link {0}_caster_rotation_link {1},{2},-0.03 z none "
                    "6.5,6.5 m=3.5 s=-\n"
                    "c {0}_caster_l_wheel_joint {0}_caster_rotation_link {0}_caster_l_wheel_link 0,0.049,0 y "
                    "none 15,7 m=0.4 s=-\n"
                    "c {0}_caster_r_wheel_joint {0}_caster_rotation_link {0}_caster_r_wheel_link 0,-0.049,0 "
                    "y none 15,7 m=0.4 s=-",
                    corner, x, y));
  }
  sketch.add(R"(
p torso_lift_joint base_link torso_lift_link -0.05,0,0.74 z 0.0115,0.325 0.013,10000 m=36 s=box:0.2,0.2,0.4
r head_pan_joint torso_lift_link head_pan_link -0.017,0,0.38 z -3.007,3.007 6,2.65 m=6
r head_tilt_joint head_pan_link head_tilt_link 0.068,0,0.1 y -0.471,1.396 5,18 m=4
r laser_tilt_mount_joint torso_lift_link laser_tilt_mount_link 0.1,0,0.227 y -0.7854,1.48 10,0.65 m=0.6
)");
  for (const char* side : {"l", "r"}) {
    sketch.add(fmt::format(R"(
r {0}_shoulder_pan_joint torso_lift_link {0}_shoulder_pan_link 0,{1},0 z {2} 2.088,30 m=25
r {0}_shoulder_lift_joint {0}_shoulder_pan_link {0}_shoulder_lift_link 0.1,0,0 y -0.5236,1.3963 2.082,30 m=2.7
r {0}_upper_arm_roll_joint {0}_shoulder_lift_link {0}_upper_arm_roll_link 0,0,0 x {3} 3.27,30 m=0.1 s=-
f {0}_upper_arm_joint {0}_upper_arm_roll_link {0}_upper_arm_link 0.2,0,0 m=6 s=box:0.1,0.05,0.05
r {0}_elbow_flex_joint {0}_upper_arm_link {0}_elbow_flex_link 0.2,0,0 y -2.3213,0 3.3,30 m=1.9
c {0}_forearm_roll_joint {0}_elbow_flex_link {0}_forearm_roll_link 0,0,0 x none 3.6,30 m=0.1 s=-
f {0}_forearm_joint {0}_forearm_roll_link {0}_forearm_link 0.18,0,0 m=2.6 s=box:0.1,0.05,0.05
r {0}_wrist_flex_joint {0}_forearm_link {0}_wrist_flex_link 0.14,0,0 y -2.18,0 3.078,10 m=0.6
c {0}_wrist_roll_joint {0}_wrist_flex_link {0}_wrist_roll_link 0,0,0 x none 3.6,10 m=0.1 s=-
f {0}_gripper_palm_joint {0}_wrist_roll_link {0}_gripper_palm_link 0.06,0,0 m=0.58 s=box:0.06,0.06,0.06
f {0}_gripper_led_joint {0}_gripper_palm_link {0}_gripper_led_frame 0.05,0,0.02
f {0}_gripper_tool_joint {0}_gripper_palm_link {0}_gripper_tool_frame 0.18,0,0
p {0}_gripper_motor_slider_joint {0}_gripper_palm_link {0}_gripper_motor_slider_link 0.168,0,0 x -0.1,0.1 0.2,1000 m=0.01 s=-
c {0}_gripper_motor_screw_joint {0}_gripper_motor_slider_link {0}_gripper_motor_screw_link 0,0,0 y none 0.2,100 m=0.01 s=-
r {0}_gripper_l_finger_joint {0}_gripper_palm_link {0}_gripper_l_finger_link 0.08,0.01,0 z 0,0.548 0.5,1000 m=0.17 s=box:0.06,0.01,0.02@0.04,0.01,0
r {0}_gripper_r_finger_joint {0}_gripper_palm_link {0}_gripper_r_finger_link 0.08,-0.01,0 -z 0,0.548 0.5,1000 mimic={0}_gripper_l_finger_joint,1,0 m=0.17 s=box:0.06,0.01,0.02@0.04,-0.01,0
)",
                           side, 0.188 * sign_of(side), side[0] == 'l' ? "-0.7146,2.2854" : "-2.2854,0.7146",
                           side[0] == 'l' ? "-0.8,3.9" : "-3.9,0.8"));
  }
  return {.name = "pr2-like",
          .text = sketch.text(),
          .commanded = 36,
          .base = "torso_lift_link",
          .tip = "l_gripper_tool_frame",
          .says = {"'torso_lift_link' to 'l_gripper_tool_frame' by 7 joints"}};
}

// two arms and a screen, sliding fingers of which one follows
Habit two_armed_robot() {
  Sketch sketch("baxter", "base", "-");
  sketch.add(
      "f torso_t0 base torso 0,0,0 m=35 s=box:0.2,0.3,0.5@0,0,0.25\nr head_pan torso head 0.06,0,0.686 z "
      "-1.3963,1.3963 10,50 m=0.5");
  for (const char* side : kSides) {
    const std::string s = side;
    sketch.add(
        fmt::format("f {0}_torso_arm_mount torso {0}_arm_mount 0.02,{1},0.1", s, 0.26 * sign_of(side)));
    add_limb(sketch, s + "_arm_mount", s + "_", "0.06,0,0.28", "0.1,0,0",
             {"s0:z", "s1:y", "e0:x", "e1:y", "w0:x", "w1:y", "w2:x"});
    sketch.add(fmt::format(R"(
f {0}_hand {0}_w2_link {0}_hand 0.1,0,0
f {0}_gripper_base {0}_hand {0}_gripper_base 0,0,0 m=0.3 s=box:0.03,0.06,0.03
p {0}_gripper_l_finger_joint {0}_gripper_base {0}_gripper_l_finger 0.02,0.02,0 y 0,0.0208 5,20 m=0.02 s=box:0.05,0.01,0.02@0.04,0.01,0
p {0}_gripper_r_finger_joint {0}_gripper_base {0}_gripper_r_finger 0.02,-0.02,0 y -0.0208,0 5,20 mimic={0}_gripper_l_finger_joint,-1,0 m=0.02 s=box:0.05,0.01,0.02@0.04,-0.01,0
f {0}_endpoint {0}_gripper_base {0}_gripper 0.1,0,0
)",
                           s));
  }
  return {
      .name = "baxter-like", .text = sketch.text(), .commanded = 17, .base = "torso", .tip = "left_gripper"};
}

Habit driving_base() {
  return {.name = "turtlebot-like",
          .text = Sketch("turtlebot", "base_footprint", "-")
                      .add(R"(
f base_joint base_footprint base_link 0,0,0.01 m=1 s=box:0.14,0.14,0.1@-0.03,0,0.07
c wheel_left_joint base_link wheel_left_link 0,0.08,0.023 z - 20,1 rpy=-1.57,0,0 m=0.03 s=cyl:0.033,0.018
c wheel_right_joint base_link wheel_right_link 0,-0.08,0.023 z - 20,1 rpy=-1.57,0,0 m=0.03 s=cyl:0.033,0.018
f caster_back_joint base_link caster_back_link -0.081,0,-0.004 m=0.005 s=box:0.03,0.009,0.02
f imu_joint base_link imu_link -0.032,0,0.068
f scan_joint base_link base_scan -0.032,0,0.172 m=0.1 s=cyl:0.05,0.03
)")
                      .text(),
          .commanded = 2};
}

// a torso that lifts one arm, a head beside it, wheels
Habit mobile_manipulator() {
  Sketch sketch("tiago", "base_footprint", "-");
  sketch.add(R"(
f base_footprint_joint base_footprint base_link 0,0,0.0985 m=28 s=cyl:0.25,0.2@0,0,0.1
c wheel_left_joint base_link wheel_left_link 0,0.2,0 z none 10,6 rpy=-1.5708,0,0 s=-
c wheel_right_joint base_link wheel_right_link 0,-0.2,0 z none 10,6 rpy=-1.5708,0,0 s=-
f torso_fixed_joint base_link torso_fixed_link -0.06,0,0.2 m=13
p torso_lift_joint torso_fixed_link torso_lift_link 0,0,0.597 z 0,0.35 0.07,2000 m=15
r head_1_joint torso_lift_link head_1_link 0.182,0,0.4 z -1.3,1.3 3,6
r head_2_joint head_1_link head_2_link 0.005,0,0.1 -y -0.78,1.04 3,6
)");
  add_limb(sketch, "torso_lift_link", "arm_", "0.155,0.014,-0.151", "0.1,0,0",
           {"1:z", "2:y", "3:x", "4:y", "5:x", "6:y", "7:x"}, "0.07,2.68");
  sketch.add(R"(
f arm_tool_joint arm_7_link arm_tool_link 0.05,0,0
f wrist_ft_joint arm_tool_link wrist_ft_link 0.01,0,0 m=0.1
f gripper_joint wrist_ft_link gripper_link 0.04,0,0 m=0.8 s=box:0.04,0.08,0.04
p gripper_left_finger_joint gripper_link gripper_left_finger_link 0.05,0.02,0 y 0,0.045 0.05,16 m=0.1 s=box:0.04,0.01,0.02
p gripper_right_finger_joint gripper_link gripper_right_finger_link 0.05,-0.02,0 -y 0,0.045 0.05,16 m=0.1 s=box:0.04,0.01,0.02
f gripper_grasping_frame_joint gripper_link gripper_grasping_frame 0.1,0,0
)");
  return {.name = "tiago-like",
          .text = sketch.text(),
          .commanded = 14,
          .base = "base_link",
          .tip = "arm_tool_link"};
}

// four legs and an arm whose jaw is named by its consonants
Habit walking_robot_with_arm() {
  Sketch sketch("spot", "body", "box:0.6,0.15,0.1");
  for (const char* leg : {"fl", "fr", "hl", "hr"})
    sketch.add(fmt::format(R"(
r {0}.hx body {0}.hip {1},{2},0 x -0.785,0.785 20,45 m=1.6
r {0}.hy {0}.hip {0}.uleg 0,{3},0 y -0.898,2.295 20,45 m=2
r {0}.kn {0}.uleg {0}.lleg 0,0,-0.32 y -2.79,-0.255 20,115 m=0.4
)",
                           leg, leg[0] == 'f' ? 0.4 : -0.4, leg[1] == 'l' ? 0.1 : -0.1,
                           leg[1] == 'l' ? 0.1 : -0.1));
  add_limb(sketch, "body", "arm_", "0.29,0,0.18", "0.1,0,0",
           {"sh0:z", "sh1:y", "el0:y", "el1:x", "wr0:y", "wr1:x"});
  sketch.add("r arm_f1x arm_wr1_link arm_link_fngr 0.1,0,0.02 y -1.57,0 10,15 m=0.2\n");
  return {.name = "spot-like", .text = sketch.text(), .commanded = 19, .base = "body", .tip = "arm_wr1_link"};
}

Habit walking_robot() {
  Sketch sketch("go1", "base", "-");
  sketch.add(
      "floating floating_base base trunk 0,0,0.3 m=5 s=box:0.26,0.09,0.11\nf imu_joint trunk imu_link 0,0,0");
  for (const char* leg : {"FR", "FL", "RR", "RL"})
    sketch.add(fmt::format(R"(
r {0}_hip_joint trunk {0}_hip {1},{2},0 x -0.863,0.863 30.1,23.7 m=0.6
f {0}_hip_rotor_joint trunk {0}_hip_rotor {1},{2},0.05 m=0.09
r {0}_thigh_joint {0}_hip {0}_thigh 0,{3},0 y -0.686,4.501 30.1,23.7 m=0.9
r {0}_calf_joint {0}_thigh {0}_calf 0,0,-0.213 y -2.818,-0.888 20.06,35.55 m=0.2
f {0}_foot_fixed {0}_calf {0}_foot 0,0,-0.213 m=0.06
)",
                           leg, leg[0] == 'F' ? 0.19 : -0.19, leg[1] == 'L' ? 0.05 : -0.05,
                           leg[1] == 'L' ? 0.08 : -0.08));
  return {.name = "go1-like", .text = sketch.text(), .commanded = 12, .base = "trunk", .tip = "FR_foot"};
}

// legs of five and arms of four joints
Habit humanoid_of_few_joints() {
  Sketch sketch("h1", "pelvis");
  for (const char* side : kSides) {
    const std::string s = side;
    add_limb(sketch, "pelvis", s + "_", fmt::format("0,{},-0.17", 0.1 * sign_of(side)), "0,0,-0.15",
             {"hip_yaw:z", "hip_roll:x", "hip_pitch:y", "knee:y", "ankle:y"}, "-0.43,0.43", "23,200");
  }
  sketch.add("r torso_joint pelvis torso_link 0,0,0.05 z -2.35,2.35 23,200 m=17");
  for (const char* side : kSides) {
    const std::string s = side;
    add_limb(sketch, "torso_link", s + "_", fmt::format("0,{},0.43", 0.2 * sign_of(side)), "0,0,-0.12",
             {"shoulder_pitch:y", "shoulder_roll:x", "shoulder_yaw:z", "elbow:y"});
  }
  return {
      .name = "h1-like", .text = sketch.text(), .commanded = 19, .base = "pelvis", .tip = "left_ankle_link"};
}

// a hip that follows the other, hands of one joint with followers, limits of many digits
Habit small_humanoid() {
  Sketch sketch("nao", "base_link", "-");
  sketch.add(
      "f base_link_fixedjoint base_link torso 0,0,0 m=1\n"
      "r HeadYaw torso Neck 0,0,0.1265 z -2.08567,2.08567 8.26797,1.547 m=0.08\n"
      "r HeadPitch Neck Head 0,0,0.02 y -0.671952,0.514872 7.19407,1.532 m=0.6");
  for (const char* side : {"L", "R"}) {
    const double y = side[0] == 'L' ? 1.0 : -1.0;
    sketch.add(fmt::format(R"(
r {0}HipYawPitch torso {0}Pelvis 0,{1},-0.085 0,0.707106,{2} -1.14529,0.740718 4.16174,3.348 {3} m=0.07
r {0}HipRoll {0}Pelvis {0}Hip 0,0,0 x -0.379435,0.379435 4.16174,3.348 m=0.14 s=-
r {0}HipPitch {0}Hip {0}Thigh 0,0,0 y -1.53589,0.48398 6.40239,3.348 m=0.39 s=-
r {0}KneePitch {0}Thigh {0}Tibia 0,0,-0.1 y -0.0923279,2.11255 6.40239,3.348 m=0.3
r {0}AnklePitch {0}Tibia {0}AnklePitchLink 0,0,-0.1029 y -1.18944,0.922581 6.40239,3.348 m=0.13
r {0}AnkleRoll {0}AnklePitchLink {0}_ankle 0,0,0 x -0.39788,0.39788 4.16174,3.348 m=0.17 s=-
f {0}Foot {0}_ankle {0}_sole 0,0,-0.04519
r {0}ShoulderPitch torso {0}Shoulder 0,{4},0.1 y -2.08567,2.08567 8.26797,1.329 m=0.09
r {0}ShoulderRoll {0}Shoulder {0}Bicep 0,0,0 z -0.314159,0.314159 7.19407,1.783 m=0.15 s=-
r {0}ElbowYaw {0}Bicep {0}Elbow 0.105,0.01,0 x -2.08567,2.08567 8.26797,1.547 m=0.06
r {0}ElbowRoll {0}Elbow {0}ForeArm 0,0,0 z -1.54462,1.54462 7.19407,1.532 m=0.07 s=-
r {0}WristYaw {0}ForeArm {0}_wrist 0.05595,0,0 x -1.82387,1.82387 24.6229,0.4075 m=0.18
f {0}gripper_fixed {0}_wrist {0}_gripper 0.05775,0,-0.01231
r {0}Hand {0}_wrist {0}gripper 0.05775,0,-0.01231 x 0,1 8.33,0.292 m=0.01 s=-
r {0}Finger11 {0}_wrist {0}Finger11_link 0.069,0.01,-0.003 y -1,0.5 8.33,0.3 mimic={0}Hand,0.999899,-0.999899 m=0.01 s=-
)",
                           side, 0.05 * y, -0.707106 * y, side[0] == 'R' ? "mimic=LHipYawPitch,1,0" : "",
                           0.098 * y));
  }
  return {.name = "nao-like", .text = sketch.text(), .commanded = 25, .base = "torso", .tip = "L_gripper"};
}

Habit large_humanoid(const std::string& name, bool has_hands) {
  Sketch sketch(name, "pelvis");
  add_limb(sketch, "pelvis", "back_", "0,0,0.1", "0,0,0.1", {"bkz:z", "bky:y", "bkx:x"}, "-0.6,0.6",
           "12,300");
  add_limb(sketch, "back_bkx_link", "neck_", "0.1,0,0.4", "0,0,0.05", {"lower:y", "yaw:z", "upper:y"},
           "-0.6,0.6", "6,25");
  for (const char* side : kSides) {
    const std::string s = side;
    const double y = sign_of(side);
    add_limb(sketch, "pelvis", s + "_leg_", fmt::format("0,{},-0.05", 0.12 * y), "0,0,-0.14",
             {"hpz:z", "hpx:x", "hpy:y", "kny:y", "aky:y", "akx:x"}, "-0.5,0.5", "12,400");
    add_limb(sketch, "back_bkx_link", s + "_arm_", fmt::format("0,{},0.3", 0.25 * y),
             fmt::format("0,{},0", 0.11 * y),
             {"shz:z", "shx:x", "ely:y", "elx:x", "wry:y", "wrx:x", "wry2:y"}, "-1.2,1.2", "12,100");
    for (int finger = 0; has_hands && finger < 5; ++finger)
      add_limb(sketch, s + "_arm_wry2_link",
               fmt::format("{}{}", s,
                           std::vector<const char*>{"Thumb", "IndexFinger", "MiddleFinger", "RingFinger",
                                                    "Pinky"}[static_cast<std::size_t>(finger)]),
               fmt::format("{},{},0", 0.05 * (finger - 2), 0.08 * y), fmt::format("0,{},0", 0.045 * y),
               {"Roll:y", "Pitch1:x", "Pitch2:x", "Pitch3:x"}, "-0.3,0.3", "5,3");
  }
  Habit habit{.name = name, .text = sketch.text(), .base = "back_bkx_link", .tip = "left_arm_wry2_link"};
  habit.commanded = has_hands ? 64 : 32;
  if (has_hands)
    habit.says = {
        "the robot has 72 joints that move, more than 64: 8 of them are not enabled and are held where the "
        "description puts them: "};
  return habit;
}

// nine motors move twenty joints
Habit hand_with_followers() {
  return {.name = "svh-like",
          .text = Sketch("svh", "svh_base_link")
                      .add(R"(
r Thumb_Opposition svh_base_link svh_z 0,0.02,0.05 z 0,0.9879 1,1 m=0.05 s=-
r Thumb_Flexion svh_z svh_a 0.03,0.02,0 y 0,0.9704 1,1 m=0.02
r j3 svh_a svh_b 0.03,0,0 y 0,0.98506 1,1 mimic=Thumb_Flexion,1.01511,0 m=0.02
r j4 svh_b svh_c 0.03,0,0 y 0,1.406 1,1 mimic=Thumb_Flexion,1.44889,0 m=0.02
r Finger_Spread svh_base_link svh_e 0,-0.04,0.1 z 0,0.28833 1,1 m=0.02 s=-
r j5 svh_base_link svh_e2 0,0.02,0.1 z 0,0.9879 1,1 mimic=Thumb_Opposition,1,0 m=0.02 s=-
r Index_Finger_Proximal svh_e2 svh_l 0,0,0.02 y 0,0.79849 1,1 m=0.02
r Index_Finger_Distal svh_l svh_p 0,0,0.04 y 0,1.334 1,1 m=0.02
r j14 svh_p svh_t 0,0,0.03 y 0,1.394 1,1 mimic=Index_Finger_Distal,1.045,0 m=0.02
r Middle_Finger_Proximal svh_base_link svh_k 0,0,0.12 y 0,0.79849 1,1 m=0.02
r Middle_Finger_Distal svh_k svh_o 0,0,0.04 y 0,1.334 1,1 m=0.02
r j15 svh_o svh_s 0,0,0.03 y 0,1.3348 1,1 mimic=Middle_Finger_Distal,1.0454,0 m=0.02
r Ring_Finger svh_e svh_j 0,0.01,0.02 y 0,0.98175 1,1 m=0.02
r j12 svh_j svh_n 0,0,0.04 y 0,1.334 1,1 mimic=Ring_Finger,1.3588,0 m=0.02
r Pinky svh_e svh_i 0,-0.02,0.02 y 0,0.98175 1,1 m=0.02
r j13 svh_i svh_m 0,0,0.04 y 0,1.3348 1,1 mimic=Pinky,1.3588,0 m=0.02
)")
                      .text(),
          .commanded = 9};
}

// five fingers on a wrist of two joints
Habit hand_of_24() {
  Sketch sketch("shadow", "rh_forearm");
  sketch.add(
      "r rh_WRJ2 rh_forearm rh_wrist 0,-0.01,0.213 y -0.523,0.174 2,30 m=0.1\n"
      "r rh_WRJ1 rh_wrist rh_palm 0,0,0.034 x -0.698,0.488 2,10 m=0.3 s=box:0.08,0.02,0.08@0,0,0.05");
  const char* const names[] = {"FF", "MF", "RF", "LF"};
  for (int i = 0; i < 4; ++i)
    sketch.add(fmt::format(R"(
r rh_{0}J4 rh_palm rh_{0}knuckle {1},0,0.1 y -0.349,0.349 2,2 m=0.01 s=-
r rh_{0}J3 rh_{0}knuckle rh_{0}proximal 0,0,0 x -0.26,1.57 2,2 m=0.03 s=-
r rh_{0}J2 rh_{0}proximal rh_{0}middle 0,0,0.045 x 0,1.57 2,2 m=0.02 s=box:0.01,0.01,0.01
r rh_{0}J1 rh_{0}middle rh_{0}distal 0,0,0.025 x 0,1.57 2,2 m=0.01 s=box:0.01,0.01,0.01
)",
                           names[i], 0.033 - 0.022 * i));
  sketch.add(R"(
r rh_THJ5 rh_palm rh_thbase 0.045,-0.03,0.03 -z -1.047,1.047 4,5 m=0.01 s=-
r rh_THJ4 rh_thbase rh_thproximal 0,0,0 x 0,1.22 4,3 rpy=0,0.785,0 m=0.04 s=-
r rh_THJ3 rh_thproximal rh_thhub 0,0,0.038 x -0.2,0.2 4,2 m=0.01 s=-
r rh_THJ2 rh_thhub rh_thmiddle 0,0,0.01 -y -0.69,0.69 2,2 m=0.02 s=box:0.01,0.01,0.01
r rh_THJ1 rh_thmiddle rh_thdistal 0,0,0.03 x -0.26,1.57 2,1 m=0.02 s=box:0.01,0.01,0.01
)");
  return {
      .name = "shadow-like", .text = sketch.text(), .commanded = 23, .base = "rh_palm", .tip = "rh_thdistal"};
}

// names with slashes, fingers of three joints on a palm that is the root
Habit hand_of_three_fingers() {
  Sketch sketch("robotiq/3f", "hand/palm", "box:0.06,0.1,0.06");
  for (int i = 1; i <= 3; ++i)
    sketch.add(fmt::format(R"(
r palm/finger_{0} hand/palm finger_{0}/link_0 {1},{2},0.05 z -0.192,0.192 2,60 m=0.1
r finger_{0}/joint_1 finger_{0}/link_0 finger_{0}/link_1 0,0.03,0.03 x 0.0495,1.2218 2,60 m=0.05
r finger_{0}/joint_2 finger_{0}/link_1 finger_{0}/link_2 0,0,0.05 x 0,1.5708 2,60 m=0.05
r finger_{0}/joint_3 finger_{0}/link_2 finger_{0}/link_3 0,0,0.04 x -1.2218,-0.0523 2,60 m=0.02
)",
                           i, 0.08 * (i - 2), i == 2 ? -0.08 : 0.04));
  return {.name = "three-finger-like",
          .text = sketch.text(),
          .commanded = 12,
          .base = "hand/palm",
          .tip = "finger_1/link_3"};
}

}  // namespace

std::vector<Habit> habits_of_bodies() {
  return {service_robot(),
          two_armed_robot(),
          driving_base(),
          mobile_manipulator(),
          walking_robot_with_arm(),
          walking_robot(),
          humanoid_of_few_joints(),
          small_humanoid(),
          large_humanoid("atlas-like", false),
          large_humanoid("valkyrie-like", true),
          hand_with_followers(),
          hand_of_24(),
          hand_of_three_fingers()};
}

std::vector<Habit> all_habits() {
  std::vector<Habit> all = habits_of_arms();
  for (Habit& habit : habits_of_bodies()) all.push_back(std::move(habit));
  return all;
}

}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/robot_yaml.h"

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/actuation.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/text_input.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

constexpr double kYamlDegree = std::numbers::pi / 180.0;

constexpr const char* kArm = R"(<robot name="arm">
  <link name="base"/><link name="upper"/><link name="fore"/><link name="hand"/><link name="lamp"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/></joint>
  <joint name="slide" type="prismatic"><parent link="fore"/><child link="hand"/>
    <limit lower="0" upper="0.5" velocity="1" effort="1"/></joint>
  <joint name="mount" type="fixed"><parent link="base"/><child link="lamp"/></joint>
</robot>)";

RobotModel arm_model() {
  auto read = read_urdf_text(kArm, "arm.urdf");
  EXPECT_TRUE(read);
  return std::move(read->model);
}

// "" when the text is taken, else the refusal.
std::string refusal_of(const std::string& text, RobotModel& model) {
  const auto root = parse_yaml(text, "robot.yaml");
  if (!root) return root.error().message;
  const auto settings = read_robot_settings(*root);
  if (!settings) return settings.error().message;
  const Status applied = apply_robot_yaml(*root, model);
  return applied ? "" : applied.error().message;
}

TEST(RobotYamlTest, SaysWhatTheUrdfCannot) {
  RobotModel model = arm_model();
  const std::string text = R"(urdf: arm.urdf
aliases: {shoulder: [S, LSP], elbow: E}
enabled: [shoulder, slide]
limits:
  S: {velocity_deg: 90, acceleration: 3, jerk: 40, lower_deg: -45}
arms:
  - {name: arm, base: base, tip: hand, tools: [{name: pen, xyz: [0, 0, 0.1], rpy_deg: [0, 90, 0]}]}
home_deg: {shoulder: -30}
home: {slide: 0.25}
postures: {up: {elbow: 7}}
ignored_pairs: [{a: lamp, b: upper, reason: never}]
)";
  ASSERT_EQ(refusal_of(text, model), "");
  EXPECT_EQ(find_joint(model, "LSP"), find_joint(model, "shoulder"));
  const Joint& shoulder = model.joints[find_joint(model, "S")];
  EXPECT_DOUBLE_EQ(shoulder.limits.velocity, 90 * kYamlDegree);
  EXPECT_DOUBLE_EQ(shoulder.limits.lower, -45 * kYamlDegree);
  EXPECT_EQ(shoulder.limits.upper, 2.0);
  EXPECT_EQ(shoulder.limits.acceleration, 3.0);
  EXPECT_EQ(shoulder.limits.jerk, 40.0);
  EXPECT_TRUE(shoulder.is_enabled);
  EXPECT_FALSE(model.joints[find_joint(model, "E")].is_enabled);
  ASSERT_EQ(model.arms.size(), 1U);
  EXPECT_EQ(model.arms[0].tools[0].link, find_link(model, "hand"));
  EXPECT_NEAR((model.arms[0].tools[0].X_LT * Vector3::UnitZ() - Vector3(1, 0, 0.1)).norm(), 0.0, 1e-12);
  ASSERT_EQ(model.postures.size(), 2U);
  EXPECT_DOUBLE_EQ(model.postures[0].positions[0], -30 * kYamlDegree);
  EXPECT_TRUE(std::isnan(model.postures[0].positions[1]));
  EXPECT_EQ(model.postures[0].positions[2], 0.25);
  EXPECT_EQ(model.ignored_pairs[0].reason, "never");
}

// a home of 3.1416 where the URDF says 3.14159, or with a digit less
TEST(RobotYamlTest, TakesAPostureThatIsRoundedBeyondALimitAsOnIt) {
  RobotModel model = arm_model();
  ASSERT_EQ(refusal_of("{urdf: a, home: {shoulder: 2.00009, slide: -0.00009}}", model), "");
  EXPECT_EQ(model.postures[0].positions[0], 2.0);
  EXPECT_EQ(model.postures[0].positions[2], 0.0);
  EXPECT_NE(refusal_of("{urdf: a, home: {shoulder: 2.0003}}", model), "");
}

TEST(RobotYamlTest, FramesAreInTheRootInOthersOrInLinksThatStandStill) {
  RobotModel model = arm_model();
  model.joints[find_joint(model, "mount")].X_PJ.position = Vector3(0, 0, 2);
  ASSERT_EQ(refusal_of(R"(urdf: arm.urdf
frames:
  - {name: tray, in: table, xyz: [0.1, 0, 0]}
  - {name: table, xyz: [0.5, 0, 0.1], rpy_deg: [0, 0, 90]}
  - {name: beam, in: lamp, xyz: [0, 0, -0.5]}
)",
                       model),
            "");
  ASSERT_EQ(model.frames.size(), 3U);
  EXPECT_EQ(model.frames[0].name, "tray") << "before the one that it is in";
  EXPECT_NEAR((model.frames[0].X_RU.position - Vector3(0.5, 0.1, 0.1)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((model.frames[0].X_RU.rotation * Vector3::UnitX() - Vector3::UnitY()).norm(), 0.0, 1e-12);
  EXPECT_NEAR((model.frames[2].X_RU.position - Vector3(0, 0, 1.5)).norm(), 0.0, 1e-12);
  // seen from a base that stands on the lamp, and from one that joints move
  const std::vector<BaseFrame> seen = frames_in(model, find_link(model, "lamp"));
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_NEAR((seen[1].X_BU.position - Vector3(0.5, 0, -1.9)).norm(), 0.0, 1e-12);
  EXPECT_TRUE(frames_in(model, find_link(model, "fore")).empty());
}

TEST(RobotYamlTest, RefusesFramesThatAreNowhere) {
  const auto refused = [](const std::string& frames) {
    RobotModel model = arm_model();
    return refusal_of("urdf: arm.urdf\nframes: " + frames, model);
  };
  EXPECT_EQ(
      refused("[{name: tray, in: tabel}, {name: table}]"),
      "robot.yaml:2: frame 'tray' is in 'tabel', which is no frame and no link (did you mean 'table'?); "
      "name another frame, or a link that no joint moves");
  EXPECT_EQ(
      refused("[{name: k, in: l}, {name: l, in: m}, {name: m, in: l}]"),
      "robot.yaml:2: frame 'k' is given in a circle: k in l in m in l; let one of them be in a link, or "
      "leave 'in' out for the root link");
  EXPECT_EQ(refused("[{name: a, in: a}]"),
            "robot.yaml:2: frame 'a' is given in a circle: a in a; let one of them be in a link, or leave "
            "'in' out for the root link");
  EXPECT_EQ(refused("[{name: table}, {name: table}]"),
            "robot.yaml:2: frame 'table' stands twice; give each its own name");
  EXPECT_EQ(
      refused("[{name: pen, in: hand}]"),
      "robot.yaml:2: frame 'pen' is in link 'hand', which joints move; a frame stands still: name a link "
      "that no joint moves, or make it a tool of an arm");
  EXPECT_EQ(
      refused("[{name: lamp}]"),
      "robot.yaml:2: a link is called 'lamp' as well; give the frame another name, so that 'in' is clear");
  EXPECT_EQ(
      refused("[{name: User}]"),
      "robot.yaml:2: a frame cannot be called 'User'; choose another name than b, base, t, tool, u, user, "
      "f, flange: they mean something already");
  EXPECT_EQ(refused("[{name: my table}]"),
            "robot.yaml:2: 'my table' is no name for a frame; use letters, digits and _, a letter first, so "
            "that programs can write it");
  EXPECT_NE(refused("[{xyz: [0, 0, 0]}]").find("name"), std::string::npos);
}

TEST(RobotYamlTest, ReadsTheBoundsOfTheWorkspace) {
  RobotModel model = arm_model();
  model.links[3].collisions.push_back({.kind = ShapeKind::Sphere, .radius = 0.1});
  const std::string text = R"(urdf: arm.urdf
arms:
  - {name: arm, base: base, tip: hand, tools: [{name: pen, xyz: [0, 0, 0.1]}]}
workspace:
  keep_out:
    - {name: press, xyz: [1, 0, 0.5], rpy_deg: [0, 0, 90], size: [0.4, 0.6, 1]}
  keep_in:
    - {name: cell, size: [2, 2, 2]}
  planes:
    - {name: floor, xyz: [0, 0, 0.02]}
    - {name: wall, xyz: [1.5, 0, 0], normal: [-2, 0, 0], of: [hand, upper]}
    - {name: back, normal: [1, 0, 0], except: [hand]}
)";
  ASSERT_EQ(refusal_of(text, model), "");
  ASSERT_EQ(model.workspace.size(), 5U);
  const WorkspaceBound& press = model.workspace[0];
  EXPECT_EQ(press.half_extents, Vector3(0.2, 0.3, 0.5));
  EXPECT_EQ(press.links, std::vector<std::size_t>{find_link(model, "hand")})
      << "only what moves and has a shape";
  ASSERT_EQ(press.points.size(), 1U);
  EXPECT_EQ(press.points[0].name, "pen");
  EXPECT_TRUE(press.concerns_held);
  const WorkspaceBound& cell = model.workspace[1];
  EXPECT_EQ(cell.kind, WorkspaceKind::KeepIn);
  EXPECT_TRUE(cell.links.empty()) << "the tools stay in";
  EXPECT_EQ(cell.points.size(), 1U);
  EXPECT_FALSE(cell.concerns_held);
  const WorkspaceBound& wall = model.workspace[3];
  EXPECT_NEAR((wall.X_WO.rotation * Vector3::UnitZ() - Vector3(-1, 0, 0)).norm(), 0.0, 1e-12);
  EXPECT_EQ(wall.links, std::vector<std::size_t>{find_link(model, "hand")});
  ASSERT_EQ(wall.points.size(), 1U) << "a link without shapes is its origin";
  EXPECT_EQ(wall.points[0].name, "upper");
  EXPECT_TRUE(model.workspace[4].links.empty());
  EXPECT_TRUE(model.workspace[4].points.empty()) << "the pen is on the hand";
}

TEST(RobotYamlTest, RefusesBoundsThatMeanNothing) {
  const auto refused = [](const std::string& workspace) {
    RobotModel model = arm_model();
    return refusal_of("urdf: arm.urdf\nworkspace: " + workspace, model);
  };
  EXPECT_EQ(refused("{keep_out: [{name: a}]}"),
            "robot.yaml:2: a box without 'size'; write its sides as size: [x, y, z] in metres");
  EXPECT_EQ(refused("{keep_out: [{name: a, size: [1, 0, 1]}]}"),
            "robot.yaml:2: 'size' has a side that is not above zero; write its sides in metres");
  EXPECT_EQ(refused("{planes: [{name: a, normal: [0, 0, 0]}]}"),
            "robot.yaml:2: 'normal' has no length; write the direction in which the robot may be");
  EXPECT_EQ(refused("{planes: [{name: a}, {name: a}]}"),
            "robot.yaml:2: bound 'a' stands twice; give each its own name");
  EXPECT_EQ(refused("{planes: [{name: a, of: [hund]}]}"),
            "robot.yaml:2: there is no link 'hund' (did you mean 'hand'?); the links are those of the URDF");
  EXPECT_EQ(refused("{planes: [{name: a, of: [hand], except: [upper]}]}"),
            "robot.yaml:2: both 'of' and 'except' are given; keep one of them");
  EXPECT_NE(refused("{plane: [{name: a}]}").find("planes"), std::string::npos);
  EXPECT_NE(refused("{planes: [{name: a, size: [1, 1, 1]}]}").find("size"), std::string::npos);
  EXPECT_EQ(refused("{planes: [{name: floor-of-the-whole-hall}]}"),
            "robot.yaml:2: the name 'floor-of-the-whole-hall' is too long; use at most 16 letters");
}

TEST(RobotYamlTest, KeepsTheDriversSectionAsItIs) {
  const auto root = parse_yaml("urdf: r.urdf\ndriver:\n  kind: pmac\n  axes: [X, {name: Y}]\n", "robot.yaml");
  ASSERT_TRUE(root);
  const auto settings = read_robot_settings(*root);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->driver, (Settings{{"kind", "pmac"}, {"axes.0", "X"}, {"axes.1.name", "Y"}}));
}

constexpr const char* kCoupled = R"(urdf: arm.urdf
actuation:
  actuators:
    - {name: m1, joints: {shoulder: 1}, counts_per_deg: 10, offset_counts: 100}
    - {name: m2, joints: {shoulder: 1, elbow: 1}, encoder: 500, gear: 100, ticks: 4, direction: -1}
    - {name: m3, joints: {slide: 1}, counts_per_m: 2000}
)";

TEST(RobotYamlTest, CountsAsTheCoupledMotorsDo) {
  RobotModel model = arm_model();
  ASSERT_EQ(refusal_of(kCoupled, model), "");
  const std::vector<double> q{30 * kYamlDegree, -10 * kYamlDegree, 0.2};
  const Eigen::VectorXd counts = actuator_counts(model, q);
  EXPECT_NEAR(counts[0], 400.0, 1e-9);
  EXPECT_NEAR(counts[1], -200000.0 * 20.0 / 360.0, 1e-7);
  EXPECT_NEAR(counts[2], 400.0, 1e-9);
  const Eigen::VectorXd back = joint_positions(model, {counts.data(), 3});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(back[i], q[static_cast<std::size_t>(i)], 1e-14);
}

TEST(RobotYamlTest, TakesTheInverseOfACouplingAsWell) {
  RobotModel model = arm_model();
  const std::string text = R"(urdf: arm.urdf
actuation:
  actuators:
    - {name: m1, counts_per_rad: 2}
    - {name: m2, counts_per_rad: 2}
    - {name: m3, counts_per_m: 1}
  inverse: {shoulder: {m1: 0.5, m2: 0.5}, elbow: {m1: 0.5, m2: -0.5}, slide: {m3: 1}}
)";
  ASSERT_EQ(refusal_of(text, model), "");
  const std::vector<double> counts{2, 4, 7};
  const Eigen::VectorXd q = joint_positions(model, counts);
  EXPECT_DOUBLE_EQ(q[0], 1.5);
  EXPECT_DOUBLE_EQ(q[1], -0.5);
  EXPECT_DOUBLE_EQ(model.actuation->coupling(0, 1), 1.0);
  EXPECT_DOUBLE_EQ(model.actuation->coupling(1, 1), -1.0);
}

constexpr const char* kReferenceArm = R"(<robot name="arm">
  <link name="base_link"/><link name="upper"/><link name="fore"/><link name="flange"/>
  <link name="finger_left"/><link name="finger_right"/>
  <joint name="shoulder" type="revolute"><parent link="base_link"/><child link="upper"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/></joint>
  <joint name="slide" type="prismatic"><parent link="fore"/><child link="flange"/>
    <limit lower="0" upper="0.5" velocity="1" effort="1"/></joint>
  <joint name="finger" type="prismatic"><parent link="flange"/><child link="finger_left"/>
    <limit lower="0" upper="0.05" velocity="1" effort="1"/></joint>
  <joint name="right" type="fixed"><parent link="flange"/><child link="finger_right"/></joint>
</robot>)";

TEST(RobotYamlTest, TakesWhatItsReferencePageShows) {
  const auto scorbot = load_robot("scorbot-er3");
  ASSERT_TRUE(scorbot);
  const auto page = read_text_file(scorbot->urdf.parent_path() / "../../docs/reference/robot_yaml.md");
  ASSERT_TRUE(page) << page.error().message;
  const std::size_t begin = page->find("```yaml\n") + 8;
  const std::string example = page->substr(begin, page->find("```", begin) - begin);
  auto arm = read_urdf_text(kReferenceArm, "arm.urdf");
  ASSERT_TRUE(arm);
  EXPECT_EQ(refusal_of(example, arm->model), "");
  EXPECT_TRUE(arm->model.actuation);
  EXPECT_EQ(arm->model.arms[0].tools[0].name, "pen");
}

struct BadYaml {
  const char* name;
  const char* text;
  const char* expected;
};

const BadYaml kBadYamls[] = {
    {"Empty", "", "robot.yaml: it is empty"},
    {"NotYaml", "urdf: [r.urdf", "is not YAML"},
    {"NotAMap", "- urdf", "is a list, not a map"},
    {"NoUrdf", "home: {}", "'urdf' is missing"},
    {"UnknownKey", "urdf: r\n\nhoem: {}\n",
     "robot.yaml:3: the key 'hoem' is not known (did you mean 'home'?)"},
    {"KeyTwice", "urdf: r\nurdf: s\n", "robot.yaml:2: 'urdf' stands twice; the first is in line 1"},
    {"Anchors", "urdf: &a r\nhome: *a\n", "anchors and aliases are not read"},
    {"Laughs", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", "anchors and aliases are not read"},
    {"TooDeep", "urdf: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n",
     "nested more than 32"},
    {"KeyNoText", "urdf: r\n? [a, b]\n: c\n", "a key must be plain text"},
    {"UnknownJoint", "urdf: r\nhome: {sholder: 0}", "did you mean 'shoulder'?"},
    {"HomeOfAFixedJoint", "urdf: r\nhome: {mount: 0}", "has no position of its own"},
    {"HomeNotANumber", "urdf: r\nhome: {shoulder: .nan}", "not a finite number"},
    {"HomeOutside", "urdf: r\nhome: {shoulder: 2.5}",
     "'home' puts joint 'shoulder' at 143.2 deg: its limits are -114.6 deg to 114.6 deg"},
    {"SlideInDegrees", "urdf: r\nhome_deg: {slide: 1}", "it has no degrees"},
    {"UnknownLimit", "urdf: r\nlimits: {shoulder: {velocty: 1}}", "did you mean 'velocity'?"},
    {"LimitTwice", "urdf: r\nlimits: {shoulder: {velocity: 1, velocity_deg: 1}}",
     "both 'velocity' and 'velocity_deg'"},
    {"LimitWithoutSense", "urdf: r\nlimits:\n  shoulder: {acceleration_deg: 1e308}",
     "robot.yaml:3: 'acceleration_deg' is '1e308': more than 1e+09 is no limit"},
    {"LimitFarAway", "urdf: r\nlimits: {shoulder: {lower: -1e300}}", "no limit of a robot"},
    {"LimitZero", "urdf: r\nlimits: {shoulder: {jerk: 0}}", "not above zero"},
    {"LimitsReversed", "urdf: r\nlimits: {shoulder: {lower: 1, upper: -1}}", "lower limit 57.3 deg above"},
    {"LimitOfContinuous", "urdf: r\nlimits: {elbow: {lower: 1}}", "turns without end"},
    {"AliasTaken", "urdf: r\naliases: {shoulder: elbow}", "names a joint already"},
    {"ArmWithoutTip", "urdf: r\narms: [{name: a, base: base}]", "'tip' is missing"},
    {"ArmAtNoLink", "urdf: r\narms: [{name: a, base: base, tip: hnad}]", "did you mean 'hand'?"},
    {"ArmAcross", "urdf: r\narms: [{name: a, base: lamp, tip: hand}]", "does not hang on its base 'lamp'"},
    {"ArmStiff", "urdf: r\narms: [{name: a, base: base, tip: lamp}]", "has no joint that moves"},
    {"ArmTwice", "urdf: r\narms: [{name: a, base: base, tip: hand}, {name: a, base: base, tip: fore}]",
     "arm 'a' stands twice"},
    {"ToolOfTwo", "urdf: r\narms: [{name: a, base: base, tip: hand, tools: [{name: t, xyz: [0, 1]}]}]",
     "not three numbers"},
    {"PairOfOne", "urdf: r\nignored_pairs: [{a: lamp, b: lamp, reason: x}]", "against itself"},
    {"TooFewActuators", "urdf: r\nactuation: {actuators: [{name: m, joints: {elbow: 1}, counts_per_rad: 1}]}",
     "there are 1 actuators for 3 joints"},
    {"NoScale", "urdf: r\nactuation: {actuators: [{name: a, joints: {elbow: 1}}, {name: b}, {name: c}]}",
     "has no scale"},
    {"TwoScales",
     "urdf: r\nactuation: {actuators: [{name: a, counts_per_rad: 1, counts_per_deg: 1}, {name: b}, {name: "
     "c}]}",
     "more than one scale"},
    {"Singular",
     "urdf: r\nactuation: {actuators: [{name: a, joints: {elbow: 1}, counts_per_rad: 1}, {name: b, joints: "
     "{elbow: "
     "2}, counts_per_rad: 1}, {name: c, joints: {slide: 1}, counts_per_m: 1}]}",
     "cannot be inverted"},
    {"OffsetTooLarge",
     "urdf: r\nactuation: {actuators: [{name: a, joints: {elbow: 1}, counts_per_rad: 1, offset_counts: "
     "1e15}, {name: "
     "b, joints: {shoulder: 1}, counts_per_rad: 1}, {name: c, joints: {slide: 1}, counts_per_m: 1}]}",
     "joints to counts and back is off by"},
    {"InputBeyond", "urdf: r\nio: {inputs: {door: 64}}", "write the device's number of it, 0 to 63"},
    {"AnalogBeyond", "urdf: r\nio: {analog_inputs: {p: 16}}", "0 to 15"},
    {"InputOfAHalf", "urdf: r\nio: {inputs: {door: 0.5}}", "'door' is 0.5"},
    {"InputOfNumber", "urdf: r\nio: {inputs: {7: 1}}", "'7' is no name"},
    {"InputTwiceNumbered", "urdf: r\nio: {inputs: {door: 1, gate: 1}}",
     "'door' and 'gate' have the number 1"},
    {"OutputOnStop", "urdf: r\nio: {outputs: {arc: {number: 1, on_stop: of}}}", "'on_stop' is 'of'"},
    {"OutputWithoutNumber", "urdf: r\nio: {outputs: {arc: {on_stop: off}}}", "'arc' has no 'number'"},
    {"GripperOfNothing", "urdf: r\ngrippers: {hand: {speed: 1}}", "has none of 'joints' and 'output'"},
    {"GripperOutput", "urdf: r\nio: {outputs: {cup: 1}}\ngrippers: {hand: {output: cap}}",
     "there is no output 'cap' (did you mean 'cup'?)"},
    {"GripperWidth", "urdf: r\ngrippers: {hand: {joints: [slide], open: 0.1, closed: 0}}", "has no 'width'"},
    {"GripperWidthReversed",
     "urdf: r\ngrippers: {hand: {joints: [slide], open: 0.1, closed: 0, width: [0.1, 0]}}",
     "write the smaller one first"},
    {"GripperBeyondLimits",
     "urdf: r\ngrippers: {hand: {joints: [slide], open: 0.6, closed: 0, width: [0, 1]}}",
     "gripper 'hand' puts joint 'slide' at 600.0 mm: its limits are 0.0 mm to 500.0 mm"},
    {"GripperEnds", "urdf: r\ngrippers: {hand: {joints: [slide], open: [0, 1], closed: 0, width: [0, 1]}}",
     "'open' has 2 numbers for 1 joints"},
    {"SwitchOfNothing", "urdf: r\nhoming: [{joint: sholder, switch: 0}]", "did you mean 'shoulder'?"},
    {"SwitchWithoutWidth", "urdf: r\nhoming: [{joint: shoulder, switch: 0, speed: 0.1, latch_speed: 0.1}]",
     "the switch of joint 'shoulder' has no 'width'"},
    {"SwitchTwice",
     "urdf: r\nhoming: [{joint: shoulder, switch: 0, switch_deg: 0, width: 0.1, speed: 0.1, latch_speed: "
     "0.1}]",
     "has two of 'switch'"},
    {"SwitchOfDegrees", "urdf: r\nhoming: [{joint: slide, switch_deg: 0}]", "slides: it has no degrees"},
    {"SwitchOfNoWidth",
     "urdf: r\nhoming: [{joint: shoulder, switch: 0, width: 0, speed: 0.1, latch_speed: 0.1}]",
     "are not all above zero"},
    {"SwitchTooFast",
     "urdf: r\nhoming: [{joint: shoulder, switch: 0, width: 0.1, speed: 0.1, latch_speed: 0.2}]",
     "joint 'shoulder' is too fast for its switch"},
    {"SwitchBeyond",
     "urdf: r\nhoming: [{joint: slide, switch: 0.49, width: 0.1, speed: 0.01, latch_speed: 0.01}]",
     "the switch of joint 'slide' is closed from 490.0 mm to 590.0 mm"},
    {"TwoSwitches",
     "urdf: r\nhoming: [{joint: slide, switch: 0.1, width: 0.1, speed: 0.01, latch_speed: 0.01}, {joint: "
     "slide, switch: 0.2, width: 0.1, speed: 0.01, latch_speed: 0.01}]",
     "joint 'slide' has two switches"},
};

TEST(RobotYamlTest, SwitchesStandInTheOrderOfTheSearch) {
  RobotModel model = arm_model();
  ASSERT_EQ(refusal_of(R"(urdf: arm.urdf
homing:
  - {joint: slide, switch: 0.1, width: 0.01, speed: 0.02, latch_speed: 0.001}
  - {joint: shoulder, switch_deg: -10, width_deg: 5, speed_deg: 8, latch_speed: 0.02}
)",
                       model),
            "");
  ASSERT_EQ(model.homing.size(), 2U);
  EXPECT_EQ(model.homing[0].position, model.joints[find_joint(model, "slide")].position);
  EXPECT_EQ(model.homing[0].edge, 0.1);
  EXPECT_EQ(model.homing[0].speed, 0.02);
  EXPECT_EQ(model.homing[1].position, model.joints[find_joint(model, "shoulder")].position);
  EXPECT_DOUBLE_EQ(model.homing[1].edge, -10 * kYamlDegree);
  EXPECT_DOUBLE_EQ(model.homing[1].width, 5 * kYamlDegree);
  EXPECT_EQ(model.homing[1].latch_speed, 0.02);
  EXPECT_TRUE(arm_model().homing.empty());
}

TEST(RobotYamlTest, NamesInputsAndOutputs) {
  RobotModel model = arm_model();
  ASSERT_EQ(refusal_of(R"(urdf: arm.urdf
io:
  inputs: {door: 0, part: 5}
  analog_inputs: {pressure: 0}
  outputs: {lamp: 2, arc: {number: 3, on_stop: off}}
  analog_outputs: {wire: {number: 1, on_stop: hold}}
)",
                       model),
            "");
  const IoPort* part = find_port(model.inputs, "part", false);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->number, 5U);
  EXPECT_EQ(find_port(model.inputs, "5", false), part) << "by its number, too";
  EXPECT_EQ(find_port(model.inputs, "part", true), nullptr);
  EXPECT_NE(find_port(model.inputs, "pressure", true), nullptr);
  EXPECT_FALSE(find_port(model.outputs, "lamp", false)->is_off_at_stop);
  EXPECT_TRUE(find_port(model.outputs, "arc", false)->is_off_at_stop);
  EXPECT_FALSE(find_port(model.outputs, "wire", true)->is_off_at_stop);
}

TEST(RobotYamlTest, AGrippersJointsGoLinearlyWithItsWidth) {
  RobotModel model = arm_model();
  ASSERT_EQ(refusal_of(R"(urdf: arm.urdf
io: {outputs: {cup: 4}}
grippers:
  hand: {joints: [slide, shoulder], open: [0.2, -1], closed: [0.1, 1], width: [0.01, 0.05], speed: 0.1, force: 40}
  vacuum: {output: cup, time: 0.3}
)",
                       model),
            "");
  ASSERT_EQ(model.grippers.size(), 2U);
  const Gripper& hand = model.grippers[0];
  ASSERT_EQ(hand.joints.size(), 2U);
  for (const auto& [width, slide, shoulder] : {std::array{0.01, 0.1, 1.0},
                                               {0.05, 0.2, -1.0},
                                               {0.03, 0.15, 0.0},
                                               {0.0, 0.1, 1.0},
                                               {1.0, 0.2, -1.0}}) {
    EXPECT_NEAR(gripper_position(hand, hand.joints[0], width), slide, 1e-12) << width;
    EXPECT_NEAR(gripper_position(hand, hand.joints[1], width), shoulder, 1e-12) << width;
  }
  EXPECT_EQ(hand.speed, 0.1);
  EXPECT_EQ(hand.force, 40.0);
  EXPECT_EQ(model.outputs[model.grippers[1].output].name, "cup");
  EXPECT_EQ(model.grippers[1].time, 0.3);
}

TEST(RobotYamlTest, RefusesEachMistakeWithOneClearError) {
  for (const BadYaml& bad : kBadYamls) {
    RobotModel model = arm_model();
    const std::string message = refusal_of(bad.text, model);
    EXPECT_NE(message.find(bad.expected), std::string::npos) << bad.name << ": " << message;
    EXPECT_TRUE(message.starts_with("robot.yaml")) << bad.name << ": " << message;
  }
}

}  // namespace
}  // namespace sinew

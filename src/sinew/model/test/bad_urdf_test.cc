// SPDX-License-Identifier: BSD-3-Clause
// Small URDFs with one thing wrong each: errors refuse the file, remarks read it and tell.
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/urdf.h"

namespace sinew {
namespace {

struct BadUrdf {
  std::string name;
  std::string text;
  std::string expected;  // part of the message
};

void PrintTo(const BadUrdf& bad, std::ostream* out) {  // NOLINT: the name is GoogleTest's
  *out << bad.name;
}

std::string robot(const std::string& inside) {
  return "<robot name=\"r\">" + inside + "</robot>";
}

// Links a and b with a joint between them; `inside` stands in the joint.
std::string two(const std::string& inside, const std::string& type = "revolute") {
  return robot("<link name='a'/><link name='b'/><joint name='j' type='" + type +
               "'><parent link='a'/><child link='b'/>" + inside + "</joint>");
}

std::string link(const std::string& inside) {
  return robot("<link name='a'>" + inside + "</link>");
}

std::string shape(const std::string& geometry) {
  return link("<collision><geometry>" + geometry + "</geometry></collision>");
}

std::string inertial(const std::string& inside) {
  return link("<inertial>" + inside + "</inertial>");
}

std::string joint(const std::string& name, const std::string& from, const std::string& to,
                  const std::string& inside = "") {
  return "<joint name='" + name + "' type='continuous'><parent link='" + from + "'/><child link='" + to +
         "'/>" + inside + "</joint>";
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string many_joints(int count) {
  std::string inside = "<link name='l0'/>";
  for (int i = 0; i < count; ++i) {
    inside += "<link name='l" + std::to_string(i + 1) + "'/>" +
              joint("j" + std::to_string(i), "l" + std::to_string(i), "l" + std::to_string(i + 1));
  }
  return robot(inside);
}

const std::string kLimit = "<limit lower='-1' upper='1' velocity='1' effort='1'/>";
const std::string kAbc = "<link name='a'/><link name='b'/><link name='c'/>";

const std::vector<BadUrdf> kErrors{
    {"Empty", "", "there is no XML in it"},
    {"OnlyAComment", "<!-- nothing -->", "there is no element in it"},
    {"NotXml", "solid cube", "not XML"},
    {"BrokenOff", "<robot name='r'><link name='a'>", "an element is closed by another's end|ends within"},
    {"WrongEnd", "<robot name='r'><link name='a'></joint></robot>", "closed by another's end"},
    {"AttributeTwice", "<robot name='r' name='s'/>", "attribute"},
    {"TwoRoots", "<robot name='r'><link name='a'/></robot><robot name='s'/>", "second root element"},
    {"ZeroByte", std::string("<robot name='r'>\0</robot>", 24), "not UTF-8"},
    {"NotUtf8", "<robot name='\xff\xfe'/>", "not UTF-8"},
    {"BillionLaughs",
     "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol1 \"&lol;&lol;&lol;\">]><robot name='&lol1;'/>",
     "document types and entities"},
    {"ExternalEntity", "<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><robot name='r'/>",
     "document types and entities"},
    {"HugeNesting", repeated("<robot>", 5000) + repeated("</robot>", 5000), "nested more than 100 deep"},
    {"NoRobot", "<model name='r'/>", "is <model>, not <robot>"},
    {"Sdf", "<sdf version='1.6'/>", "this is SDF"},
    {"NoRobotName", "<robot><link name='a'/></robot>", "<robot> has no 'name'"},
    {"NoLinks", robot(""), "the robot has no links"},
    {"LinkWithoutName", robot("<link/>"), "<link> has no 'name'"},
    {"LinkTwice", robot("<link name='a'/><link name='a'/>"), "link 'a' stands twice"},
    {"JointWithoutName", robot("<link name='a'/><joint type='fixed'/>"), "<joint> has no 'name'"},
    {"JointTwice", robot(kAbc + joint("j", "a", "b") + joint("j", "b", "c")), "joint 'j' stands twice"},
    {"JointWithoutType", robot("<link name='a'/><joint name='j'/>"), "<joint> has no 'type'"},
    {"UnknownType", two("", "revolut"), "did you mean 'revolute'?"},
    {"NoParent", robot("<link name='a'/><joint name='j' type='fixed'><child link='a'/></joint>"),
     "has no <parent>"},
    {"NoChild", robot("<link name='a'/><joint name='j' type='fixed'><parent link='a'/></joint>"),
     "has no <child>"},
    {"ParentWithoutLink",
     robot("<link name='a'/><joint name='j' type='fixed'><parent/><child link='a'/></joint>"),
     "<parent> has no 'link'"},
    {"MissingParentLink", robot("<link name='base'/>" + joint("j", "bace", "base")), "did you mean 'base'?"},
    {"MissingChildLink", robot("<link name='a'/>" + joint("j", "a", "ghost")), "'ghost', which is not there"},
    {"TiedToItself", robot("<link name='a'/>" + joint("j", "a", "a")), "to itself"},
    {"TwoParents", robot(kAbc + joint("j", "a", "b") + joint("k", "a", "c") + joint("l", "c", "b")),
     "hangs on two joints, 'j' and 'l'"},
    {"AllInACircle", robot(kAbc + joint("j", "a", "b") + joint("k", "b", "c") + joint("l", "c", "a")),
     "there is no root"},
    {"CircleBesideARoot", robot(kAbc + joint("j", "b", "c") + joint("k", "c", "b")), "part of a circle"},
    {"SeveralRoots", robot(kAbc + joint("j", "a", "b")), "there are two roots: the links 'a' and 'c'"},
    {"AxisNotANumber", two("<axis xyz='nan 0 1'/>" + kLimit), "not three finite numbers"},
    {"AxisOfTwo", two("<axis xyz='0 1'/>" + kLimit), "not three finite numbers"},
    {"OriginInfinite", two("<origin xyz='0 inf 0'/>" + kLimit), "not three finite numbers"},
    {"OriginWithComma", two("<origin xyz='0,0,1'/>" + kLimit), "not three finite numbers"},
    {"OriginOfFour", two("<origin xyz='0 0 1 2'/>" + kLimit), "not three finite numbers"},
    {"LimitNotANumber", two("<limit lower='NaN' upper='1' velocity='1' effort='1'/>"), "not a finite number"},
    {"LimitOverflows", two("<limit lower='0' upper='1e999' velocity='1' effort='1'/>"),
     "not a finite number"},
    {"LimitWithUnit", two("<limit lower='0' upper='90deg' velocity='1' effort='1'/>"), "not a finite number"},
    {"BoxWithoutSize", shape("<box/>"), "<box> has no 'size'"},
    {"BoxNegative", shape("<box size='1 -1 1'/>"), "less than zero"},
    {"SphereNegative", shape("<sphere radius='-1'/>"), "less than zero"},
    {"SphereNotANumber", shape("<sphere radius='big'/>"), "not a finite number"},
    {"CylinderWithoutLength", shape("<cylinder radius='1'/>"), "<cylinder> has no 'length'"},
    {"MeshWithoutFile", shape("<mesh/>"), "<mesh> has no 'filename'"},
    {"MeshScaleZero", shape("<mesh filename='x.stl' scale='1 0 1'/>"), "has a zero in it"},
    {"MassNegative", inertial("<mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/>"), "the mass is -1 kg"},
    {"MassNotANumber", inertial("<mass value='heavy'/><inertia ixx='1' iyy='1' izz='1'/>"),
     "not a finite number"},
    {"InertiaNotANumber", inertial("<mass value='1'/><inertia ixx='nan' iyy='1' izz='1'/>"),
     "not a finite number"},
    {"ColourOfThree", robot("<material name='m'><color rgba='1 0 0'/></material><link name='a'/>"),
     "not four numbers"},
    {"TooManyLinks", robot(repeated("<link name='a'/>", 5000)), "5000 links, more than 4096"},
    {"TooManyElements", robot(repeated("<gazebo/>", 100'001)), "more than 100000 elements"},
};

const std::vector<BadUrdf> kOddities{
    {"AxisNotUnit", two("<axis xyz='0 0 2'/>" + kLimit), "has the length 2 and is taken as 0 0 1"},
    {"LimitsInDegrees", two("<limit lower='-90' upper='90' velocity='1' effort='1'/>"), "look like degrees"},
    {"VelocityInDegrees", two("<limit lower='-1' upper='1' velocity='180' effort='1'/>"),
     "looks like degrees"},
    {"VelocityZero", two("<limit lower='-1' upper='1' velocity='0' effort='1'/>"), "velocity limit zero"},
    {"LimitsEqual", two("<limit lower='0' upper='0' velocity='1' effort='1'/>"), "cannot move"},
    {"NoLimit", two(""), "has no <limit> and is taken as unlimited"},
    {"LimitMisspelled", two("<limits lower='0' upper='1'/>" + kLimit), "did you mean 'limit'?"},
    {"LowerMisspelled", two("<limit lover='0' upper='1' velocity='1' effort='1'/>"), "did you mean 'lower'?"},
    {"SlideInMillimetres", two("<limit lower='0' upper='500' velocity='1' effort='1'/>", "prismatic"),
     "look like millimetres"},
    {"OriginInMillimetres", two("<origin xyz='0 0 340'/>" + kLimit), "looks like millimetres"},
    {"TurnedInDegrees", two("<origin rpy='0 0 90'/>" + kLimit), "looks like degrees"},
    {"FloatingRoot", two("", "floating"), "is taken as fixed"},
    {"LeftoverXacro", robot("<xacro:include filename='x.xacro'/><link name='a'/>"), "is passed over"},
    {"LeftoverXacroWithin", link("<xacro:insert_block name='origin'/>"), "is passed over"},
    {"ZeroAxis", two("<axis xyz='0 0 0'/>" + kLimit), "has no direction; the joint is taken as fixed"},
    {"LimitsReversed", two("<limit lower='1' upper='-0.5' velocity='1' effort='1'/>"),
     "lower limit 1 above its upper limit -0.5 and is taken to go from -0.5 to 1"},
    {"VelocityNegative", two("<limit lower='0' upper='1' velocity='-1' effort='1'/>"),
     "'velocity' of joint 'j' is -1, less than zero, and is taken as not known"},
    {"EffortNegative", two("<limit lower='0' upper='1' velocity='1' effort='-5'/>"),
     "'effort' of joint 'j' is -5, less than zero, and is taken as not known"},
    {"LimitsWithoutEnds", two("<limit velocity='1' effort='1'/>"),
     "says no range, and it is taken as unlimited"},
    {"DampingNegative", two("<dynamics damping='-1'/>" + kLimit),
     "has the damping -1 and the friction 0: what is less than zero is taken as zero"},
    {"FloatingInTheMiddle",
     robot(kAbc + joint("j", "a", "b") +
           "<joint name='k' type='floating'><parent link='b'/><child link='c'/></joint>"),
     "'k' floats or slides in the middle of the robot and is taken as fixed"},
    {"PlanarInTheMiddle",
     robot(kAbc + joint("j", "a", "b") +
           "<joint name='k' type='planar'><parent link='b'/><child link='c'/></joint>"),
     "floats or slides in the middle"},
    {"MimicOfNobody", two("<mimic joint='knee'/>" + kLimit),
     "mimics 'knee', which is not there, and is taken to move by itself"},
    {"MimicOfItself", two("<mimic joint='j'/>" + kLimit), "mimics itself and is taken to move by itself"},
    {"MimicsInACircle",
     robot(kAbc + joint("j", "a", "b", "<mimic joint='k'/>") + joint("k", "a", "c", "<mimic joint='j'/>")),
     "mimics itself"},
    {"MimicOfAFixedJoint",
     robot(kAbc + joint("j", "a", "b", "<mimic joint='k' offset='0.5'/>") +
           "<joint name='k' type='fixed'><parent link='a'/><child link='c'/></joint>"),
     "which is fixed, and is held at 0.5"},
    {"TooManyJoints", many_joints(66),
     "66 joints that move, more than 64: 2 of them are not enabled and are held where the description puts "
     "them: "},
    {"MeshMissing", shape("<mesh filename='package://nowhere/arm.stl'/>"),
     "the mesh 'package://nowhere/arm.stl' is missing"},
    {"BoxFlat", shape("<box size='1 1 0'/>"), "has no extent"},
    {"CapsuleUnknown", shape("<capsule radius='1' length='1'/>"), "<capsule> is not known"},
    {"NoGeometry", link("<visual/>"), "has no shape"},
    {"MaterialUndefined",
     link("<visual><geometry><box size='1 1 1'/></geometry><material name='gold'/></visual>"),
     "'gold' is defined nowhere"},
    {"ColourTo255", robot("<material name='m'><color rgba='255 0 0 1'/></material><link name='a'/>"),
     "cut to 0 to 1"},
    {"MassZero", inertial("<mass value='0'/><inertia ixx='1' iyy='1' izz='1'/>"), "the mass is zero"},
    {"MassInGrams", inertial("<mass value='12000'/><inertia ixx='1' iyy='1' izz='1'/>"), "looks like grams"},
    {"InertiaNegative", inertial("<mass value='1'/><inertia ixx='1' iyy='1' izz='-1'/>"),
     "principal moment of -1"},
    {"InertiaNoTriangle", inertial("<mass value='1'/><inertia ixx='1' iyy='1' izz='3'/>"), "triangle rule"},
    {"InertiaMissing", inertial("<mass value='1'/>"), "has no <inertia>"},
    {"TagUnknown", robot("<link name='a'/><lnik name='b'/>"), "did you mean 'link'?"},
    {"NameWithBlanks", robot("<link name='upper arm'/>"), "has blanks in it"},
    {"FixedMimic",
     robot("<link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/>"
           "<child link='b'/><mimic joint='j'/></joint>"),
     "is fixed and mimics nothing"},
};

bool says(const std::string& message, const std::string& expected) {
  const std::size_t bar = expected.find('|');
  if (bar == std::string::npos) return message.find(expected) != std::string::npos;
  return says(message, expected.substr(0, bar)) || says(message, expected.substr(bar + 1));
}

class BadUrdfTest : public testing::TestWithParam<BadUrdf> {};

TEST_P(BadUrdfTest, IsRefusedWithOneClearError) {
  const auto read = read_urdf_text(GetParam().text, "bad.urdf");
  ASSERT_FALSE(read);
  EXPECT_TRUE(says(read.error().message, GetParam().expected)) << read.error().message;
  EXPECT_TRUE(read.error().message.starts_with("bad.urdf")) << read.error().message;
}

class OddUrdfTest : public testing::TestWithParam<BadUrdf> {};

TEST_P(OddUrdfTest, IsReadWithOneRemark) {
  const auto read = read_urdf_text(GetParam().text, "odd.urdf");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->remarks.size(), 1U);
  const std::string text = remark_text(read->remarks[0]);
  EXPECT_TRUE(says(text, GetParam().expected)) << text;
  EXPECT_TRUE(text.starts_with("odd.urdf:1: ")) << text;
  EXPECT_FALSE(read->remarks[0].remedy.empty());
}

std::string name_of(const testing::TestParamInfo<BadUrdf>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(All, BadUrdfTest, testing::ValuesIn(kErrors), name_of);
INSTANTIATE_TEST_SUITE_P(All, OddUrdfTest, testing::ValuesIn(kOddities), name_of);

}  // namespace
}  // namespace sinew

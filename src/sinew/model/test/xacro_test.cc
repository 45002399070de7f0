// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/xacro.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "sinew/model/expression.h"
#include "sinew/model/urdf.h"

namespace sinew {
namespace {

std::string evaluated(const std::string& expression) {
  const NameLookup lookup = [](std::string_view name) -> Result<std::optional<ExpressionValue>> {
    if (name == "two") return std::optional<ExpressionValue>(2.0);
    if (name == "word") return std::optional<ExpressionValue>("abc");
    return std::optional<ExpressionValue>{};
  };
  const auto value = evaluate(expression, lookup);
  return value ? value_text(*value) : "refused: " + value.error().message;
}

TEST(ExpressionTest, KnowsListsAndMaps) {
  EXPECT_EQ(evaluated("[1, two, 'x'][1]"), "2");
  EXPECT_EQ(evaluated("[1, 2, 3][-1]"), "3");
  EXPECT_EQ(evaluated("{'a': 1, 'b': {'c': [4, 5]}}['b']['c'][0]"), "4");
  EXPECT_EQ(evaluated("{'a': {'b': 7}}.a.b + 1"), "8");
  EXPECT_EQ(evaluated("len([1, 2]) + len({'a': 1}) + len('abc')"), "6");
  EXPECT_EQ(evaluated("'b' in {'b': 1} and 2 in [1, 2] and not 'z' in 'abc'"), "True");
  EXPECT_EQ(evaluated("[1, 'a', [True]]"), "[1, 'a', [True]]");
  EXPECT_EQ(evaluated("{'k': 0.5}"), "{'k': 0.5}");
  EXPECT_EQ(evaluated("1 if [] else 2"), "2");
  EXPECT_EQ(evaluated("[1, 2][2]"), "refused: the list has no item 2: it has 2");
  EXPECT_EQ(evaluated("{'a': 1}.b"), "refused: the map has no 'b'");
  EXPECT_EQ(evaluated("two.x"), "refused: '2' is neither a list nor a map");
  EXPECT_EQ(evaluated("[1] + 2"), "refused: the list or map '[1]' is not a number");
  EXPECT_EQ(evaluated("[1, 2"), "refused: ',' is missing");
  EXPECT_NE(evaluated(std::string(40, '[') + std::string(40, ']')).find("32 deep"), std::string::npos);
}

TEST(ExpressionTest, CountsAsPythonDoes) {
  EXPECT_EQ(evaluated("1 + 2 * 3"), "7");
  EXPECT_EQ(evaluated("(1 + 2) * 3"), "9");
  EXPECT_EQ(evaluated("-2 ** 2"), "-4");
  EXPECT_EQ(evaluated("2 ** 3 ** 2"), "512");
  EXPECT_EQ(evaluated("2 ** -1"), "0.5");
  EXPECT_EQ(evaluated("7 // 2"), "3");
  EXPECT_EQ(evaluated("-7 % 3"), "2");
  EXPECT_EQ(evaluated("1e3 + .5"), "1000.5");
  EXPECT_EQ(evaluated("two / 4"), "0.5");
  EXPECT_EQ(evaluated("1 < 2 and not 3 == 4"), "True");
  EXPECT_EQ(evaluated("0 or 'b'"), "b");
  EXPECT_EQ(evaluated("'yes' if two > 1 else 'no'"), "yes");
  EXPECT_EQ(evaluated("'a' + word + \"d\""), "aabcd");
  EXPECT_EQ(evaluated("word == 'abc'"), "True");
  EXPECT_EQ(evaluated("word != 3"), "True");
  EXPECT_EQ(evaluated("max(1, two, -3) + min(4, 5)"), "6");
  EXPECT_EQ(evaluated("math.sqrt(9)"), "3");
  EXPECT_EQ(evaluated("float('2.5') * 2"), "5");
  EXPECT_NEAR(std::stod(evaluated("sin(radians(30)) + pi")), 0.5 + std::numbers::pi, 1e-12);
}

TEST(ExpressionTest, RefusesWhatHasNoValue) {
  EXPECT_EQ(evaluated(""), "refused: a value is missing");
  EXPECT_EQ(evaluated("1 +"), "refused: a value is missing");
  EXPECT_EQ(evaluated("1 / 0"), "refused: it divides by zero");
  EXPECT_EQ(evaluated("sqrt(-1)"), "refused: the result is not a finite number");
  EXPECT_EQ(evaluated("10 ** 999"), "refused: the result is not a finite number");
  EXPECT_EQ(evaluated("three"), "refused: 'three' is not defined");
  EXPECT_EQ(evaluated("word * 2"), "refused: the text 'abc' is not a number");
  EXPECT_EQ(evaluated("(1"), "refused: ')' is missing");
  EXPECT_EQ(evaluated("'a"), "refused: a quote is not closed");
  EXPECT_EQ(evaluated("1 2"), "refused: '2' is not understood");
  EXPECT_EQ(evaluated("system('rm')"), "refused: the text 'rm' is not a number");
  EXPECT_EQ(evaluated("sin(1, 2)"), "refused: 'sin' takes 1 values, not 2");
  EXPECT_EQ(evaluated(std::string(5000, '(')), "refused: it is nested more than 50 deep");
  EXPECT_EQ(evaluated(std::string(20000, '1')), "refused: the expression is too long");
}

std::string expanded(const std::string& inside, const XacroOptions& options = {}) {
  const auto root = expand_xacro_text("<robot name='r'>" + inside + "</robot>", "r.xacro", options);
  if (!root) return root.error().message;
  std::string all;
  for (const XmlElement& child : root->children) {
    const std::string text = xml_text(child);
    all += text.substr(text.find('\n') + 1);
  }
  return all;
}

TEST(XacroTest, EvaluatesPropertiesWhenTheyAreAskedFor) {
  EXPECT_EQ(expanded("<xacro:property name='a' value='${b * 2}'/><xacro:property name='b' value='3'/><x "
                     "v='${a} $${a} $5'/>"),
            "<x v=\"6 ${a} $5\"/>\n");
  EXPECT_EQ(
      expanded(
          "<xacro:property name='o'><y z='${1+1}'/></xacro:property><x><xacro:insert_block name='o'/></x>"),
      "<x>\n  <y z=\"2\"/>\n</x>\n");
}

TEST(XacroTest, CallsMacrosWithDefaultsAndBlocks) {
  const std::string macro =
      "<xacro:macro name='leg' params=\"side length:=${2 * 0.5} *origin **more tag:='a b'\">"
      "<leg side='${side}' length='${length}' tag='${tag}'><xacro:insert_block name='origin'/>"
      "<xacro:insert_block name='more'/></leg></xacro:macro>";
  EXPECT_EQ(
      expanded(macro + "<xacro:property name='s' value='left'/>"
                       "<xacro:leg side='${s}'><origin xyz='${1 + 1} 0 0'/><all><p/><q/></all></xacro:leg>"),
      "<leg side=\"left\" length=\"1\" tag=\"a b\">\n  <origin xyz=\"2 0 0\"/>\n  <p/>\n  <q/>\n</leg>\n");
  EXPECT_EQ(expanded("<xacro:macro name='m' params='v:=^|7'><x v='${v}'/></xacro:macro><xacro:m/>"
                     "<xacro:property name='v' value='3'/><xacro:m/>"),
            "<x v=\"7\"/>\n<x v=\"3\"/>\n");
}

TEST(XacroTest, ChoosesByConditionsAndArguments) {
  EXPECT_EQ(
      expanded("<xacro:arg name='hand' default='false'/><xacro:if value='$(arg hand)'><hand/></xacro:if>"
               "<xacro:unless value='$(arg hand)'><none/></xacro:unless>"),
      "<none/>\n");
  EXPECT_EQ(
      expanded("<xacro:arg name='hand' default='false'/><xacro:if value='$(arg hand)'><hand/></xacro:if>",
               {.arguments = {{"hand", "true"}}, .package_paths = {}}),
      "<hand/>\n");
}

struct BadXacro {
  const char* inside;
  const char* expected;
};

TEST(XacroTest, RefusesEachMistakeWithFileAndLine) {
  const BadXacro bad[] = {
      {"<x v='${a}'/>", "'a' is not defined"},
      {"<x v='${1'/>", "is not closed"},
      {"<x v='$(env HOME)'/>", "$(env HOME) is not known"},
      {"<x v='$(arg a)'/>", "$(arg a) has no value"},
      {"<x v='$(find no_such_package)'/>", "there is no such package"},
      {"<xacro:property name='a' value='${b}'/><xacro:property name='b' value='${a}'/><x v='${a}'/>",
       "defined by itself"},
      {"<xacro:macro name='leg' params='a'/><xacro:legg a='1'/>", "did you mean 'leg'?"},
      {"<xacro:macro name='m' params='length'/><xacro:m lenght='1'/>", "did you mean 'length'?"},
      {"<xacro:macro name='m' params='a'/><xacro:m/>", "<xacro:m> lacks 'a'"},
      {"<xacro:macro name='m' params='*b'/><xacro:m/>", "lacks the block 'b'"},
      {"<xacro:macro name='m'><xacro:m/></xacro:macro><xacro:m/>", "nested more than 150 deep"},
      {"<xacro:macro name='m'><xacro:n/><xacro:n/></xacro:macro><xacro:macro "
       "name='n'><xacro:m/><xacro:m/></xacro:macro><xacro:m/>",
       "nested more than 150 deep"},
      {"<xacro:if value='perhaps'/>", "neither true nor false"},
      {"<xacro:insert_block name='b'/>", "there is no block 'b'"},
      {"<xacro:include filename='no_such_file.xacro'/>",
       "cannot include: there is no file no_such_file.xacro"},
      {"<xacro:property value='1'/>", "<xacro:property> has no 'name'"},
      {"<xacro:element/>", "has no 'xacro:name'"},
      {"<xacro:element xacro:name='a b'/>", "is no name for XML"},
      {"<a><xacro:attribute name='b'/></a>", "has no 'value'"},
      {"<x v='${1 ${2 $(arg c)}}'/>", "$(arg c) has no value"},
  };
  for (const BadXacro& one : bad) {
    const std::string message = expanded(one.inside);
    EXPECT_NE(message.find(one.expected), std::string::npos) << one.inside << ": " << message;
    EXPECT_TRUE(message.starts_with("r.xacro:1: ")) << message;
  }
}

// each macro calls the one before it ten times
TEST(XacroTest, StopsBeforeItDrowns) {
  std::string laughs = "<xacro:macro name='m0'><x/></xacro:macro>";
  for (int i = 1; i < 12; ++i) {
    laughs += "<xacro:macro name='m" + std::to_string(i) + "'>";
    for (int k = 0; k < 10; ++k) laughs += "<xacro:m" + std::to_string(i - 1) + "/>";
    laughs += "</xacro:macro>";
  }
  EXPECT_NE(expanded(laughs + "<xacro:m11/>").find("more than 200000 elements come out"), std::string::npos);
  std::string doubling = "<xacro:property name='p0' value='xxxxxxxxxx'/>";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "${p" + std::to_string(i - 1) + "}";
    doubling += "<xacro:property name='p" + std::to_string(i) + "' value='" + before + before + "'/>";
  }
  EXPECT_NE(expanded(doubling + "<x v='${p39}'/>").find("of text come out"), std::string::npos);
}

TEST(XacroTest, RefusesBracketsWithoutEnd) {
  for (const std::string opening : {"${", "$(arg "}) {
    std::string nested;
    for (int i = 0; i < 3000; ++i) nested += opening;
    for (int i = 0; i < 3000; ++i) nested += opening == "${" ? '}' : ')';
    EXPECT_NE(expanded("<x v='" + nested + "'/>").find("nested more than 100 deep"), std::string::npos);
  }
}

TEST(XacroTest, MakesARobotOfSeveralFilesAndKnowsWhereEachLineIsFrom) {
  const auto folder = std::filesystem::temp_directory_path() / ("sinew-xacro-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "arm_description/urdf");
  std::ofstream(folder / "arm_description/urdf/macros.xacro")
      << "<robot xmlns:xacro='x'>\n<xacro:macro name='segment' params='n parent'>\n"
         "<link name='link_${n}'/>\n"
         "<joint name='joint_${n}' type='revolute'><parent link='${parent}'/><child link='link_${n}'/>\n"
         "<axis xyz='0 0 ${n - 2}'/><limit lower='${-pi}' upper='${radians(90)}' velocity='1' "
         "effort='1'/></joint>\n"
         "</xacro:macro>\n</robot>\n";
  const auto file = folder / "arm_description/urdf/arm.urdf.xacro";
  std::ofstream(file)
      << "<robot xmlns:xacro='x' name='$(arg name)'>\n<xacro:arg name='name' default='arm'/>\n"
         "<xacro:include filename='$(find arm_description)/urdf/macros.xacro'/>\n"
         "<link name='base'/>\n<xacro:segment n='1' parent='base'/>\n"
         "<xacro:if value='$(arg wrist)'><xacro:segment n='2' parent='link_1'/></xacro:if>\n</robot>\n";
  const auto robot = read_urdf(file, {.package_paths = {}, .xacro_arguments = {{"wrist", "false"}}});
  const auto wrong = read_urdf(file, {.package_paths = {}, .xacro_arguments = {{"wrist", "true"}}});
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(robot) << robot.error().message;
  EXPECT_EQ(robot->model.name, "arm");
  EXPECT_EQ(robot->model.joints[0].axis, Vector3(0, 0, -1));
  EXPECT_DOUBLE_EQ(robot->model.joints[0].limits.upper, std::numbers::pi / 2);
  ASSERT_TRUE(wrong) << wrong.error().message;
  ASSERT_EQ(wrong->remarks.size(), 1U);
  const std::string remark = remark_text(wrong->remarks[0]);
  EXPECT_NE(remark.find("macros.xacro:5: the axis of joint 'joint_2' has no direction"), std::string::npos)
      << remark;
}

// exporters leave includes and macros in what is otherwise plain
TEST(XacroTest, ReadsAPlainUrdfThatKeptATagOfXacro) {
  const std::string text =
      "<robot xmlns:xacro='x' name='arm'>\n<xacro:include filename='$(find nowhere)/hand.xacro'/>\n"
      "<link name='base'/><xacro:hand parent='base'/>\n</robot>\n";
  const auto folder = std::filesystem::temp_directory_path() / ("sinew-plain-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "arm.urdf") << text;
  std::ofstream(folder / "arm.urdf.xacro") << text;
  std::ofstream(folder / "open.urdf") << "<robot xmlns:xacro='x' name='${name}'><link name='base'/></robot>";
  const auto plain = read_urdf(folder / "arm.urdf");
  const auto xacro = read_urdf(folder / "arm.urdf.xacro");
  const auto open = read_urdf(folder / "open.urdf");
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(plain) << plain.error().message;
  ASSERT_EQ(plain->remarks.size(), 3U);
  EXPECT_NE(plain->remarks[0].what.find("read as plain URDF, for its xacro cannot be expanded: "),
            std::string::npos);
  EXPECT_NE(plain->remarks[0].what.find("nowhere"), std::string::npos) << plain->remarks[0].what;
  EXPECT_EQ(plain->remarks[2].what, "<xacro:hand> is passed over: it is not expanded");
  EXPECT_FALSE(xacro);
  EXPECT_FALSE(open);
}

class XacroFilesTest : public testing::Test {
 protected:
  XacroFilesTest()
      : folder_(std::filesystem::temp_directory_path() / ("sinew-xacro-files-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~XacroFilesTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  // What the inside of a robot expands to, as XML without its first line.
  std::string expanded(const std::string& inside) {
    const auto root =
        expand_xacro_text("<robot xmlns:xacro='x'>" + inside + "</robot>", folder_ / "robot.xacro");
    return root ? xml_text(*root).substr(22) : "refused: " + root.error().message;
  }

  std::filesystem::path folder_;
};

TEST_F(XacroFilesTest, ReadsYaml) {
  write("sizes.yaml", "wheel: {radius: 0.3, names: [left, right]}\nis_big: true\n");
  const std::string load = "<xacro:property name='c' value=\"${load_yaml('sizes.yaml')}\"/>";
  EXPECT_EQ(expanded(load + "<a r='${c.wheel.radius * 2}' n=\"${c['wheel']['names'][1]}\"/>"),
            "<robot>\n  <a r=\"0.6\" n=\"right\"/>\n</robot>\n");
  EXPECT_EQ(expanded(load + "<xacro:property name='w' value='${c.wheel}'/><a r='${w.radius}'/>"),
            "<robot>\n  <a r=\"0.3\"/>\n</robot>\n");
  EXPECT_EQ(expanded("<xacro:if value=\"${xacro.load_yaml('sizes.yaml')['is_big']}\"><a/></xacro:if>"),
            "<robot>\n  <a/>\n</robot>\n");
  EXPECT_NE(expanded("<a b=\"${load_yaml('none.yaml')}\"/>").find("none.yaml"), std::string::npos);
  EXPECT_NE(expanded(load + "<a b='${c.weel.radius}'/>").find("the map has no 'weel'"), std::string::npos);
}

TEST_F(XacroFilesTest, MakesElementsAndAttributes) {
  EXPECT_EQ(
      expanded("<xacro:property name='kind' value='box'/><xacro:element xacro:name='${kind}' size='1'><b/>"
               "</xacro:element>"),
      "<robot>\n  <box size=\"1\">\n    <b/>\n  </box>\n</robot>\n");
  EXPECT_EQ(
      expanded("<a x='1'><xacro:if value='1'><xacro:attribute name='y${1+1}' value='${2*3}'/></xacro:if>"
               "<xacro:attribute name='x' value='9'/></a>"),
      "<robot>\n  <a x=\"9\" y2=\"6\"/>\n</robot>\n");
}

TEST_F(XacroFilesTest, KeepsIncludedNamesApart) {
  write("arm.xacro",
        "<r xmlns:xacro='x'><xacro:property name='len' value='${2 * unit}'/><xacro:property name='unit' "
        "value='5'/>"
        "<xacro:macro name='part'><p l='${len}'/></xacro:macro>"
        "<xacro:macro name='both'><xacro:part/><xacro:part/></xacro:macro></r>");
  const std::string include = "<xacro:include filename='arm.xacro' ns='arm'/>";
  EXPECT_EQ(expanded(include + "<xacro:property name='len' value='1'/><a l='${len}' m='${arm.len}'/>"),
            "<robot>\n  <a l=\"1\" m=\"10\"/>\n</robot>\n");
  EXPECT_EQ(expanded(include + "<xacro:arm.both/>"), "<robot>\n  <p l=\"10\"/>\n  <p l=\"10\"/>\n</robot>\n");
  EXPECT_NE(expanded(include + "<xacro:both/>").find("there is no macro 'both'"), std::string::npos);
  EXPECT_NE(expanded(include + "<a l='${len}'/>").find("'len' is not defined"), std::string::npos);
  // included within a macro, whose scope ends
  EXPECT_EQ(expanded("<xacro:macro name='m'>" + include +
                     "<xacro:arm.part/></xacro:macro><xacro:m/><xacro:arm.part/>"),
            "<robot>\n  <p l=\"10\"/>\n  <p l=\"10\"/>\n</robot>\n");
}

TEST_F(XacroFilesTest, PutsPropertiesIntoOuterScopes) {
  EXPECT_EQ(expanded("<xacro:macro name='in'><xacro:property name='p' value='1' "
                     "scope='parent'/><xacro:property name='g' "
                     "value='2' scope='global'/></xacro:macro><xacro:macro name='out'><xacro:in/><a "
                     "p='${p}'/></xacro:macro>"
                     "<xacro:out/><b g='${g}'/>"),
            "<robot>\n  <a p=\"1\"/>\n  <b g=\"2\"/>\n</robot>\n");
}

// each list holds the one before twice: small as a graph, endless as a text
TEST_F(XacroFilesTest, BoundsWhatListsSay) {
  std::string text = "<xacro:property name='x' value='${[1]}'/>";
  for (int i = 0; i < 25; ++i) text += "<xacro:property name='x' value='${[x, x]}'/>";
  EXPECT_NE(expanded(text + "<a b='${x}'/>").find("<a b=\"[[["), std::string::npos);
  for (int i = 0; i < 25; ++i) text += "<xacro:property name='x' value='${[x, x]}'/>";
  EXPECT_NE(expanded(text).find("32 deep"), std::string::npos);
}

}  // namespace
}  // namespace sinew

// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/interpreter.h"

#include <gtest/gtest.h>

#include "sinew/language/parser.h"
#include "sinew/language/test/random_program.h"
#include "sinew/language/test/test_world.h"

namespace sinew::language {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

class InterpreterTest : public testing::Test {
 protected:
  Interpreter& start(const std::string& text, const InterpreterOptions& options = {}) {
    parsed_ = parse_program(text, "x.prog");
    EXPECT_FALSE(parsed_.findings.has_errors())
        << finding_text(parsed_.findings.all()[0], parsed_.program.file_names());
    interpreter_.emplace(parsed_.program, world_, options);
    return *interpreter_;
  }

  // everything the program prints until it ends; other actions are done at once
  std::string run(const std::string& text) {
    Interpreter& interpreter = start(text);
    std::string printed;
    for (int i = 0; i < 10000; ++i) {
      const Action action = interpreter.next();
      if (const auto* message = std::get_if<MessageAction>(&action.body)) printed += message->text + "|";
      if (const auto* end = std::get_if<EndAction>(&action.body)) {
        if (!end->text.empty() || end->is_failure)
          printed += std::to_string(action.place.line) + ":" + std::to_string(action.place.column) +
                     (end->is_failure ? " failed: " : " stopped: ") + end->text;
        return printed;
      }
      interpreter.report({.number = action.number});
    }
    return printed + "never ends";
  }

  MoveAction move(const std::string& text) {
    const Action action = start(text).next();
    if (const auto* end = std::get_if<EndAction>(&action.body)) ADD_FAILURE() << text << ": " << end->text;
    const auto* result = std::get_if<MoveAction>(&action.body);
    return result != nullptr ? *result : MoveAction{};
  }

  ParsedProgram parsed_;
  TestWorld world_;
  std::optional<Interpreter> interpreter_;
};

TEST_F(InterpreterTest, ResolvesTheSeedsLineToSi) {
  const MoveAction action =
      move("P0001 MOVEL_RPY_LSPB {TCP} 0.00 1174.40 1176.00 0.00 0.00 90.00 [20] (mm,deg,s) {B}");
  EXPECT_EQ(action.kind, MotionKind::Line);
  ASSERT_EQ(action.goals.size(), 1U);
  const Pose X_BT = std::get<PoseGoal>(action.goals[0]).X_BT;
  EXPECT_TRUE(X_BT.position.isApprox(Vector3(0, 1.1744, 1.176)));
  EXPECT_NEAR(roll_pitch_yaw(X_BT.rotation).yaw, 90 * kDegree, 1e-12);
  EXPECT_EQ(action.tool.name, "TCP");
  EXPECT_EQ(action.tool.pose.position.y(), 0.1);
  EXPECT_EQ(action.frame.name, "B");
  EXPECT_EQ(action.timing.duration, 20.0);
  EXPECT_EQ(action.timing.law, SpeedLaw::Lspb);
  EXPECT_FALSE(action.timing.speed);
}

TEST_F(InterpreterTest, TakesMovejRpyAsAJointMoveToAPose) {
  const MoveAction action = move("<1> MOVJ_RPY_LSPB {TCP} 0 1174.4 1176 0 0 0 [20] (mm,deg,s) {B}");
  EXPECT_EQ(action.kind, MotionKind::Joint);
  EXPECT_TRUE(std::get<PoseGoal>(action.goals[0]).X_BT.position.isApprox(Vector3(0, 1.1744, 1.176)));
}

// listing 4 names {TCP}, {B} and mm in a line of joint degrees
TEST_F(InterpreterTest, IgnoresToolAndFrameOfJointMoves) {
  const MoveAction action = move(
      "MOVEJ_SPLINE_LSPB {nowhere} 0 0 0 0 0 0; 30.00 15.00 30.00 -15.00 20.00 15.00 [20] (mm,deg,s) "
      "{never}");
  EXPECT_EQ(action.through, Through::Spline);
  ASSERT_EQ(action.goals.size(), 2U);
  EXPECT_NEAR(std::get<JointValues>(action.goals[1]).q[3], -15 * kDegree, 1e-12);
}

TEST_F(InterpreterTest, GivesPosesOfFramesInTheBase) {
  EXPECT_TRUE(std::get<PoseGoal>(move("MOVEL 100 0 50 0 0 0 {table}").goals[0])
                  .X_BT.position.isApprox(Vector3(0.6, 0, 0.15)));
  EXPECT_TRUE(
      std::get<PoseGoal>(move("FRAME {slot} = POSE(0, 0, 10, 0, 0, 90)\nMOVEL 100 0 0 0 0 0").goals[0])
          .X_BT.position.isApprox(Vector3(0, 0.1, 0.01)));
  EXPECT_TRUE(std::get<PoseGoal>(move("MOVEL_QUAT 0.1 0.2 0.3 0 1 0 0 (m)").goals[0])
                  .X_BT.rotation.isApprox(Quaternion(0, 1, 0, 0)));
  const MoveAction delta = move("DMOVE {TCP} 0 0 50 0 0 90 {t}");
  EXPECT_TRUE(delta.displacement.is_in_tool_axes);
  EXPECT_TRUE(delta.displacement.translation.isApprox(Vector3(0, 0, 0.05)));
  EXPECT_TRUE(delta.displacement.rotation.isApprox(Vector3(0, 0, 90 * kDegree)));
}

TEST_F(InterpreterTest, ResolvesSpeedsAndBlends) {
  const MoveAction line = move("SPEED LINE 100\nMOVEL POSE(0,0,0,0,0,0) [v=250, a=1000, j=9000, r=5]");
  EXPECT_DOUBLE_EQ(line.timing.speed->value, 0.25);
  EXPECT_DOUBLE_EQ(line.timing.acceleration->value, 1.0);
  EXPECT_DOUBLE_EQ(*line.timing.jerk, 9.0);
  EXPECT_DOUBLE_EQ(line.timing.blend_radius, 0.005);
  const MoveAction joint = move("SPEED JOINT 60\nACC 50%\nBLEND 2\nMOVEJ POINT {home}");
  EXPECT_DOUBLE_EQ(joint.timing.speed->value, 60 * kDegree);
  EXPECT_TRUE(joint.timing.acceleration->is_share);
  EXPECT_DOUBLE_EQ(joint.timing.acceleration->value, 0.5);
  EXPECT_DOUBLE_EQ(joint.timing.blend_radius, 0.002);
  EXPECT_FALSE(move("SPEED JOINT 60\nMOVEJ POINT {home} [3]").timing.speed);
  EXPECT_DOUBLE_EQ(*move("UNITS (ms)\nMOVEJ POINT {home} [500]").timing.duration, 0.5);
  const MoveAction circle = move("MOVEC 1 0 0 0 0 0; 2 0 0 0 0 0 [v=10, arc=360]");
  EXPECT_NEAR(*circle.arc, 2 * std::numbers::pi, 1e-12);
}

TEST_F(InterpreterTest, ReckonsAsMathematicsDoes) {
  EXPECT_EQ(run("PRINT 1 + 2 * 3^2, \" \", -2^2, \" \", 7 MOD 3, \" \", -1 MOD 3, \" \", 10 / 4"),
            "19 -4 1 2 2.5|");
  EXPECT_EQ(run("PRINT SIN(30), \" \", ATAN2(1, 1), \" \", SQRT(2) ^ 2 > 1.9 AND NOT (1 == 2)"),
            "0.5 45 TRUE|");
  EXPECT_EQ(run("p = OFFSET(POSE(100, 0, 50, 0, 0, 90), 0, 0, 10)\nPRINT p.z, \" \", p.yaw, \" \", p * "
                "POSE(5,0,0,0,0,0)"),
            "60 90 100 5 60 0 0 90|");
  EXPECT_EQ(run("UNITS (rad)\nPRINT COS(PI)"), "-1|");
  EXPECT_EQ(run("q = POINT {home}\nUNITS (rad)\nPRINT ANGLE(q, 5)"), "0.5|");
  EXPECT_EQ(run("PRINT HERE().x, \" \", ANGLE(HEREJ(), 1) > 14"), "400 TRUE|");
  EXPECT_EQ(run("PRINT HOLDS(), NOT HOLDS()"), "FALSETRUE|");
  EXPECT_EQ(run("PRINT WHERE(\"disc_3\").x, \" \", WHERE(\"disc_\", 1 + 2).z"), "600 120|");
  EXPECT_EQ(run("FRAME {table}\nUNITS (m)\nPRINT WHERE(\"disc_3\")"), "0.1 0.1 0.02 0 0 0|")
      << "in the frame";
  EXPECT_EQ(run("count = 3\nPRINT \"a\" + \"b\", count, AIN {pressure}"), "ab32.5|");
}

TEST_F(InterpreterTest, LoopsBranchesAndCalls) {
  EXPECT_EQ(run("FOR i = 0 TO 1 STEP 0.1\nn = i\nEND\nPRINT n"), "1|");
  EXPECT_EQ(run("FOR i = 3 TO 1 STEP -1\nPRINT i\nEND\nFOR i = 1 TO 0\nPRINT 9\nEND"), "3|2|1|");
  EXPECT_EQ(run("n = 0\nWHILE TRUE\nn = n + 1\nIF n == 2\nCONTINUE\nELSIF n > 4\nBREAK\nEND\nPRINT n\nEND"),
            "1|3|4|");
  EXPECT_EQ(run("IF FALSE\nPRINT 1\nELSIF 1 > 2\nPRINT 2\nELSE\nPRINT 3\nEND"), "3|");
  EXPECT_EQ(run("x = CALL fact(5)\nPRINT x\nSUB fact(n)\nIF n < 2\nRETURN 1\nEND\ny = CALL fact(n - "
                "1)\nRETURN n * y\nEND"),
            "120|");
}

// arguments are copies; what is set outside is the same inside, all else belongs to the SUB
TEST_F(InterpreterTest, KeepsVariablesApart) {
  EXPECT_EQ(
      run("a = 1\ntotal = 0\nCALL f(a)\nPRINT a, \" \", total\nSUB f(a)\na = 5\ntotal = a\nown = 3\nEND"),
      "1 5|");
  EXPECT_EQ(run("CALL f()\nCALL g()\nSUB f()\nown = 3\nEND\nSUB g()\nPRINT own\nEND"),
            "7:7 failed: 'own' has no value yet; give it one before, as in own = 1");
}

TEST_F(InterpreterTest, WalksAPalletRowByRow) {
  EXPECT_EQ(run("t = PALLET(POSE(0,0,0,0,0,0), POSE(20,0,0,0,0,0), POSE(0,30,0,0,0,0), 3, 2, 2, 50)\n"
                "FOR i = 1 TO COUNT(t)\np = AT(t, i)\nPRINT p.x, \",\", p.y, \",\", p.z\nEND\nPRINT AT(t, 3, "
                "2, 2)"),
            "0,0,0|10,0,0|20,0,0|0,30,0|10,30,0|20,30,0|0,0,50|10,0,50|20,0,50|0,30,50|10,30,50|20,30,50|20 "
            "30 50 0 0 0|");
}

TEST_F(InterpreterTest, SaysWhereItWentWrong) {
  EXPECT_EQ(run("x = 1\n  y = x / (x - 1)"), "2:9 failed: 1 / 0 has no value");
  EXPECT_EQ(run("MOVEJ 1 2 3"), "1:7 failed: MOVEJ takes 6 joint positions, and here are 3");
  EXPECT_EQ(run("MOVEL {touch} 1 2 3 4 5 6"), "1:7 failed: there is no tool {touch} (did you mean 'torch'?)");
  EXPECT_EQ(run("x = 1\nx = \"a\""),
            "2:1 failed: 'x' is a number and cannot become a text; use another variable");
  EXPECT_EQ(run("STOP \"enough\""), "1:1 stopped: enough");
}

TEST_F(InterpreterTest, CannotHangOrGrowWithoutEnd) {
  EXPECT_EQ(run("n = 0\nWHILE TRUE\nn = n + 1\nEND"),
            "2:1 failed: the program goes round without doing anything: 200000 steps and no move, no WAIT; "
            "put a WAIT "
            "into the loop");
  EXPECT_EQ(
      run("CALL f()\nSUB f()\nCALL f()\nEND"),
      "3:1 failed: SUBs call each other 64 deep, which is the most; does 'f' call itself without an end?");
  EXPECT_EQ(run("t = \"ab\"\nWHILE TRUE\nt = t + t\nEND"),
            "3:7 failed: the text would be longer than 4096 bytes");
  std::string many;
  for (int i = 0; i < 6000; ++i) many += "v" + std::to_string(i) + " = 1\n";
  EXPECT_EQ(run(many), "5001:1 failed: there are 5000 variables, which is the most");
  EXPECT_EQ(run("FOR i = 1 TO 2 STEP 0\nEND"), "1:21 failed: the STEP of FOR is 0; the loop would never end");
}

TEST_F(InterpreterTest, WaitsWithTimeout) {
  Interpreter& plain = start("WAIT UNTIL IN {part} [2]\nPRINT 1");
  const Action wait = plain.next();
  EXPECT_EQ(std::get<WaitUntilAction>(wait.body).timeout, 2.0);
  EXPECT_EQ(plain.watch(), WatchVerdict::GoOn);
  world_.inputs["part"] = true;
  EXPECT_EQ(plain.watch(), WatchVerdict::Satisfied);
  plain.report({.number = wait.number, .kind = OutcomeKind::TimedOut});
  EXPECT_TRUE(std::get<EndAction>(plain.next().body).is_failure);

  Interpreter& handled = start("WAIT UNTIL IN {part} [2] ELSE\nPRINT \"late\"\nEND\nPRINT \"on\"");
  handled.report({.number = handled.next().number, .kind = OutcomeKind::TimedOut});
  const Action late = handled.next();
  EXPECT_EQ(std::get<MessageAction>(late.body).text, "late");
  handled.report({.number = late.number});
  EXPECT_EQ(std::get<MessageAction>(handled.next().body).text, "on");
}

TEST_F(InterpreterTest, EndsAMoveWhenItsConditionHolds) {
  Interpreter& interpreter = start("MOVEL 0 0 0 0 0 0 [v=10] UNTIL IN {touch}");
  EXPECT_TRUE(std::get<MoveAction>(interpreter.next().body).has_until);
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  world_.inputs["touch"] = true;
  EXPECT_EQ(interpreter.watch(), WatchVerdict::Satisfied);
}

TEST_F(InterpreterTest, StopsOnACondition) {
  Interpreter& interpreter = start("ON IN {door} DO FAIL \"door\"\nMOVEJ POINT {home}\nMOVEJ POINT {home}");
  interpreter.next();
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  world_.inputs["door"] = true;
  EXPECT_EQ(interpreter.watch(), WatchVerdict::Interrupt);
  const Action end = interpreter.next();
  EXPECT_EQ(std::get<EndAction>(end.body).text, "door");
  EXPECT_EQ(end.place.line, 1U);
}

// the move that was interrupted is asked for again, once, after the SUB
TEST_F(InterpreterTest, CallsASubOnAConditionAndGoesOn) {
  Interpreter& interpreter = start(
      "ON IN {door} DO CALL wait_for_door()\nMOVEJ 1 1 1 1 1 1\nMOVEJ 2 2 2 2 2 2\nSUB "
      "wait_for_door()\nPRINT 5\nEND");
  const Action first = interpreter.next();
  EXPECT_EQ(first.repeats, 0U);
  world_.inputs["door"] = true;
  ASSERT_EQ(interpreter.watch(), WatchVerdict::Interrupt);
  const Action message = interpreter.next();
  EXPECT_EQ(std::get<MessageAction>(message.body).text, "5");
  interpreter.report({.number = message.number});
  const Action again = interpreter.next();
  EXPECT_EQ(again.repeats, first.number);
  EXPECT_NEAR(std::get<JointValues>(std::get<MoveAction>(again.body).goals[0]).q[0], kDegree, 1e-12);
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  interpreter.report({.number = again.number});
  const Action second = interpreter.next();
  EXPECT_EQ(second.place.line, 3U);
  interpreter.report({.number = second.number});
  EXPECT_FALSE(std::get<EndAction>(interpreter.next().body).is_failure);
}

TEST_F(InterpreterTest, LooksAheadOverMovesOnly) {
  Interpreter& interpreter = start(
      "n = 0\nMOVEL 0 0 0 0 0 0 [r=5]\nn = n + 1\nMOVEL 1 0 0 0 0 0\nIF IN {part}\nMOVEL 2 0 0 0 0 "
      "0\nEND\nPRINT n");
  EXPECT_EQ(interpreter.next().place.line, 2U);
  const auto ahead = interpreter.next_move_ahead();
  ASSERT_TRUE(ahead);
  EXPECT_EQ(ahead->place.line, 4U);
  EXPECT_FALSE(interpreter.next_move_ahead());
  world_.inputs["part"] = true;
  EXPECT_EQ(interpreter.next().place.line, 6U);
  EXPECT_FALSE(interpreter.next_move_ahead());
  EXPECT_EQ(std::get<MessageAction>(interpreter.next().body).text, "1");
}

// as far as kMostAhead, and less far with many variables, whose values are kept for going back
TEST_F(InterpreterTest, LooksAheadOverHundredsOfMovesWithinItsMemory) {
  const auto count_ahead = [&](const std::string& before) {
    Interpreter& interpreter = start(before + "BLEND 5\nFOR i = 1 TO 1000\nMOVEJ 0 0 0 0 9 0\nEND");
    EXPECT_TRUE(std::holds_alternative<MoveAction>(interpreter.next().body));
    std::size_t count = 1;
    while (interpreter.next_move_ahead()) ++count;
    return count;
  };
  EXPECT_EQ(count_ahead(""), kMostAhead);
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "v" + std::to_string(i) + " = 1\n";
  const std::size_t with_many = count_ahead(many);
  EXPECT_GE(with_many, 16U);
  EXPECT_LE(with_many, kMostKeptVariables / 2000 + 2);
}

// what was asked for ahead is done in its order, and the program is where it would be without
TEST_F(InterpreterTest, GoesOnWhereItLookedTo) {
  Interpreter& interpreter =
      start("BLEND 5\nFOR i = 1 TO 300\nMOVEJ 0 0 0 0 (i / 10) 0\nEND\nMOVEJ 0 0 0 0 0 0 [r=0]\nPRINT i");
  std::vector<std::uint64_t> numbers{interpreter.next().number};
  std::size_t reported = 0;
  while (numbers.size() < 301) {
    const auto ahead = interpreter.next_move_ahead();
    if (ahead) {
      numbers.push_back(ahead->number);
    } else {
      ASSERT_LT(reported, numbers.size());
      interpreter.report({.number = numbers[reported++]});
    }
  }
  while (reported < numbers.size()) interpreter.report({.number = numbers[reported++]});
  EXPECT_EQ(std::get<MessageAction>(interpreter.next().body).text, "300");
}

// moves before an OFF run under the ON, however far the program has looked ahead
TEST_F(InterpreterTest, OffTakesEffectWhenTheMovesBeforeItAreDone) {
  Interpreter& interpreter = start(
      "ON IN {door} DO FAIL \"door\"\nBLEND 10\nMOVEJ 0 0 0 0 0 0\nMOVEJ 0 0 0 0 9 0\nOFF\nMOVEJ 0 0 0 0 0 "
      "0\n"
      "MOVEJ 0 0 0 0 9 0");
  const Action first = interpreter.next();
  const Action second = *interpreter.next_move_ahead();
  const Action third = *interpreter.next_move_ahead();
  ASSERT_TRUE(interpreter.next_move_ahead());
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  interpreter.report({.number = first.number});
  world_.inputs["door"] = true;
  EXPECT_EQ(interpreter.watch(), WatchVerdict::Interrupt);
  const Action end = interpreter.next();
  ASSERT_TRUE(std::holds_alternative<EndAction>(end.body));
  EXPECT_EQ(std::get<EndAction>(end.body).text, "door");
}

TEST_F(InterpreterTest, AnOffThatIsPassedIsOff) {
  Interpreter& interpreter = start(
      "ON IN {door} DO FAIL \"door\"\nBLEND 10\nMOVEJ 0 0 0 0 0 0\nOFF\nMOVEJ 0 0 0 0 9 0\nMOVEJ 0 0 0 0 0 "
      "0");
  const Action first = interpreter.next();
  ASSERT_TRUE(interpreter.next_move_ahead());
  ASSERT_TRUE(interpreter.next_move_ahead());
  interpreter.report({.number = first.number});
  world_.inputs["door"] = true;
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
}

// the SUB with the limit is left, the variable and the units are changed while the move is still under way
TEST_F(InterpreterTest, UntilMeansWhatItMeantWhereItStands) {
  Interpreter& interpreter = start(
      "BLEND 10\nn = 1\nCALL go(0.3)\nn = 2\nUNITS (m)\nMOVEJ 0 0 0 0 0 0\n"
      "SUB go(height)\nMOVEJ 0 0 0 0 9 0 (m) UNTIL HERE().z > height AND n == 2\nEND");
  const Action move = interpreter.next();
  ASSERT_TRUE(std::holds_alternative<MoveAction>(move.body));
  ASSERT_TRUE(interpreter.next_move_ahead());
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  EXPECT_EQ(interpreter.variables(),
            (std::vector<std::pair<std::string, std::string>>{{"height", "0.3"}, {"n", "1"}}));
  interpreter.report({.number = move.number});
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  EXPECT_FALSE(interpreter.is_over());
}

TEST_F(InterpreterTest, UntilCountsInTheUnitsOfItsLine) {
  Interpreter& interpreter = start("MOVEJ 0 0 0 0 9 0 (m) UNTIL HERE().z > 0.4");
  interpreter.next();
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  Interpreter& other = start("MOVEJ 0 0 0 0 9 0 UNTIL HERE().z > 299");
  other.next();
  EXPECT_EQ(other.watch(), WatchVerdict::Satisfied);
}

// a limit that a SUB was given counts also after it was left, and in the units where it is written
TEST_F(InterpreterTest, OnKeepsTheVariablesOfItsSub) {
  Interpreter& interpreter = start(
      "CALL guard(250)\nUNITS (m)\nlimit = 9\nMOVEJ 0 0 0 0 9 0\n"
      "SUB guard(most)\nON IN {door} AND HERE().z > most DO FAIL most\nEND");
  ASSERT_TRUE(std::holds_alternative<MoveAction>(interpreter.next().body));
  EXPECT_EQ(interpreter.watch(), WatchVerdict::GoOn);
  world_.inputs["door"] = true;
  EXPECT_EQ(interpreter.watch(), WatchVerdict::Interrupt);
  const Action end = interpreter.next();
  ASSERT_TRUE(std::holds_alternative<EndAction>(end.body));
  EXPECT_EQ(std::get<EndAction>(end.body).text, "250");
}

// what the program did while it looked ahead has not happened when an ON interrupts
TEST_F(InterpreterTest, AnInterruptedProgramIsWhereTheRobotIs) {
  Interpreter& interpreter = start(
      "n = 1\nON IN {door} DO CALL tell()\nBLEND 10\nMOVEJ 0 0 0 0 0 0\nn = 2\nMOVEJ 0 0 0 0 9 0\n"
      "SUB tell()\nPRINT \"n is \", n\nn = n + 10\nEND");
  const Action first = interpreter.next();
  ASSERT_TRUE(interpreter.next_move_ahead());
  world_.inputs["door"] = true;
  ASSERT_EQ(interpreter.watch(), WatchVerdict::Interrupt);
  const Action message = interpreter.next();
  ASSERT_TRUE(std::holds_alternative<MessageAction>(message.body));
  EXPECT_EQ(std::get<MessageAction>(message.body).text, "n is 1");
  interpreter.report({.number = message.number});
  const Action again = interpreter.next();
  EXPECT_EQ(again.repeats, first.number);
  const auto second = interpreter.next_move_ahead();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->place.line, 6U);
  EXPECT_EQ(second->repeats, 0U);
}

// in a goal HERE() is said in the frame of the line, so that it is the place itself
TEST_F(InterpreterTest, HereIsMeantInToolAndFrameOfTheLine) {
  const MoveAction action = move("MOVEL {torch} HERE() {table}");
  EXPECT_TRUE(std::get<PoseGoal>(action.goals[0]).X_BT.position.isApprox(Vector3(0.4, 0, 0.5)));
}

TEST_F(InterpreterTest, FailsWhereTheMoveFailed) {
  Interpreter& interpreter = start("MOVEJ POINT {home}\nMOVEJ POINT {home}");
  interpreter.next();
  const Action second = *interpreter.next_move_ahead();
  interpreter.report({.number = second.number, .kind = OutcomeKind::Failed, .reason = "out of reach"});
  const Action end = interpreter.next();
  EXPECT_TRUE(std::get<EndAction>(end.body).is_failure);
  EXPECT_EQ(std::get<EndAction>(end.body).text, "out of reach");
  EXPECT_EQ(end.place.line, 2U);
  EXPECT_TRUE(interpreter.is_over());
}

TEST_F(InterpreterTest, PausesStepsAndBreaks) {
  Interpreter& interpreter = start("n = 1\nPRINT n\nn = 2\nPRINT n\nn = 3\nPRINT n");
  interpreter.set_breakpoints({3});
  EXPECT_EQ(std::get<MessageAction>(interpreter.next().body).text, "1");
  const Action at_break = interpreter.next();
  EXPECT_EQ(std::get<PauseAction>(at_break.body).reason, PauseReason::Breakpoint);
  EXPECT_EQ(at_break.place.line, 3U);
  EXPECT_EQ(interpreter.variables().at(0), (std::pair<std::string, std::string>("n", "1")));
  EXPECT_EQ(std::get<MessageAction>(interpreter.next().body).text, "2");
  interpreter.set_single_step(true);
  const Action step = interpreter.next();
  EXPECT_EQ(std::get<PauseAction>(step.body).reason, PauseReason::SingleStep);
  EXPECT_EQ(step.place.line, 5U);
  EXPECT_EQ(interpreter.next().place.line, 6U);
  interpreter.set_single_step(false);
  interpreter.pause();
  EXPECT_EQ(std::get<MessageAction>(interpreter.next().body).text, "3");
}

// a look ahead comes to the breakpoint first, and must leave it where it is
TEST_F(InterpreterTest, BreaksAlsoAfterALookAhead) {
  Interpreter& interpreter = start("MOVEJ POINT {home}\nMOVEJ POINT {home}");
  interpreter.set_breakpoints({2});
  EXPECT_EQ(interpreter.next().place.line, 1U);
  EXPECT_FALSE(interpreter.next_move_ahead());
  EXPECT_TRUE(std::holds_alternative<PauseAction>(interpreter.next().body));
  EXPECT_TRUE(std::holds_alternative<MoveAction>(interpreter.next().body));
}

TEST_F(InterpreterTest, StartsAtALineWithWhatWasSetBefore) {
  Interpreter& interpreter =
      start("p = POSE(1, 0, 0, 0, 0, 0)\nMOVEL p\nUNITS (m)\nWHILE p.x < 1\n  PRINT p.x\nEND\nSTOP");
  EXPECT_EQ(interpreter.start_at(5).error().message,
            "line 5 is inside of a block; begin at the line where the outermost IF, WHILE or FOR begins");
  EXPECT_EQ(interpreter.start_at(99).error().message,
            "no statement begins on line 99; begin at one that has one");
  ASSERT_TRUE(interpreter.start_at(4));
  EXPECT_EQ(std::get<MessageAction>(interpreter.next().body).text, "0.001");
}

// programs drawn at random, inputs and outcomes drawn as well: they end or go on, twice the same
TEST_F(InterpreterTest, IsDeterministicAndSurvivesAnyProgram) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const std::string text = RandomProgram(seed).text();
    std::vector<std::string> trace[2];
    for (auto& lines : trace) {
      Interpreter& interpreter = start(text, {.most_steps = 2000});
      std::mt19937 random(seed);
      for (int i = 0; i < 100 && !interpreter.is_over(); ++i) {
        world_.inputs["part"] = random() % 2 == 0;
        world_.inputs["3"] = random() % 2 == 0;
        const auto ahead = random() % 2 == 0 ? interpreter.next_move_ahead() : std::nullopt;
        const Action action = ahead ? *ahead : interpreter.next();
        lines.push_back(std::to_string(action.place.line) + "/" + std::to_string(action.body.index()));
        interpreter.watch();
        const bool is_late = std::holds_alternative<WaitUntilAction>(action.body) && random() % 2 == 0;
        interpreter.report(
            {.number = action.number, .kind = is_late ? OutcomeKind::TimedOut : OutcomeKind::Done});
      }
    }
    ASSERT_EQ(trace[0], trace[1]) << "seed " << seed;
    ASSERT_FALSE(trace[0].empty());
  }
}

}  // namespace
}  // namespace sinew::language

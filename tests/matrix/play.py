# SPDX-License-Identifier: BSD-3-Clause
"""Runs cases: one started robot serves all of a stage, one after the other."""

import pathlib
import subprocess
import time
import traceback
from dataclasses import dataclass

import cases
from by_console import ByConsole
from by_http import ByHttp
from by_program import ByProgram
from by_python import ByPython
from goals import Goals, NoRoom
from started_robot import Hang, StartedRobot
from trial import Refused, Trial

HERE = pathlib.Path(__file__).resolve().parent
WAYS = {"console": ByConsole, "program": ByProgram, "http": ByHttp, "python": ByPython}
_MOST_STARTS = 2  # that may fail before it is left alone
_STILL = 1e-6  # [rad, m] nothing has moved


@dataclass(frozen=True)
class Result:
    case: cases.Case
    outcome: str       # done, refused, failed
    words: str
    seconds: float     # of the clock

    @property
    def is_passed(self) -> bool:
        return self.outcome != "failed"


class Stages:
    """Starts robots and runs their cases."""

    def __init__(self, sinew_program: pathlib.Path, made: pathlib.Path, seed: int):
        self.program, self.made, self.seed = sinew_program, made, seed
        self.expected = cases.expected()

    def path_of(self, robot: str) -> str:
        """Name of a shipped robot, or the folder that `sinew new` makes of our bare URDF."""
        if not robot.startswith("new-"):
            return robot
        folder = self.made / robot
        if not folder.exists():
            subprocess.run([self.program, "new", HERE / "urdf" / f"{robot}.urdf", "--out", folder], check=True,
                           capture_output=True)
        return str(folder)

    def play(self, stage: cases.Stage, chosen: "list[cases.Case]", on_result) -> None:
        waiting = list(chosen)
        starts_failed = 0
        while waiting:
            before = len(waiting)
            try:
                self._play_some(stage, waiting, on_result)
            except Exception as error:  # pylint: disable=broad-except # a robot that does not come up fails its cases
                starts_failed += 1 if len(waiting) == before else 0
                for _ in range(len(waiting) if starts_failed >= _MOST_STARTS else 1):
                    words = " ".join(f"the robot: {type(error).__name__}: {error}".split())
                    on_result(Result(waiting.pop(0), "failed", words, 0.0))

    def _play_some(self, stage: cases.Stage, waiting: "list[cases.Case]", on_result) -> None:
        """Until all are done, or one has left the robot in a state that only a new start mends."""
        robot = StartedRobot(self.program, self.path_of(stage.robot), stage.world)
        desk = _Desk(self, robot)
        try:
            while waiting:
                result = desk.play(waiting[0])
                waiting.pop(0)
                on_result(result)
                if not result.is_passed and robot.safety_state != "Running":
                    return
        finally:
            desk.close()


class _Desk:
    """One robot that runs, perhaps a master beside it."""

    def __init__(self, stages: Stages, robot: StartedRobot):
        self.stages, self.robot = stages, robot
        self.goals = Goals(robot)
        self.ways = {name: kind(robot) for name, kind in WAYS.items()}
        self._master: "StartedRobot | None" = None

    def close(self) -> None:
        if self._master is not None:
            self._master.close()
        self.robot.close()

    def master(self) -> StartedRobot:
        if self._master is None:
            name = "panda" if self.robot.name != "panda" else "ur5e"
            self._master = StartedRobot(self.stages.program, name, "empty", self.robot.space, has_web=False)
        return self._master

    def play(self, case: cases.Case) -> Result:
        began = time.monotonic()
        self.goals.draw_with(f"{self.stages.seed}/{case.id}")
        trial = Trial(self.robot, self.ways[case.way], self.goals, case.percent / 100, self.master)
        try:
            case.verb.act(trial)
            outcome, words = "done", ""
        except Refused as refused:
            outcome, words = self._judge_refusal(case, trial, str(refused))
        except (Hang, NoRoom) as error:
            outcome, words = "failed", f"{type(error).__name__}: {error}; {self.robot.safety_words}"
        except Exception as error:  # pylint: disable=broad-except # the matrix's own faults are failures, too
            outcome, words = "failed", f"{type(error).__name__}: {error}; {traceback.format_exc().splitlines()[-3:]}"
        if trial.has_begun:
            trial.watch.end()
            trial.wrong += trial.watch.complaints()
        if trial.wrong:
            outcome, words = "failed", "; ".join(filter(None, [words, *trial.wrong]))
        if outcome == "failed" and trial.note:
            words += f" [{trial.note}]"
        return Result(case, outcome, " ".join(words.split()), time.monotonic() - began)

    def _judge_refusal(self, case: cases.Case, trial: Trial, words: str) -> "tuple[str, str]":
        row = cases.row_of(case, self.stages.expected)
        if trial.has_begun and trial.watch.moved > _STILL:
            return "failed", f"refused after moving by {trial.watch.moved:.4f}: {words}"
        if row is None:
            return "failed", f"refused: {words}"
        if not row.says(words):
            return "failed", f"refused with other words than '{row.words}': {words}"
        return "refused", words

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A robot is stopped while somebody builds, also what cannot be built. Usage: scenario.py SINEW"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path()


class BuiltPrograms(unittest.TestCase):
    """A tree of its own: the script, what it has built, and a source that no compiler takes."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="sinew-built-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name in ("sinew", "packages.txt"):
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "src").mkdir()
        broken = self.root / "src/broken.cc"
        broken.write_text("this is no C++\n")
        os.utime(broken, (2**31, 2**31))
        self.release = self.root / "build/release/bin"
        self.release.mkdir(parents=True)
        self.space = f"built-{os.getpid()}"

    def install(self, folder):
        """The real programs, as a build leaves them."""
        folder.mkdir(parents=True, exist_ok=True)
        for program in PROGRAM.parent.glob("sinew*"):
            (folder / program.name).symlink_to(program)

    def sinew(self, *words):
        done = subprocess.run([self.root / "sinew", "--no-install", *words, "--space", self.space], capture_output=True,
                              text=True, timeout=300, env={**os.environ, "XDG_RUNTIME_DIR": str(self.root)})
        return done.returncode, done.stdout + done.stderr

    def test_what_is_built_is_used_while_somebody_builds(self):
        self.install(self.release)
        # 300 s are the guard: whoever waits for this lock hangs
        with open(self.root / "build/.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for words in (["stop"], ["status"], ["channel", "ls"]):
                _, said = self.sinew(*words)
                self.assertNotIn("building", said)
            status, said = self.sinew("stop")
            self.assertEqual(status, 0, said)
            self.assertIn("nothing runs in space", said)
            self.assertIn("the sources are newer", said)

    def test_while_the_linker_writes_the_last_whole_program_is_used(self):
        self.install(self.root / "build/kept")
        (self.release / "sinew").write_bytes(b"\x7fELF half")
        (self.release / "sinew").chmod(0o755)
        with open(self.root / "build/.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            status, said = self.sinew("stop")
        self.assertEqual(status, 0, said)
        self.assertIn("nothing runs in space", said)

    def test_other_commands_build_first(self):
        self.install(self.release)
        status, said = self.sinew("model", "ur5e")
        self.assertNotEqual(status, 0, said)
        self.assertIn("cannot configure release", said)


if __name__ == "__main__":
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()

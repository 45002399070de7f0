#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/generate_messages.py refuses what would not cross a process unharmed, and says where."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

GENERATOR = pathlib.Path(__file__).parent.parent / "tools/generate_messages.py"
HEAD = "inline constexpr std::size_t kCount = 4;\nenum class Mode : std::uint8_t {\n  Idle = 0,\n};\n"


def generate(members, alignment=8, version="  static constexpr std::uint32_t kVersion = 1;\n", end="};\n"):
    """Runs the generator on one struct; answers its exit code, its complaint and the schema header."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        body = "".join(f"  {member}\n" for member in members)
        (folder / "sample.h").write_text(f"{HEAD}// kVersion = \nstruct alignas({alignment}) Sample {{\n{version}{body}{end}")
        run = subprocess.run([sys.executable, GENERATOR, "--out", folder / "out", folder], capture_output=True, text=True)
        header = folder / "out/sinew/messages/schemas.h"
        return run.returncode, run.stderr, header.read_text() if header.exists() else ""


class GenerateMessagesTest(unittest.TestCase):
    def refused(self, complaint, *arguments, **options):
        code, text, _ = generate(*arguments, **options)
        self.assertNotEqual(code, 0)
        self.assertIn(complaint, text)
        self.assertNotIn("Traceback", text)

    def test_lays_out_what_is_sound(self):
        code, text, header = generate(["std::int64_t stamp_ns = 0;  ///< When.", "std::array<double, kCount> q{};  ///< [rad] Angles.",
                                       "Mode mode = Mode::Idle;", "std::array<char, 7> name{};"])
        self.assertEqual(code, 0, text)
        for line in ("struct Sample version 1 size 48", "  int64 stamp_ns at 0 [ns] : When.", "  float64[4] q at 8 [rad] : Angles.",
                     "  Mode mode at 40", "  char[7] name at 41"):
            self.assertIn(line, header)

    def test_refuses_hidden_padding(self):
        self.refused("Sample.b would need hidden padding before it at offset 4; add a 'reserved' member",
                     ["std::uint32_t a = 0;", "std::uint64_t b = 0;"])
        self.refused("Sample would need hidden padding at its end (4 bytes, alignment 8)", ["std::uint32_t a = 0;"])

    def test_refuses_types_of_no_fixed_width(self):
        for member in ("int a = 0;", "bool a = false;", "std::size_t a = 0;", "std::string a{};", "long a = 0;"):
            self.refused("is no fixed-width number, enum, or struct defined before", [member])

    def test_refuses_members_out_of_form(self):
        self.refused("member must read", ["std::uint64_t a;"])
        self.refused("member must read", ["std::uint64_t a = 0, b = 0;"])

    def test_refuses_a_struct_without_version(self):
        self.refused("struct Sample has no kVersion", ["std::uint64_t a = 0;"], version="")

    def test_refuses_an_array_of_unknown_length(self):
        self.refused("'kMissing' is no known constant", ["std::array<double, kMissing> a{};"])

    def test_refuses_a_struct_without_end(self):
        self.refused("has no end", ["std::uint64_t a = 0;"], end="")


if __name__ == "__main__":
    unittest.main()

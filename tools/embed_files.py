#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns a folder into a C++ file that holds its files, compressed, as a table for sinew/web/static_files.h.

Usage: embed_files.py FOLDER OUTPUT.cc [FUNCTION]

FUNCTION, in namespace sinew::web, gives the table (pendant_files unless said otherwise). A folder that is not there makes an
empty table. The same files make the same output, which is written only when it changes.
"""

import gzip
import hashlib
import pathlib
import sys

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".glb": "model/gltf-binary",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
PLAIN_LETTERS = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")
BYTES_IN_A_LINE = 40


def paths_in(folder):
    """Of all files below it, in order; what is hidden or is no file of its own is left out."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in relative.parts):
            yield relative


def literal(content):
    lines = (content[i:i + BYTES_IN_A_LINE] for i in range(0, len(content), BYTES_IN_A_LINE))
    return "\n".join('    "' + "".join(f"\\{byte:03o}" for byte in line) + '"' for line in lines)


def row(folder, path, number):
    name = "/" + path.as_posix()
    if not set(name.encode()) <= PLAIN_LETTERS:
        sys.exit(f"embed_files.py: '{name}' has letters in its name that a URL must escape: rename it")
    content = (folder / path).read_bytes()
    packed = gzip.compress(content, compresslevel=9, mtime=0)
    kind = TYPES.get(path.suffix, "application/octet-stream")
    etag = hashlib.sha256(content).hexdigest()[:20]
    definition = f"constexpr char kFile{number}[] =\n{literal(packed)};\n"
    entry = f'      {{"{name}", "{kind}", "\\"{etag}\\"", bytes_of(kFile{number}, sizeof kFile{number} - 1)}},\n'
    return definition, entry


def text_of(folder, function):
    rows = [row(folder, path, number) for number, path in enumerate(paths_in(folder) if folder.is_dir() else [])]
    table = (f"  static const std::array<StaticFile, {len(rows)}> files{{{{\n{''.join(entry for _, entry in rows)}  }}}};\n"
             "  return files;\n") if rows else "  return {};\n"
    bytes_of = """std::span<const std::byte> bytes_of(const char* content, std::size_t size) {
  return std::as_bytes(std::span(content, size));
}
""" if rows else ""
    return f"""// SPDX-License-Identifier: BSD-3-Clause
// Made by tools/embed_files.py; not to be edited.
#include <array>
#include <cstddef>
#include <span>

#include "sinew/web/static_files.h"

namespace sinew::web {{
namespace {{
{''.join(definition for definition, _ in rows)}{bytes_of}}}  // namespace

std::span<const StaticFile> {function}();
std::span<const StaticFile> {function}() {{
{table}}}

}}  // namespace sinew::web
"""


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    text = text_of(pathlib.Path(sys.argv[1]), sys.argv[3] if len(sys.argv) == 4 else "pendant_files")
    output = pathlib.Path(sys.argv[2])
    if not output.exists() or output.read_text(encoding="ascii") != text:
        output.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Make the symbol table that an image carries of itself.

  symbols.py NM IMAGE OUT.S      run NM on a linked IMAGE, write assembly for the second link

The table holds the functions between __image_start and __image_text_end, as offsets from __image_start: adding the
table behind them moves none of them.
"""
import subprocess
import sys


def main():
    if len(sys.argv) != 4 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    symbols, edges = {}, {}
    for line in subprocess.run([sys.argv[1], sys.argv[2]], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) != 3:
            continue
        at, kind, name = int(words[0], 16), words[1], words[2]
        if name in ("__image_start", "__image_text_end"):
            edges[name] = at
        elif kind in "tTwW" and not name.startswith((".", "__")):
            symbols.setdefault(at, name)
    start, end = edges["__image_start"], edges["__image_text_end"]
    rows = sorted((at - start, name) for at, name in symbols.items() if start <= at < end)
    out = ["/* Made by kernel/symbols.py. */", '    .section .symbols, "a"', "    .balign 4",
           "    .globl __symbols, __symbol_count, __symbol_names", "__symbol_count:", f"    .4byte {len(rows)}", "__symbols:"]
    offset = 0
    for at, name in rows:
        out.append(f"    .4byte {at}, {offset}")
        offset += len(name) + 1
    out.append("__symbol_names:")
    out += [f'    .asciz "{name}"' for _, name in rows]
    with open(sys.argv[3], "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Encodings that the kernel must recognise in a task's code, taken from the instruction table.

  gen_forms.py linx.isa OUT.h

For each form below: <ID>_MASK, <ID>_MATCH, and <ID>_<field>_LSB / _BITS for its one-piece fields.
"""
import re
import sys

FORMS = """C_BSTART_VPAR C_BSTART_VSEQ C_BSTART_MPAR C_BSTART_MSEQ BSTART_VPAR BSTART_VSEQ BSTART_MPAR BSTART_MSEQ
B_TEXT B_CATR B_IOS B_IOT_SRC2 B_IOT_SRC1 B_IOT_SRC0""".split()


def main():
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    rows = {}
    for line in open(sys.argv[1], encoding="utf-8"):
        words = line.split(";")[0].split()
        if len(words) >= 5 and words[0] in FORMS:
            rows[words[0]] = words
    out = ["/* Made by kernel/gen_forms.py from toolchain/isa/linx.isa. */", "#ifndef KERNEL_FORMS_H", "#define KERNEL_FORMS_H"]
    for form in FORMS:
        if form not in rows:
            sys.exit(f"{sys.argv[1]}: no form '{form}'")
        words = rows[form]
        out += [f"#define {form}_MASK 0x{words[3]}", f"#define {form}_MATCH 0x{words[4]}"]
        for field in words[5:]:
            m = re.fullmatch(r"(\w+)(?::[su])?(?:\*\d+)?=(\d+):(\d+)", field)
            if m:
                out += [f"#define {form}_{m[1]}_LSB {m[3]}", f"#define {form}_{m[1]}_BITS {int(m[2]) - int(m[3]) + 1}"]
    out.append("#endif")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


main()

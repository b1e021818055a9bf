#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Optional parts of the kernel (docs/design.md, "Parts"): linked where a program uses them, and nowhere else."""
import pathlib
import re
import subprocess
import sys

IMAGES = "build/images"
USERS = {"gang": "gang", "share": "test_space", "block": "libc-disk", "handler": "exceptions"}      # part: an image that uses it


def text_bytes(image):
    """Bytes of each part's text, by the borders that linker.ld sets."""
    out = subprocess.run(["build/bin/linx-nm", f"{IMAGES}/{image}.elf"], capture_output=True, text=True, check=True).stdout
    at = {w[2]: int(w[0], 16) for w in map(str.split, out.splitlines()) if len(w) == 3}
    return {part: at[f"__{part}_text_end"] - at[f"__{part}_text"] for part in USERS}, at


def main():
    done = subprocess.run(["build/bin/linx-sim", "--max-insns", "10000000", f"{IMAGES}/test_parts.elf"], capture_output=True, text=True,
                          check=False)
    print(done.stdout, end="")
    if done.returncode != 0 and "not ok" not in done.stdout:
        sys.exit(f"test_parts: status {done.returncode}")
    sizes, symbols = text_bytes("test_parts")
    for part, user in USERS.items():
        left = [name for name in symbols if re.match(rf"(sys|linx)_({part}|mem_{part}|fault_{part})", name)]
        print(f"ok no {part} in an image that does not use it" if sizes[part] == 0 and not left else
              f"not ok no {part} in an image that does not use it: {sizes[part]} bytes, {left}")
        if not pathlib.Path(f"{IMAGES}/{user}.elf").exists():
            print(f"skip {part} is in the image of {user}: not built (make libc)")
            continue
        used = text_bytes(user)[0][part]
        print(f"ok {part} is in the image of {user}" if used > 0 else f"not ok {part} is in the image of {user}")
        print(f"# {part}: {used} bytes of text")


main()

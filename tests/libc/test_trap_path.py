#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/check-trap-path.py: holds for the images with a C library, and finds what it has to find."""
import pathlib, subprocess, sys

root = pathlib.Path(__file__).resolve().parents[2]
build = root / "build"
images = [p for p in [*(build / "images").glob("*.elf"), *(build / "newlib/images").glob("*.elf")] if p.name.startswith(("shell", "hello-", "libc-"))]
if not images:
    print("skip trap path: no image with a C library (make libc)")
    sys.exit(0)

def check(*args):
    return subprocess.run([root / "scripts/check-trap-path.py", build / "bin", *args], capture_output=True, text=True)

for image in sorted(images):
    p = check(image)
    name = f"trap path of {image.stem}" + (" with newlib" if "newlib" in image.parts else "")
    print(f"ok {name}" if p.returncode == 0 else f"not ok {name}: {p.stderr[:300]}")
    print("#", p.stdout.strip())

# Without the leave for the save and restore sequence its own blocks are found: TSTORE, TLOAD, ESAVE, ERCOV.
p = check(images[0], "wide_guarded_end", "wide_guarded_end")
found = [k for k in ("TSTORE", "TLOAD") if k in p.stderr]
print("ok a data block in the trap path is found" if p.returncode == 1 and len(found) == 2 else
      f"not ok a data block in the trap path is found: status {p.returncode}, {found}: {p.stderr[:200]}")
p = check(build / "bin/linx-sim")
print("ok an image without the kernel is refused" if p.returncode == 2 else f"not ok an image without the kernel is refused: {p.returncode}")

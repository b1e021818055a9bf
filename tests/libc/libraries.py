# SPDX-License-Identifier: BSD-2-Clause
"""The C libraries that were built: picolibc below build, newlib below build/newlib (lib/libc/build.sh)."""
import pathlib

root = pathlib.Path(__file__).resolve().parents[2]

class Library:
    def __init__(self, where):
        self.root = where                       # lib, sysroot, images, libc
        self.images = where / "images"
        marker = where / "libc/.library"
        self.name = marker.read_text().strip() if marker.exists() and (where / "lib/libc.a").exists() else None

    def label(self, text):                      # picolibc is what a test's name does not mention
        return text if self.name == "picolibc" else f"{self.name}: {text}"

def built():
    return [l for l in (Library(root / "build"), Library(root / "build/newlib")) if l.name]

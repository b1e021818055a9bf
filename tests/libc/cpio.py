# SPDX-License-Identifier: BSD-2-Clause
"""Writes a cpio archive ("newc"), so that tests need no cpio command."""

def archive(files):
    """files: {name: bytes, or None for a directory}. The archive as bytes."""
    out = bytearray()
    for ino, (name, data) in enumerate([*files.items(), ("TRAILER!!!", b"")], 1):
        mode = 0o40755 if data is None else 0o100644
        fields = (ino, mode, 0, 0, 1, 0, len(data or b""), 0, 0, 0, 0, len(name) + 1, 0)
        out += b"070701" + b"".join(b"%08x" % f for f in fields) + name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + (data or b"")
        out += b"\0" * (-len(out) % 4)
    return bytes(out)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""demos/image: pictures filtered by preempted vector tasks equal the same filters computed here, byte for byte."""
import random
import re
import subprocess
import sys
import tempfile

SIM, IMAGE = "build/bin/linx-sim", "build/images/image.elf"


def picture(kind, w, h, seed):
    """A PGM (channels 1) or PPM (3) with edges, gradients and noise."""
    rnd, channels = random.Random(seed), 1 if kind == "P5" else 3
    data = bytearray()
    for y in range(h):
        for x in range(w):
            for c in range(channels):
                v = (x * 3 + y * (c + 1)) % 256 if (x // 9 + y // 7) % 2 else rnd.randrange(256)
                data.append(255 if (x - w // 2) ** 2 + (y - h // 2) ** 2 < (min(w, h) // 3) ** 2 else v)
    return f"{kind}\n# made for a test\n{w} {h}\n255\n".encode() + bytes(data), data


def grey(kind, w, h, data):
    if kind == "P5":
        return [data[y * w:(y + 1) * w] for y in range(h)]
    return [[(77 * data[i] + 150 * data[i + 1] + 29 * data[i + 2]) >> 8 for i in range(3 * y * w, 3 * (y + 1) * w, 3)]
            for y in range(h)]


def filters(rows, w, h):
    def at(x, y):
        return rows[min(max(y, 0), h - 1)][min(max(x, 0), w - 1)]
    blur, sobel, bins = bytearray(), bytearray(), [0] * 256
    for y in range(h):
        for x in range(w):
            a = [at(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
            blur.append((a[0] + 2 * a[1] + a[2] + 2 * a[3] + 4 * a[4] + 2 * a[5] + a[6] + 2 * a[7] + a[8] + 8) >> 4)
            gx = a[2] - a[0] + 2 * (a[5] - a[3]) + a[8] - a[6]
            gy = a[6] - a[0] + 2 * (a[7] - a[1]) + a[8] - a[2]
            sobel.append(min(255, abs(gx) + abs(gy)))
            bins[a[4]] += 1
    return {"blur": bytes(blur), "sobel": bytes(sobel), "histogram": bins}


def run(data, options):
    with tempfile.NamedTemporaryFile(suffix=".ppm") as f:
        f.write(data)
        f.flush()
        return subprocess.run([SIM, IMAGE, "-initrd", f.name, "--max-insns", "400000000"] + options, capture_output=True,
                              text=True)


def results(text):
    got = {}
    for m in re.finditer(r"^image (\w+) (\d+) (\d+)\n((?:[0-9a-f]+\n)*)end$", text, re.M):
        got[m[1]] = bytes.fromhex(m[4].replace("\n", ""))
    m = re.search(r"^histogram((?: \d+)+)$", text, re.M)
    if m:
        got["histogram"] = [int(v) for v in m[1].split()]
    return got


def main():
    for kind, w, h, options in (("P5", 160, 120, []), ("P6", 97, 61, []), ("P5", 40, 24, ["--preempt-every", "1"]),
                                ("P6", 65, 33, ["--preempt-every", "13"])):
        name = f"image {kind} {w}x{h} {' '.join(options)}".strip()
        data, raw = picture(kind, w, h, w)
        want = filters(grey(kind, w, h, raw), w, h)
        r = run(data, options)
        got = results(r.stdout)
        wrong = [k for k in want if got.get(k) != want[k]]
        if r.returncode != 0 or wrong:
            print(f"not ok {name}: exit {r.returncode}, wrong: {', '.join(wrong) or 'nothing'}; {r.stderr[:200]}")
        else:
            print(f"ok {name}")
        for line in r.stdout.splitlines():
            if line.startswith("task "):
                print(f"# {line}")
    for name, data in (("no picture", b"hello"), ("cut off picture", b"P5 100 100 255\n12345"), ("deep picture", b"P5 4 4 65535\n")):
        r = run(data, [])
        print(f"ok image refuses: {name}" if r.returncode == 1 and "image: " in r.stdout else
              f"not ok image refuses: {name}: exit {r.returncode}: {r.stdout}{r.stderr[:200]}")


if not __import__("os").path.exists(IMAGE):
    sys.exit(f"{IMAGE} is missing: make kernel")
main()

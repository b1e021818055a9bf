#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""FP64 exp and log in all four modes against decimal arithmetic; the argument is the path of fp_test."""
import decimal, random, struct, subprocess, sys

decimal.getcontext().prec = 60
decimal.getcontext().Emin, decimal.getcontext().Emax = -10**6, 10**6
D = decimal.Decimal
MAX = D(sys.float_info.max)


def bits(x): return struct.unpack("<Q", struct.pack("<d", x))[0]
def flt(b): return struct.unpack("<d", struct.pack("<Q", b))[0]


def rounded(e):
    """The irrational decimal e in the modes RNE, RTZ, RDN, RUP, as bit patterns."""
    sign, e = (1 << 63, -e) if e < 0 else (0, e)
    if e > MAX:
        low, high, up = bits(sys.float_info.max), 0x7FF0000000000000, D(2) ** 1024
    else:
        low = bits(float(e))
        while D(flt(low)) > e:
            low -= 1
        while low < 0x7FEFFFFFFFFFFFFF and D(flt(low + 1)) <= e:
            low += 1
        high = low + 1                  # patterns of positive numbers are in the order of their values
        up = D(2) ** 1024 if high == 0x7FF0000000000000 else D(flt(high))
    near = low if e - D(flt(low)) < up - e else high
    return [sign | r for r in (near, low, *((high, low) if sign else (low, high)))]


def compare(name, args, function):
    query = "".join(f"{a:x} {rm}\n" for a in args for rm in range(4))
    out = subprocess.run([sys.argv[1], name + "64"], input=query, capture_output=True, text=True, check=True).stdout.split()
    got = [int(x, 16) for x in out]
    bad = []
    for i, a in enumerate(args):
        for rm, want in enumerate(rounded(function(D(flt(a))))):
            if got[4 * i + rm] != want:
                bad.append(f"x={a:016x} mode {rm}: got {got[4 * i + rm]:016x}, want {want:016x}")
    print(f"not ok fp f64 {name} correctly rounded: {len(bad)} of {len(got)} differ, first {bad[0]}" if bad
          else f"ok fp f64 {name} correctly rounded ({len(got)} results)")


rng = random.Random(7)
edges = [0x3FE00000000000BB, 0xBFDFFFFFFFFFFE9E, 0x3E1FFFFFFFFFFFFF, 0xBE30000000000001, 0x40862E42FEFA39EF, 0x40862E42FEFA39F0,
         0xC0874910D52D3051, 0xC0874910D52D3052, 0xC087000000000000, 0x3C90000000000000, 0xBC90000000000000, 0x3CA0000000000001]
compare("exp", edges + [bits(rng.uniform(-745, 710)) for _ in range(700)]
        + [bits(rng.uniform(-1, 1) * 2.0 ** rng.randint(-58, 9)) for _ in range(800)], D.exp)
edges = [1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x3FEFFFFFFFFFFFFF, 0x3FF0000000000001, 0x4000000000000000,
         0x3FF6A09E667F3BCC, 0x3FF6A09E667F3BCD, 0x3FE6A09E667F3BCD, 0x4005BF0A8B145769]
near_one = [bits(1 + rng.uniform(-1, 1) * 2.0 ** -rng.randint(1, 50)) for _ in range(500)]
compare("log", edges + [rng.getrandbits(63) % 0x7FF0000000000000 for _ in range(700)]
        + [a for a in near_one if flt(a) != 1], D.ln)

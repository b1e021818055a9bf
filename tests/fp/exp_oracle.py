#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""FP64 exp in all four modes against decimal arithmetic; the argument is the path of fp_test."""
import decimal, random, struct, subprocess, sys

decimal.getcontext().prec = 60
decimal.getcontext().Emin, decimal.getcontext().Emax = -10**6, 10**6
MAX = decimal.Decimal(sys.float_info.max)
# Arguments whose results are hardest to round in some mode (found by search, here and in the literature).
HARD = [0x3E46A09E667F3BCD, 0x3FE00000000000BB, 0x4029ECEE8A8A8A8A, 0xBFDFFFFFFFFFFE9E, 0x3E1FFFFFFFFFFFFF,
        0xBE30000000000001, 0x40862E42FEFA39EF, 0x40862E42FEFA39F0, 0xC0874910D52D3051, 0xC0874910D52D3052,
        0xC087000000000000, 0x3C90000000000000, 0xBC90000000000000, 0x3CA0000000000001]

def bits(x): return struct.unpack("<Q", struct.pack("<d", x))[0]
def flt(b): return struct.unpack("<d", struct.pack("<Q", b))[0]

def neighbours(e):
    """The doubles just below and above the positive decimal e, as bit patterns (they are ordered like integers)."""
    if e > MAX:
        return bits(sys.float_info.max), 0x7FF0000000000000
    lo = bits(float(e))
    while decimal.Decimal(flt(lo)) > e:
        lo -= 1
    while lo < 0x7FEFFFFFFFFFFFFF and decimal.Decimal(flt(lo + 1)) <= e:
        lo += 1
    return lo, lo + 1

rng = random.Random(7)
args = HARD + [bits(rng.uniform(-745, 710)) for _ in range(700)] + [bits(rng.uniform(-1, 1) * 2.0 ** rng.randint(-58, 9)) for _ in range(800)]
query = "".join(f"{a:x} {rm}\n" for a in args for rm in range(4))
got = [int(x, 16) for x in subprocess.run([sys.argv[1], "exp64"], input=query, capture_output=True, text=True, check=True).stdout.split()]
bad, i = [], 0
for a in args:
    e = decimal.Decimal(flt(a)).exp()
    lo, hi = neighbours(e)
    top = decimal.Decimal(2) ** 1024
    up = top if hi == 0x7FF0000000000000 else decimal.Decimal(flt(hi))
    nearest = lo if e - decimal.Decimal(flt(lo)) < up - e else hi
    for rm, want in enumerate((nearest, lo, lo, hi)):
        if got[i] != want:
            bad.append(f"x={a:016x} mode {rm}: got {got[i]:016x}, want {want:016x}")
        i += 1
print(f"not ok fp f64 exp correctly rounded: {len(bad)} of {i} differ, first {bad[0]}" if bad
      else f"ok fp f64 exp correctly rounded ({i} results)")

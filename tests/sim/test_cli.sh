#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Command line: options, refusals, bad images, exit status, trace, statistics, state dump.
sim=build/bin/linx-sim
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
make -s sim >&2 || exit 1

refuses() { # NAME TEXT ARGS...   exit status 2 and TEXT in the message
    local name=$1 text=$2 st; shift 2
    "$sim" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; st=$?
    if [ $st -eq 2 ] && grep -q -- "$text" "$tmp/err"; then echo "ok $name"
    else echo "not ok $name: status $st: $(head -c 200 "$tmp/err")"; fi
}
"$sim" --help | grep -q -- --preempt-every && echo "ok help" || echo "not ok help: --preempt-every missing"
"$sim" --version | grep -q linx-sim && echo "ok version" || echo "not ok version: no name"
refuses "no image" "no image"
refuses "two images" "already an image" a b
refuses "unknown option" "unknown option" --frobnicate 1 x
refuses "missing argument" "needs an argument" x -m
refuses "bad number" "not a number" -m 12x x
refuses "bad smp" "1..16 cores" -smp cores=17,pes=1 x
refuses "three PEs" "1, 2 or 4 PEs" -smp cores=1,pes=3 x
refuses "bad machine" "only machine" -M sifive_u x
refuses "bad groups" "1, 2 or 4" --groups 3 x
refuses "bad log item" "none of insn" -d everything x
refuses "bad serial" "use stdio" -serial tcp:1 x
refuses "absent image" "No such file" "$tmp/absent"
echo hello >"$tmp/text"
refuses "not ELF" "not an ELF file" "$tmp/text"
refuses "RAM over devices" "covers device" -M virt,ram-base=0 -m 1G "$tmp/text"

# A small image made by hand: prints "ok", loops n times, exits with the code in a0's place.
python3 - "$tmp" <<'P'
import struct, sys
def elf(machine=233, entry=0x80000000, paddr=0x80000000, etype=2, cls=2, data=1, filesz=None, code=b""):
    fs = len(code) if filesz is None else filesz
    eh = b"\x7fELF" + bytes([cls, data, 1]) + bytes(9) + struct.pack("<HHIQQQIHHHHHH", etype, machine, 1, entry, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    ph = struct.pack("<IIQQQQQQ", 1, 5, 120, paddr, paddr, fs, max(fs, len(code)), 8)
    return eh + ph + code
def w(*xs): return b"".join(x.to_bytes(n, "little") for x, n in xs)
lis = lambda rd, v: ((v & 0xfffff) << 28 | rd << 23 | 0x0d << 16 | (v >> 20 & 0xfff) << 4 | 0xe, 6)
swi = lambda src, base: (0x2059 | src << 15 | base << 20, 4)
sbi = lambda src, base: (0x0059 | src << 15 | base << 20, 4)
good = w((0x0800, 2), lis(4, 0x10000000), lis(5, ord("o")), sbi(5, 4), lis(5, ord("k")), sbi(5, 4), lis(5, 10), sbi(5, 4),
         lis(4, 0x100000), lis(5, 0x73333), swi(5, 4), (0, 2))
hang = w((0x0800, 2), (0x0000fff2, 2))            # C.BSTART DIRECT -2
sleep = w((0x0840, 2), (0x0020002b, 4), (0, 2))   # BWI with nothing to wake it
undef = w((0x0800, 2), (0x0608, 2), lis(4, 0x100000), lis(5, 0x5555), swi(5, 4), (0, 2))     # C.ADD t#1, zero
liu = lambda rd, v: ((v & 0xfffff) << 28 | rd << 23 | 0x1d << 16 | (v >> 20 & 0xfff) << 4 | 0xe, 6)
# counts its starts at 0x80100000, resets the machine after the first, ends with 9 after the second
reset = w((0x0800, 2), liu(4, 0x80100000), (0x2019 | 5 << 7 | 4 << 15, 4), (0x15 | 5 << 7 | 5 << 15 | 1 << 20, 4), swi(5, 4), lis(4, 0x100000),
          (0x3001 | 11 << 15, 4), (0x75 | 5 << 15 | 2 << 20, 4), (0x0800, 2), lis(5, 0x7777), swi(5, 4), (0, 2),
          (0x0800, 2), lis(5, 0x95555), swi(5, 4), (0, 2))
trap = w((0x0800, 2), (0x0010102b, 4), (0, 2))    # EBREAK, EVBASE 0
d = sys.argv[1] + "/"
for name, image in dict(good=elf(code=good), hang=elf(code=hang), sleep=elf(code=sleep), trap=elf(code=trap), undef=elf(code=undef), reset=elf(code=reset),
        machine=elf(machine=243, code=good), entry=elf(entry=0x1000, code=good), odd=elf(entry=0x80000001, code=good),
        outside=elf(paddr=0x1000, code=good), rel=elf(etype=1, code=good), elf32=elf(cls=1, code=good), big=elf(data=2, code=good),
        short=elf(filesz=4096, code=good), low=elf(entry=0x20000000, paddr=0x20000000, code=good)).items():
    open(d + name, "wb").write(image)
P
refuses "wrong machine" "machine 243 is not Linx" "$tmp/machine"
refuses "entry outside RAM" "entry point 0x1000 is not in RAM" "$tmp/entry"
refuses "odd entry" "is odd" "$tmp/odd"
refuses "segment outside RAM" "outside RAM" "$tmp/outside"
refuses "object file" "not an executable" "$tmp/rel"
refuses "32-bit file" "64-bit" "$tmp/elf32"
refuses "big-endian file" "little-endian" "$tmp/big"
refuses "file cut short" "past the end" "$tmp/short"
refuses "initrd absent" "No such file" -initrd "$tmp/none" "$tmp/good"

out=$("$sim" "$tmp/good" </dev/null); st=$?
[ "$out" = ok ] && [ $st -eq 7 ] && echo "ok runs, exit status 7" || echo "not ok runs, exit status 7: '$out' status $st"
"$sim" -M virt,ram-base=0x20000000 -serial "file:$tmp/ser" -nographic -smp 1 -m 1M -kernel "$tmp/low" -append "a=b" </dev/null; st=$?
[ $st -eq 7 ] && [ "$(cat "$tmp/ser")" = ok ] && echo "ok QEMU's options, other RAM base" || echo "not ok QEMU's options, other RAM base: status $st"
"$sim" -d insn,trap -D "$tmp/log" --stats "$tmp/stats" "$tmp/good" </dev/null >/dev/null
grep -q '^insn 0 3 0x8000000e 00428059 4 SBI a3 a2 | W 0x10000000 1 0x6f$' "$tmp/log" && echo "ok trace line" ||
    echo "not ok trace line: $(sed -n 4p "$tmp/log")"
python3 - "$tmp/stats" <<'P'
import json, sys
s = json.load(open(sys.argv[1]))
p = s["pes"][0]
print("ok statistics" if p["insns"] == 11 and p["blocks"]["std"] == 1 and p["insns_acr"][0] == 11 else f"not ok statistics: {p}")
P
timeout 20 "$sim" "$tmp/reset" </dev/null; st=$?
[ $st -eq 9 ] && echo "ok reset through the finisher" || echo "not ok reset through the finisher: status $st"
"$sim" --strict "$tmp/undef" </dev/null 2>"$tmp/err"; st=$?
[ $st -eq 0 ] && grep -q 'reads t#1, which was never written, at 0x80000002' "$tmp/err" && echo "ok strict: undefined T" ||
    echo "not ok strict: undefined T: status $st $(cat "$tmp/err")"
ends() { # NAME STATUS TEXT ARGS...
    local name=$1 want=$2 text=$3 st; shift 3
    timeout 20 "$sim" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; st=$?
    if [ $st -eq "$want" ] && grep -q -- "$text" "$tmp/err" && grep -q "BPC " "$tmp/err" && grep -q "STD block\|SYS block" "$tmp/err"; then echo "ok $name"
    else echo "not ok $name: status $st: $(head -3 "$tmp/err" | tr '\n' ' ')"; fi
}
ends "max-insns" 124 "max-insns" --max-insns 1000 "$tmp/hang"
ends "asleep for ever" 1 "nothing can wake" -serial null "$tmp/sleep"
ends "trap without handler" 1 "no handler" "$tmp/trap"
ends "eight sleeping PEs" 1 "nothing can wake" -serial null -smp cores=2,pes=4 "$tmp/sleep"

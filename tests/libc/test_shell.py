#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The shell: its commands by script and by keyboard, programs as tasks, sizes, and instructions from power-on to the prompt."""
import json, pathlib, re, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/libc"))
import cpio

images = root / "build/images"
shell = images / "shell.elf"
if not shell.exists():
    print("skip shell: not built (make libc)")
    sys.exit(0)

def check(name, good, why=""):
    print(f"ok {name}" if good else f"not ok {name}: {why}")

def boot(keys="", files=None, options=(), append=""):
    with tempfile.TemporaryDirectory() as d:
        d = pathlib.Path(d)
        (d / "initrd").write_bytes(cpio.archive(files or {}))
        try:
            p = subprocess.run([root / "build/bin/linx-sim", "-m", "64M", "--max-insns", "400000000", "-initrd", d / "initrd",
                                "--stats", d / "stats", *(["-append", append] if append else []), *options, shell],
                               input=keys, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return -1, "no end", {}
        stats = json.loads((d / "stats").read_text()) if (d / "stats").exists() else {}
        return p.returncode, p.stdout, stats

LUA = b"""local words = {}
for line in io.lines("/data/words") do words[#words + 1] = line end
table.sort(words)
print("sorted", table.concat(words, " "), string.format("%.3f", math.sqrt(2)))
os.exit(#words)
"""
files = {
    "data": None, "data/words": b"pear\napple\nfig\n", "sort.lua": LUA,
    "all.sh": b"ls /\ncat /data/words\ncat /none\necho kept whole > /tmp/note\ncat /tmp/note\nrun primes 1000\nrun vector 20\n"
              b"run primes 300000 &\nps\ntop 2\nfree\npreempt\ndmesg\nkill 12345\nnonsense\nrun nothing\necho end of all.sh\n",
}
status, text, stats = boot(files=files, append="script=/all.sh")
for what, want in (("ls of the initrd", "data/\n"), ("cat", "pear\napple\nfig"), ("cat of a missing file", "/none: No such file"),
                   ("a file written and read", "kept whole\n> run primes"), ("a scalar program", "primes: 168 up to 1000"),
                   ("a vector program", "vector: 20 runs, 0 wrong"), ("a program in the background", "primes "),
                   ("ps and top", "running"), ("free", "C heap:"), ("preempt", "engine states saved"),
                   ("kill of no task", "kill: 12345: no such task"), ("an unknown command", "nonsense: no such command"),
                   ("an unknown program", "run: there is no such program"), ("the end of the script", "end of all.sh")):
    check(f"shell: {what}", want in text, f"'{want}' is not in the output (status {status}): {text[-300:]!r}")
check("shell: a script's status ends the machine", status == 0, f"status {status}")

has_lua = "Lua" in text or (root / "build/libc/lua/liblua.a").exists()
if has_lua:
    for every in (None, 97):
        status, text, _ = boot(files=files | {"lua.sh": b"run vector 200 &\nrun lua /sort.lua\n"}, append="script=/lua.sh",
                               options=[] if every is None else ["--preempt-every", str(every)])
        name = "shell: Lua beside a vector task" + ("" if every is None else f", preempted every {every} instructions")
        check(name, "sorted\tapple fig pear\t1.414\n" in text and status == 3, f"status {status}: {text[-300:]!r}")
else:
    print("skip shell: Lua: its source could not be fetched")

BENCHMARKS = b"run vector 400 &\nrun dhrystone 3000 &\nrun coremark\nrun dhrystone\n"
if "coremark_main" not in subprocess.run([root / "build/bin/linx-nm", shell], capture_output=True, text=True).stdout:
    print("skip shell: CoreMark and Dhrystone: their sources could not be fetched")
else:
    for every in (None, 97):
        status, text, _ = boot(files={"bench.sh": BENCHMARKS}, append="script=/bench.sh",
                               options=[] if every is None else ["--preempt-every", str(every)])
        note = " beside a vector task" + ("" if every is None else f", preempted every {every} instructions")
        want = "2K performance run parameters", "crcfinal", "Correct operation validated", "CoreMark 1.0 : ", "vector: 400 runs, 0 wrong"
        check(f"shell: CoreMark prints a valid run{note}", all(w in text for w in want) and "ERROR" not in text, text[-600:])
        check(f"shell: Dhrystone's final values{note}", text.count("final values right") == 2 and status == 0, text[-300:])
        if every is None:
            print("# CoreMark: " + re.search(r"Iterations/Sec +: (\S+)", text)[1] + " iterations per million instructions")
            print("#", re.search(r"dhrystone: 10000.*", text)[0])

status, text, _ = boot(keys="echp\b\bho ab\x17typed \"two  words\"\ncat \x15pwd\nexit 5\n")
check("shell: line editing", "\ntyped two  words\n" in text and "pwd: no such command" in text and status == 5,
      f"status {status}: {text[-400:]!r}")
status, text, _ = boot(keys="\x04")
check("shell: end of input", status == 0 and text.rstrip().endswith("$"), f"status {status}: {text[-200:]!r}")
status, text, stats = boot(keys="exit\n")
insns = stats.get("pes", [{}])[0].get("insns", 10**9)
check("shell: power-on to the prompt in at most 3 million instructions", insns <= 3_000_000, f"{insns}")
print(f"# power-on to the prompt and exit: {insns} instructions")

def image_bytes(image):                 # text, read-only data and data: what is loaded
    out = subprocess.run([root / "build/bin/linx-size", image], capture_output=True, text=True).stdout.splitlines()[1].split()
    return int(out[0]) + int(out[1])
for name, option, want in (("hello-libc", "one two", "hello from program with 2 arguments\n"),
                           ("hello-double", "", "the square root of 2 is 1.4142135623731\n")):
    p = subprocess.run([root / "build/bin/linx-sim", "-append", option, images / f"{name}.elf"], capture_output=True, text=True, timeout=60)
    check(f"{name} prints its line", p.returncode == 0 and p.stdout == want, f"status {p.returncode}: {p.stdout!r}")
print(f"# hello-double: {image_bytes(images / 'hello-double.elf')} bytes with the kernel")
def parts_bytes(image):                 # the text of the kernel's parts beside its base, each of which linker.ld bounds on its own
    out = subprocess.run([root / "build/bin/linx-nm", image], capture_output=True, text=True).stdout
    at = {f[2]: int(f[0], 16) for f in map(str.split, out.splitlines()) if len(f) == 3}
    return at["__parts_text_end"] - at["__parts_text"]
n, parts = image_bytes(images / "hello-libc.elf"), parts_bytes(images / "hello-libc.elf")
print(f"# hello-libc: {n} bytes with the kernel, {parts} of them parts of the kernel beside its base")
check("image size: hello-libc at most 40 KB, without the kernel's parts beside its base", n - parts <= 40 * 1024, f"{n} - {parts} bytes")
n = image_bytes(images / "shell.elf")
print(f"# shell: {n} bytes with the kernel")
check("image size: shell at most 256 KB with all of the kernel", n <= 256 * 1024, f"{n} bytes")

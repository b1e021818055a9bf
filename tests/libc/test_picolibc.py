#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Builds picolibc's own tests (its test/, test/libc-testsuite, newlib/testsuite) and runs each on the simulator.

usage: tests/libc/test_picolibc.py [-v] [NAME ...]     -v shows what a failing test printed

Each test is a program without the kernel (lib/libc/bare). It passes when it ends with status 0; those that have to fail
must end with another status of their own. What does not apply is in NOT_APPLICABLE with its reason, what fails today in
KNOWN with its reason: a known failure is reported as "skip", and one that passes now as a failure.
"""
import concurrent.futures as cf, os, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bare

root = pathlib.Path(__file__).resolve().parents[2]
os.chdir(root)
build = pathlib.Path("build")
src = build / "src/picolibc"
out = build / "libc/tests"
verbose = "-v" in sys.argv
only = [a for a in sys.argv[1:] if not a.startswith("-")]

if not (build / "lib/libc.a").exists() or not (build / "libc/picolibc/objects").exists() or not (src / "test").exists():
    print("skip picolibc: not built (make libc)")
    sys.exit(0)

FNOBUILTIN = ["-fno-builtin"]
def variant(v):                 # which printf and scanf a program gets (picolibc's printf.md)
    c = [f"-D_PICOLIBC_PRINTF='{v}'", f"-D_PICOLIBC_SCANF='{v}'"]
    return c, c if v == "d" else [f"--defsym=vfprintf=__{v}_vfprintf", f"--defsym=vfscanf=__{v}_vfscanf"]

tests = []                      # name, sources, compiler options, linker options, must fail
def add(name, sources, c=(), ld=(), fails=False):
    tests.append((name, [src / s for s in sources], list(c), [l for l in ld if l.startswith("--")], fails))

LOCKS = "test/lock-valid.c"
for v, names in (("d", ("printf_scanf", "printf-tests")), ("f", ("printff_scanff", "printff-tests")),
                 ("l", ("printfl_scanfl", None)), ("i", ("printfi_scanfi", "printfi-tests")),
                 ("m", ("printfm_scanfm", "printfm-tests"))):
    c, ld = variant(v)
    add(names[0], ["test/printf_scanf.c", LOCKS], c, ld)
    if names[1]:
        add(names[1], ["test/printf-tests.c", LOCKS], c, ld)
ci, ldi = variant("i")
cd, ldd = variant("d")
cl, ldl = variant("l")
add("time-sprintf", ["test/time-sprintf.c", LOCKS], ci + FNOBUILTIN, ldi)
add("try-ilp32", ["test/try-ilp32.c", "test/try-ilp32-sub.c", LOCKS])
add("hosted-exit", ["test/hosted-exit.c", LOCKS])
add("hosted-exit-fail", ["test/hosted-exit.c", LOCKS], ["-DRETVAL=1"], fails=True)
add("abort", ["test/abort.c", LOCKS], fails=True)
add("math_errhandling", ["test/math_errhandling.c"], FNOBUILTIN)
add("rounding-mode", ["test/rounding-mode.c", "test/rounding-mode-sub.c"], FNOBUILTIN)
add("long_double", ["test/long_double.c"], cd, ldd)
add("test-long-longl", ["test/test-long-long.c", LOCKS], cl, ldl)
add("test-long-long", ["test/test-long-long.c", LOCKS], cd, ldd)
PLAIN = """regex ungetc malloc ffs setjmp atexit on_exit timegm test-atomic test-strchr test-memchr test-memset test-put
    test-raise test-sprintf-percent-n test-ctype test-uchar test-wctomb test-scmpu test-strncpy time-tests constructor
    t_fmemopen test-vfscanf-percent-a posix-io test-fopen test-mktemp test-tmpnam test-fread-fwrite test-ungetc-ftell
    test-fgetc test-fgets-eof test-wchar fenv rand test-efcvt test-fma test-strtod complex-funcs malloc_stress math-funcs
    test-funopen tls test-memcpy_s test-memset_s test-memmove_s test-strcat_s test-strcpy_s test-strerror_s
    test-strerrorlen_s test-strncat_s test-strncpy_s test-strnlen_s test-sprintf_s""".split()
for t in PLAIN:
    add(t, [f"test/{t}.c", LOCKS], cd + [f'-DTEST_FILE_NAME="{t}.txt"'], ldd)
for t in "basename dirname fnmatch qsort snprintf sscanf string strtol wcstol strtod".split():
    add(f"libc-testsuite/{t}", [f"test/libc-testsuite/{t}.c"], cd, ldd)
XOPEN = ["-D_XOPEN_SOURCE=700", "-D_GNU_SOURCE", "-I", root / src / "newlib/testsuite/include"]
for t in """newlib.iconv/iconvjp newlib.iconv/iconvnm newlib.iconv/iconvru newlib.search/hsearchtest
    newlib.stdio/nulprintf newlib.stdlib/atexit newlib.stdlib/size_max newlib.string/memcpy-1
    newlib.string/memmove1 newlib.string/strcmp-1 newlib.string/tstring newlib.time/asctime newlib.time/tzset
    newlib.wctype/tiswctype newlib.wctype/twctrans""".split():
    add(t, [f"newlib/testsuite/{t}.c"], XOPEN)

MATH = sorted(p.name for p in (src / "newlib/libm/test").glob("*.c") if p.name not in ("dcvt.c", "test_ieee.c"))
add("libm/math_test", [f"newlib/libm/test/{m}" for m in MATH], cd, ldd)

NOT_APPLICABLE = {
    "libm/math_test's test_ieee.c": "fpsetmask and fpsetroundtoi have to remember what the core cannot do (FP never traps)",
    "stack-smash": "linx-cc has no stack protector",
    "test-except": "an exception in a program without the kernel has no handler",
    "constructor-skip": "the console needs constructors (posix-console)",
    "test-gets": "off in picolibc unless asked for",
    "test-cplusplus": "no C++ compiler",
    "test-ubsan": "no sanitizers",
    "newlib.elix/tmmap": "no mmap",
    "test-flockfile": "for native builds",
    "newlib.locale/UTF-8": "built without multibyte characters (mb-capable)",
    "newlib.stdio/swprintf": "for newlib's own stdio",
    "newlib.wctype/twctype": "for Cygwin",
}
KNOWN = {
    "math_errhandling": "clang has no -fsignaling-nans: isinf of a signalling NaN is a comparison, which raises FE_INVALID",
}

def run(test):
    name, sources, c, ld, fails = test
    base = "0x40000000" if name == "tls" else bare.BASE         # tls takes sizes as addresses: within 2 GB of the code
    options = ["-std=gnu18", "-Wno-implicit-int", "-frounding-math", "-D_TEST_LONG_DOUBLE", "-D_FORTIFY_SOURCE=3", *c]
    step, rc, text = bare.run(root / build, root / out / name.replace("/", "_"), [root / s for s in sources], options, ld, base)
    if step != "run":
        return name, step, text
    if rc == 77:
        return name, "skips itself", text
    good = rc not in (0, -1, 2, 124) if fails else rc == 0
    return name, "" if good else f"exit status {rc}", text

chosen = [t for t in tests if not only or t[0] in only]
good = bad = skipped = 0
with cf.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
    for name, why, text in pool.map(run, chosen):
        if not why and name not in KNOWN:
            good += 1
            print(f"ok {name}", flush=True)
        elif why == "skips itself":
            skipped += 1
            print(f"skip {name}: says so itself", flush=True)
        elif not why:
            bad += 1
            print(f"not ok {name}: passes now, take it off the list of known failures")
        elif name in KNOWN:
            print(f"skip {name}: known failure ({KNOWN[name]})", flush=True)
        else:
            bad += 1
            print(f"not ok {name}: {why}", flush=True)
            if verbose or why in ("compile", "link"):
                print("\n".join("# " + l[:200] for l in text.splitlines()[-12 if not verbose else -40:]), flush=True)
for name, why in NOT_APPLICABLE.items():
    if not only:
        print(f"# does not apply: {name}: {why}")
print(f"# picolibc's tests: {good} of {len(chosen) - skipped} that apply pass")

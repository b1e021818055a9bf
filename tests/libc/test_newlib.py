#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Builds newlib's own tests (newlib/testsuite) and runs each on the simulator, without the kernel.

usage: tests/libc/test_newlib.py [-v] [NAME ...]     -v shows what a failing test printed

As in newlib's test-suite a test passes when it ends with status 0, or when its output is the expected one where its .exp
file has lines. What does not apply is in NOT_APPLICABLE with its reason, what fails today in KNOWN with its reason.
"""
import concurrent.futures as cf, fnmatch, os, pathlib, re, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bare, libraries

verbose = "-v" in sys.argv
only = [a for a in sys.argv[1:] if not a.startswith("-")]
src = libraries.root / "build/src/newlib/newlib"
library = next((l for l in libraries.built() if l.name == "newlib"), None)
if library is None or not (src / "testsuite").exists():
    print("skip newlib's tests: not built (make LIBC=newlib)")
    sys.exit(0)

NOT_APPLICABLE = {
    "newlib.elix/tmmap": "no mmap",
    "newlib.iconv/iconvjp": "built without iconv, which is newlib's default",
    "newlib.iconv/iconvnm": "built without iconv, which is newlib's default",
    "newlib.iconv/iconvru": "built without iconv, which is newlib's default",
    "newlib.locale/UTF-8": "expects sequences of five and six bytes, which newlib refuses since it follows RFC 3629",
    "newlib.wctype/twctype": "expects iswalpha of a decimal digit, which newlib denies since its revision of 2017",
    "libm/test": "not part of newlib's own check: expects the results of SVID error handling and a long of 32 bits",
}
KNOWN = {}

def expected_lines(exp):            # of a .exp file that checks output
    m = re.search(r"set (?:expected_)?output \{(.*?)\}", exp.read_text(), re.S) if exp.exists() else None
    return re.findall(r'"([^"]*)"', m[1]) if m else None

def wrong_line(want, text):         # as newlib_check_output does: the first lines have to match
    lines = text.splitlines()
    for n, pattern in enumerate(want):
        if n >= len(lines) or not fnmatch.fnmatchcase(lines[n], pattern):
            return f"line {n + 1} is not '{pattern}'"
    return ""

DIALECT = ["-std=gnu17", "-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Wno-int-conversion"]
OPTIONS = [*DIALECT, "-D_XOPEN_SOURCE=700", "-D_GNU_SOURCE", "-I", src / "testsuite/include", "-I", src / "libc/locale"]

def run(test):
    source = src / "testsuite" / (test + ".c")
    step, status, text = bare.run(library.root, library.root / "libc/tests" / test.replace("/", "_"), [source], OPTIONS, [])
    if step != "run":
        return test, step, text
    want = expected_lines(source.with_suffix(".exp"))
    why = wrong_line(want, text) if want is not None else "" if status == 0 else f"exit status {status}"
    return test, why, text

# picolibc's tests of functions that newlib 3.3.0 has too, and with the same meaning; they are there when picolibc is.
THEIRS = """regex ungetc ffs setjmp atexit on_exit test-atomic test-strchr test-memchr test-memset test-put test-raise test-strncpy
    constructor posix-io test-fopen test-mktemp test-tmpnam test-fread-fwrite test-ungetc-ftell test-fgetc test-fgets-eof
    test-wchar rand malloc_stress rounding-mode time-sprintf test-long-long libc-testsuite/basename libc-testsuite/dirname
    libc-testsuite/qsort libc-testsuite/snprintf libc-testsuite/sscanf libc-testsuite/string libc-testsuite/strtod""".split()
theirs = libraries.root / "build/src/picolibc/test"

def run_theirs(test):
    sources = [theirs / f"{test}.c"] + ([theirs / "rounding-mode-sub.c"] if test == "rounding-mode" else [])
    step, status, text = bare.run(library.root, library.root / "libc/tests/theirs" / test.replace("/", "_"), sources,
                                  [*DIALECT, "-frounding-math", "-D_GNU_SOURCE", f'-DTEST_FILE_NAME="{test}.txt"'], [])
    return f"picolibc's {test}", "" if step == "run" and status == 0 else f"{step}: {status}", text

tests = [str(p.relative_to(src / "testsuite").with_suffix("")) for p in sorted((src / "testsuite").glob("newlib.*/*.c"))]
chosen = [t for t in tests if t not in NOT_APPLICABLE and (not only or t in only)]
good = 0
with cf.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
    jobs = [pool.submit(run, t) for t in chosen]
    if theirs.exists():
        jobs += [pool.submit(run_theirs, t) for t in THEIRS if not only or t in only]
    for job in jobs:
        name, why, text = job.result()
        of = "newlib: " if name.startswith("picolibc") else "newlib's "
        if (why != "") == (name in KNOWN):
            good += why == "" and of == "newlib's "
            print(f"skip {of}{name}: known failure ({KNOWN[name]})" if why else f"ok {of}{name}", flush=True)
        else:
            print(f"not ok {of}{name}: {why or 'passes now, take it off the list of known failures'}", flush=True)
            print("\n".join("# " + l[:200] for l in text.splitlines()[-40 if verbose else -12:]), flush=True)
if not only:
    for name, why in NOT_APPLICABLE.items():
        print(f"# does not apply: {name}: {why}")
print(f"# newlib's tests: {good} of {len(chosen)} that apply pass")

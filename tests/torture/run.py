#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compiles the C torture tests with linx-cc, runs them on linx-sim and writes a report.

Counted are the tests that clang-19 compiles for a freestanding riscv64 (-O2), without undefined __builtin_ symbols. A test passes
when its image ends with exit status 0. A test that fails also when clang-19 builds it for this machine is
marked "host": then it is the front end or the test itself that differs from GCC, not our target.

usage: run.py [options] [TEST...]        TEST: names like 20000112-1 or ieee/compare-fp-1
"""
import argparse, concurrent.futures as cf, json, os, pathlib, re, signal, subprocess, sys, time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--build", default=ROOT / "build", type=pathlib.Path, help="build folder")
ap.add_argument("--out", type=pathlib.Path, help="where results go (default BUILD/torture)")
ap.add_argument("-j", type=int, default=2, help="tests at once")
ap.add_argument("-O", dest="levels", action="append", help="level: 0, 2 (default both)")
ap.add_argument("-t", type=float, default=20, help="limit for one run, seconds")
ap.add_argument("--subset", type=pathlib.Path, help="file with test names, one a line")
ap.add_argument("--lazy", action="store_true", help="ask clang only about tests that fail; count the others as accepted")
ap.add_argument("--sample", type=int, default=1, metavar="N", help="every N-th test only")
ap.add_argument("--keep", action="store_true", help="keep the images of failed tests")
ap.add_argument("--failed", action="store_true", help="run what failed in the last full run again; the rest of its results stay")
ap.add_argument("tests", nargs="*")
opt = ap.parse_args()

build = opt.build.resolve()
out = (opt.out or build / "torture").resolve()
source = build / "torture/src/gcc/testsuite/gcc.c-torture/execute"
work = out / "work"
BIN = build / "bin"
levels = opt.levels or ["0", "2"]
# As GCC's own harness: no warnings, and what GCC 12 accepts with a warning is no error here.
COMMON = ["-std=gnu17", "-w", "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
          "-Wno-incompatible-function-pointer-types", "-Wno-return-type"]
SIM = [BIN / "linx-sim", "-M", "virt", "-m", "80M", "-nographic", "-kernel"]


def say(*words):
    print(*words, flush=True)


def run(cmd, limit, cwd=None):
    """(exit status or None after the limit, output). The limit is processor time: a busy machine changes nothing."""
    try:
        p = subprocess.run(["prlimit", f"--cpu={limit:.0f}"] + [str(c) for c in cmd], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30 * limit, cwd=cwd)
        return None if p.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else p.returncode, p.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as e:
        return None, (e.stdout or b"").decode(errors="replace")


def options_of(path):
    """The test's own flags: dg-options and dg-additional-options without a target selector; .x files."""
    text = path.read_text(errors="replace")
    flags = []
    for m in re.finditer(r'\{\s*dg-(?:additional-)?options\s+\{?\s*"?([^"{}]*)"?\s*\}?\s*(\{[^\n]*)?\}', text):
        if "target" not in (m.group(2) or ""):
            flags += m.group(1).split()
    x = path.with_suffix(".x")
    if x.exists():
        for m in re.finditer(r'^lappend additional_flags "([^"]*)"', x.read_text(), re.M):
            flags += m.group(1).split()
    return [f for f in flags if not f.startswith(("-O", "-Wl,"))]


def runtime():
    """Compiles start-up and library once; (objects, error)"""
    objects = []
    for name in ("crt0.S", "libc.c"):
        o = work / f"rt-{name}.o"
        status, text = run([BIN / "linx-cc", "-std=gnu17", "-O2", "-fno-builtin", "-c", HERE / "rt" / name, "-o", o], 120)
        if status != 0:
            return [], f"run-time {name}: {text}"
        objects.append(o)
    return objects, ""


# Which tests clang accepts does not change: it is asked once and kept.
known = {}


def accepted(path, flags, o):
    name = str(path.relative_to(source))
    if name not in known:
        status, _ = run(["clang-19", "--target=riscv64-unknown-elf", "-march=rv64gc", "-ffreestanding", "-O2",
                         *COMMON, *flags, "-c", path, "-o", o], 60)
        # A builtin that clang takes for an ordinary undeclared function is not accepted either.
        known[name] = status == 0 and "__builtin_" not in run(["llvm-nm-19", "-u", o], 10)[1]
        o.unlink(missing_ok=True)
    return known[name]


def host_fails(path, flags, level, name):
    exe = work / f"{name}.host"
    status, _ = run(["clang-19", f"-O{level}", *COMMON, *flags, path, "-lm", "-o", exe], 60)
    if status == 0:
        status, _ = run([exe], 10, cwd=work)
    exe.unlink(missing_ok=True)
    return status != 0


def key(path):
    return str(path.relative_to(source).with_suffix(""))


def compile_batch(batch):
    """Compiles tests that share folder, level and flags in one process; (path, level) -> error text for those
    without an object. A crash takes the whole process: what it left over is compiled one by one."""
    level, flags, paths = batch
    command = [BIN / "linx-cc", f"-O{level}", *COMMON, *flags, "-c"]
    where = folder(paths[0], level)
    where.mkdir(parents=True, exist_ok=True)
    for p in paths:
        object_of(p, level).unlink(missing_ok=True)
    if len(paths) > 1:
        run([*command, *paths], 10 * len(paths), cwd=where)
    errors = {}
    for p in paths:
        if not object_of(p, level).exists():
            status, text = run([*command, p, "-o", object_of(p, level)], 30)
            if status != 0:
                errors[p, level] = ("no end\n" if status is None else "") + text
    return errors


def folder(path, level):
    return work / f"{path.parent.name}-O{level}"


def object_of(path, level):
    return folder(path, level) / (path.stem + ".o")


def one(job):
    path, level, objects, error = job
    r = {"test": key(path), "level": level, "stage": "", "text": error or ""}
    name = key(path).replace("/", "_") + f"-O{level}"
    o, elf = object_of(path, level), work / f"{name}.elf"
    flags = options_of(path)
    if error is None:
        status, text = run([BIN / "linx-ld", "-T", HERE / "rt/link.ld", "--gc-sections",
                            "-z", "muldefs", o, *objects, # a test's own llabs or abort comes before ours
                            build / "lib/liblinx-builtins.a", "-o", elf], 30)
        if status != 0:
            r["stage"] = "link"
        else:
            status, text = run([*SIM, elf], opt.t)
            r["stage"] = "pass" if status == 0 else "no end" if status is None else "abort" if status == 134 else f"exit {status}"
        r["text"] = "" if status == 0 else text[-2000:]
    else:
        r["stage"] = "compile: no end" if error.startswith("no end") else "compile"
    if not (opt.lazy and r["stage"] == "pass") and not accepted(path, flags, work / f"{name}.riscv.o"):
        r["stage"] = "not accepted"
    elif r["stage"] != "pass":
        r["host"] = host_fails(path, flags, level, name)
    if not (opt.keep and r["stage"] not in ("pass", "not accepted")):
        elf.unlink(missing_ok=True)
    return r


REASONS = dict(line.split(" ", 1) for line in open(HERE / "reasons.txt") if not line.startswith("#"))


def reason(r):
    """One line that tells why: the known reason, else from the tool's output."""
    if r["test"] in REASONS:
        return REASONS[r["test"]].strip()
    for line in r["text"].splitlines():
        if re.search(r"error:|fatal|LLVM ERROR|Assertion|undefined reference|relocation|trap|E_[A-Z]+|Cannot select", line):
            return line.strip()[:160]
    lines = r["text"].strip().splitlines()
    return lines[-1][:160] if lines else ""


def main():
    for tool in (BIN / "linx-cc", BIN / "linx-ld", BIN / "linx-sim", build / "lib/liblinx-builtins.a"):
        if not tool.exists():
            sys.exit(f"run.py: {tool} is missing: make toolchain sim")
    if not source.is_dir():
        sys.exit(f"run.py: no tests in {source}: run tests/torture/fetch.sh {build}/torture/src")
    work.mkdir(parents=True, exist_ok=True)
    kept = []  # results of the last full run that stay
    names = opt.tests or (opt.subset.read_text().split() if opt.subset else None)
    if opt.failed:
        kept = json.load(open(out / "results.json"))
        names = sorted({r["test"] for r in json.load(open(out / "results.json")) if r["stage"] not in ("pass", "not accepted")})
    paths = [source / f"{n}.c" for n in names] if names else sorted(source.glob("*.c")) + sorted(source.glob("ieee/*.c"))
    paths = paths[::opt.sample]
    if (out / "accepted.json").exists():
        known.update(json.load(open(out / "accepted.json")))
    kept = [r for r in kept if r["test"] not in names]
    missing = [p for p in paths if not p.exists()]
    if missing:
        sys.exit(f"run.py: no such test: {missing[0]}")
    objects, error = runtime()
    if error:
        sys.exit(f"run.py: {error}")
    whole = opt.failed or (not names and opt.sample == 1)
    part = "" if whole else "-part"
    say(f"==> torture: {len(paths)} tests at -O{', -O'.join(levels)}")
    results, start, groups = list(kept), time.time(), {}
    for level in levels:
        for p in paths:
            groups.setdefault((level, tuple(options_of(p)), p.parent), []).append(p)
    batches = [(level, flags, g[i:i + 40]) for (level, flags, _), g in groups.items() for i in range(0, len(g), 40)]

    def save():
        report = write_report(results, time.time() - start, len(paths) * len(levels) + len(kept))
        (out / "accepted.json").write_text(json.dumps(known))
        (out / f"results{part}.json").write_text(json.dumps(results, indent=1))
        (out / f"report{part}.txt").write_text(report)
        return report

    with cf.ThreadPoolExecutor(opt.j) as pool:
        errors = {}
        for e in pool.map(compile_batch, batches):
            errors.update(e)
        say(f"    compiled, {len(errors)} without an object ({time.time() - start:.0f} s)")
        jobs = [(p, level, objects, errors.get((p, level))) for p in paths for level in levels]
        for i, r in enumerate(cf.as_completed([pool.submit(one, j) for j in jobs]), 1):
            results.append(r.result())
            if i % 200 == 0:
                save()
                bad = sum(x["stage"] not in ("pass", "not accepted") for x in results)
                say(f"    {i} of {len(jobs)}, {bad} failed ({time.time() - start:.0f} s)")
    report = save()
    say(report if len(report) < 6000 else report[:6000] + "…\n")
    say(f"==> torture: report in {out / f'report{part}.txt'}")
    sys.exit(any(r["stage"] not in ("pass", "not accepted") for r in results))


def write_report(results, seconds, expected):
    lines = ["C torture tests (gcc.c-torture/execute): linx-cc on linx-sim", ""]
    lines.append(f"{'level':8}{'accepted':>10}{'passed':>10}{'failed':>10}{'share':>9}   of the failed also on the host")
    for level in levels:
        mine = [r for r in results if r["level"] == level and r["stage"] != "not accepted"]
        ok = sum(r["stage"] == "pass" for r in mine)
        host = sum(bool(r.get("host")) for r in mine)
        share = 100 * ok / len(mine) if mine else 0
        lines.append(f"-O{level:6}{len(mine):>10}{ok:>10}{len(mine) - ok:>10}{share:>8.2f}%   {host}")
    if opt.lazy:
        lines.append("(clang was asked only about tests that fail: among the others may be some that it does not accept)")
    lines += ["", f"{len(results)} of {expected} runs, {seconds:.0f} s", ""]
    for host, title in ((False, "Failures"), (True, "Failures that clang has on the host too (front end or test, not target)")):
        bad = [r for r in results if r["stage"] not in ("pass", "not accepted") and bool(r.get("host")) == host]
        if not bad:
            continue
        lines.append(f"{title}: {len(bad)}")
        for r in sorted(bad, key=lambda r: (r["stage"], r["test"], r["level"])):
            lines.append(f"  {r['stage']:16} -O{r['level']} {r['test']:28} {reason(r)}")
        lines.append("")
    return "\n".join(lines) + "\n"


main()

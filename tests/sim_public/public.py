# SPDX-License-Identifier: BSD-2-Clause
"""The public Linx objects and traces (repository LinxISA/LinxCore). They are no part of this project: a bare
clone is read where it lies, $LINX_PUBLIC or ../.mirror/LinxISA+LinxCore/repo; without it the tests skip."""
import os, pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/ld"))
FOLDER = "tests/benchmarks_latest_llvm_musl"
CLONE = pathlib.Path(os.environ.get("LINX_PUBLIC", ROOT.parent / ".mirror/LinxISA+LinxCore/repo"))


def _git(*args):
    return subprocess.run(["git", "-C", str(CLONE), *args], capture_output=True)


def need(*tools):
    """Ends the test with a skip when the clone or one of our programs is missing."""
    if not CLONE.is_dir() or _git("cat-file", "-e", f"HEAD:{FOLDER}").returncode:
        print(f"skip public objects and traces: no clone of LinxISA/LinxCore at {CLONE} (set LINX_PUBLIC)")
        sys.exit(0)
    for t in tools:
        if not (ROOT / "build/bin" / t).exists():
            print(f"skip public objects and traces: build/bin/{t} is not built")
            sys.exit(0)


def read(path):
    return _git("show", f"HEAD:{FOLDER}/{path}").stdout


def names(folder, suffix):
    out = _git("ls-tree", "--name-only", f"HEAD:{FOLDER}/{folder}").stdout.decode()
    return sorted(n for n in out.split() if n.endswith(suffix))

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What linx-cc -O2 makes of small functions: the instructions that must, and must not, be there."""
import os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve() / "bin"

# name, source, patterns that must match (in this order), patterns that must not; flags
CASES = [
    ("leaf function returns by SETC.TGT ra", "int f(int a, int b) { return a + b; }",
     [r"C\.BSTART\.STD\s+RET", r"addw\s+a1, a0, ->a0", r"c\.setc\.tgt\s+ra"], [r"FENTRY", r"CALL"]),
    ("frame by FENTRY and FRET.STK", "int g(int); int f(int a) { return g(a) + a; }",
     [r"FENTRY\s+\[ra ~ s0\], sp!, 16", r"BSTART\.STD\s+CALL, g", r"setret\s+(\S+), ->ra", r"FRET\.STK\s+\[ra ~ s0\], sp!, 16"], []),
    ("tail call is a jump", "int g(int); int f(int a) { return g(a + 1); }", [r"BSTART\s+DIRECT, g"], [r"FENTRY", r"setret"]),
    ("indirect tail call", "int f(int (*p)(int), int x) { return p(x); }", [r"BSTART\.STD\s+IND", r"c\.setc\.tgt\s+x[0-3]"], [r"FENTRY"]),
    ("indirect call", "int f(int (*p)(void)) { return p() + 1; }", [r"BSTART\.STD\s+ICALL", r"setret", r"c\.setc\.tgt\s+a0"], []),
    ("compare and branch are one", "void g(void); void f(long a, long b) { if (a < b) g(); }", [r"BSTART\s+COND", r"setc\.(lt|ge)\s+a0, a1"], [r"cmp"]),
    ("compare with an extended word", "void g(void); void f(long a, unsigned b) { if (a == b) g(); }", [r"setc\.(eq|ne)\s+a0, a1\.uw"], [r"zext|bxu"]),
    ("test of a bit", "void g(void); void f(long a) { if (a & 64) g(); }", [r"andi\s+a0, 64"], [r"cmp"]),
    ("conditional value by CSEL", "long f(long c, long a, long b) { return c ? a : b; }", [r"csel\s+a0, a2, a1, ->a0"], [r"COND"]),
    ("conditional negation", "long f(long c, long a) { return c ? -a : a; }", [r"csel\s+a0, a1, a1\.neg, ->a0"], [r"COND", r"sub"]),
    ("scaled index", "long f(long *p, long i) { return p[i]; }", [r"ld\s+\[a0, a1<<3\]"], [r"slli", r"add"]),
    ("scaled index, word extended", "int f(int *p, unsigned i) { return p[i]; }", [r"lw\s+\[a0, a1\.uw<<2\]"], [r"zext", r"slli"]),
    ("store with index", "void f(short *p, long i, short v) { p[i] = v; }", [r"sh\s+a2, \[a0, a1<<1\]"], [r"slli"]),
    ("negative offset", "long f(long *p) { return p[-3]; }", [r"ldi\s+\[a0, -24\]"], [r"addi|subi"]),
    ("far offset", "int f(int *p) { return p[100000]; }", [r"hl\.lwi\s+\[a0, 400000\]"], [r"add"]),
    ("unscaled offset", "int f(char *p) { return *(int *)(p + 5); }", [r"lwi\.u\s+\[a0, 5\]"], [r"add"]),
    ("global variable by one load", "extern long v; long f(void) { return v; }", [r"hl\.ld\.pcr\s+\[v\]"], [r"addtpc"]),
    ("global variable by one store", "extern short v[]; void f(short x) { v[2] = x; }", [r"hl\.sh\.pcr\s+a0, \[v\+4\]"], [r"addtpc"]),
    ("address of a global", "extern int v; int *f(void) { return &v; }", [r"addtpc\s+%pcrel_hi\(v\)", r"addi\s+.*%lo\(v\)"], []),
    ("thread-local variable", "_Thread_local int v; int *f(void) { return &v; }", [r"ssrget\s+0", r"hl\.addi\s+.*%tprel\(v\)"], []),
    ("small constants", "int f(void) { return -7; }", [r"c\.movi\s+-7, ->a0"], []),
    ("32-bit constant", "int f(void) { return 0x12345678; }", [r"hl\.lis\s+305419896"], [r"slli|addi"]),
    ("large constant from memory", "long f(void) { return 0x123456789abcdef1; }", [r"hl\.ld\.pcr"], [r"slli"]),
    ("add of a 24-bit constant", "long f(long a) { return a - 100000; }", [r"hl\.subi\s+a0, 100000"], [r"lis"]),
    ("shifted operand", "long f(long a, long b) { return a + (b << 5); }", [r"add\s+a0, a1<<5, ->a0"], [r"slli"]),
    ("complemented operand", "long f(long a, long b) { return a & ~b; }", [r"and\s+a0, a1\.not, ->a0"], [r"xor"]),
    ("multiply and add", "long f(long a, long b, long c) { return a * b + c; }", [r"madd"], [r"mul\b"]),
    ("upper half of a product", "unsigned long f(unsigned long a, unsigned long b) { return (unsigned __int128)a * b >> 64; }", [r"hl\.mulu"], [r"CALL|__multi3"]),
    ("quotient and remainder together", "long f(long a, long b) { return a / b ^ a % b; }", [r"hl\.div\b"], [r"\brem\b"]),
    ("bit field extracted", "unsigned long f(unsigned long a) { return a >> 7 & 0x1ff; }", [r"bxu\s+a0, 7, 9"], [r"srli|andi"]),
    ("signed bit field extracted", "long f(long a) { return a << 40 >> 52; }", [r"bxs\s+a0, 12, 12"], [r"slli|srai"]),
    ("bit field cleared", "unsigned long f(unsigned long a) { return a & ~0xff0000ul; }", [r"bic\s+a0, 16, 8"], [r"\band"]),
    ("field kept in place", "unsigned long f(unsigned long a) { return a & 0xff0000ul; }", [r"bic\s+a0, 24, 56"], [r"\band"]),
    ("bits set", "unsigned long f(unsigned long a) { return a | 0xff00000000ul; }", [r"bis\s+a0, 32, 8"], [r"\bor"]),
    ("rotation", "unsigned long f(unsigned long a) { return a << 7 | a >> 57; }", [r"bxu\s+a0, 57, 64"], [r"slli"]),
    ("rotation of a word", "unsigned f(unsigned a) { return a << 7 | a >> 25; }", [r"hl\.ccatw\s+a0, a0, 7"], [r"slli"]),
    ("byte order", "unsigned long f(unsigned long a) { return __builtin_bswap64(a); }", [r"rev\s+a0, 64, 8"], [r"srli"]),
    ("bit counts", "int f(unsigned long a) { return __builtin_clzl(a) + __builtin_popcountl(a); }", [r"clz|bcnt", r"clz|bcnt"], [r"CALL"]),
    ("copy of a structure", "struct s { long a[30]; }; void f(struct s *a, struct s *b) { *a = *b; }", [r"MCOPY\s+\[a0, a1, \w+\]"], [r"memcpy"]),
    ("fill of a structure", "struct s { long a[30]; }; void f(struct s *a) { *a = (struct s){{0}}; }", [r"MSET\s+\[a0, zero, \w+\]"], [r"memset"]),
    ("short copy by loads and stores", "struct s { long a[3]; }; void f(struct s *a, struct s *b) { *a = *b; }", [r"ldi"], [r"MCOPY"]),
    ("queue values in 16-bit forms", "void f(long *a, long *b) { a[1] = b[2]; }", [r"c\.ldi\s+\[a1, 16\], ->t", r"c\.sdi\s+t#1, \[a0, 8\]"], []),
    ("queue value with a distance", "long f(long *a) { return (a[0] + 3) * (a[1] + 5); }", [r"c\.addi\s+t#1, \d, ->t", r"t#[23]"], []),
    ("no sign extension between 32-bit operations", "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + p[i]; return s; }", [r"maddw|mulw"], [r"bxs|sext"]),
    ("floating point in an FP block", "double f(double a, double b) { return a * b + 1.5; }", [r"BSTART\.FP\s+RET", r"fmadd\.fd"], [r"CALL"]),
    ("float compare and branch", "void g(void); void f(float a, float b) { if (a < b) g(); }", [r"BSTART\.FP\s+COND", r"flt\.fs", r"c\.setc"], []),
    ("conversion", "int f(double a) { return (int)a; }", [r"fcvtz\.fd2sd\s+a0"], [r"CALL"]),
    ("atomic add in a SYS block", "int f(int *p) { return __atomic_fetch_add(p, 1, 5); }", [r"BSTART\.SYS\s+FALL", r"lw\.add\.aqrl", r"BSTART\.STD\s+RET"], [r"CALL"]),
    ("compare and swap", "_Bool f(long *p, long *e, long d) { return __atomic_compare_exchange_n(p, e, d, 0, 5, 5); }", [r"BSTART\.SYS\s+FALL", r"hl\.casd\.aqrl"], [r"lr\."]),
    ("fence", "void f(void) { __atomic_thread_fence(5); }", [r"BSTART\.SYS\s+FALL", r"fence\.d\s+15, 15"], []),
    ("switch by a table of addresses", "int f(int x) { switch (x) { case 0: return 9; case 1: return 2; case 2: return 77; case 3: return 4; case 4: return 100; case 5: return -3; case 6: return 8; } return 1; }",
     [r"\.rodata|BSTART\.STD\s+IND"], []),
    ("inline assembly inside a block", 'long f(long a) { long r; __asm__("addi %1, 3, ->%0" : "=r"(r) : "r"(a)); return r; }', [r"BSTART\.STD\s+RET", r"APP", r"addi\s+a0, 3, ->a0", r"c\.setc\.tgt\s+ra"], [r"FALL"]),
    ("system call ends its block", 'void f(void) { __asm__ volatile("acrc 1"); }', [r"BSTART\.STD\s+FALL", r"acrc\s+1", r"BSTART\.STD\s+RET", r"setc\.tgt"], []),
    ("a statement with its own blocks", 'void f(void) { __asm__ volatile("BSTART.SYS FALL\\n bwi zero"); }', [r"APP", r"BSTART\.SYS\s+FALL", r"bwi", r"NO_APP", r"BSTART\.STD\s+RET"], [r"STD\s+FALL"]),
    ("return address before a call", "void g(void *); void f(void) { g(__builtin_return_address(0)); g(0); }", [r"FENTRY", r"BSTART\.STD\s+FALL", r"movr\s+ra, ->", r"CALL, g"], []),
    ("unwind information", "int g(int); int f(int a) { return g(a) + a; }", [r"FENTRY", r"cfi_def_cfa_offset 16", r"cfi_offset ra, -8", r"cfi_offset s0, -16"], [], "-funwind-tables"),
    ("the last block of a section is stopped", "void f(void) {} void g(void) {}", [r"f:", r"setc\.tgt\s+ra", r"g:", r"setc\.tgt\s+ra", r"C\.BSTOP"], []),
    ("the last block of each section is stopped", "void f(void) {} void g(void) {}", [r"f:", r"g:", r"C\.BSTOP", r"C\.BSTOP"], [], "-ffunction-sections"),
    ("an empty function", "void f(void) {}", [r"BSTART\.STD\s+RET", r"c\.setc\.tgt\s+ra"], [r"FENTRY"], "-O1"),
]


def main():
    if not (BIN / "linx-cc").exists():
        print("skip cc/codegen: linx-cc is not built")
        return 0
    with tempfile.TemporaryDirectory() as t:
        for name, source, must, mustnot, *flags in CASES:
            src = pathlib.Path(t) / "t.c"
            src.write_text(source)
            p = subprocess.run([BIN / "linx-cc", "-O2", *(f for x in flags for f in x.split()), "-S", src, "-o", "-"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            code = "\n".join(l.split("//")[0] if "APP" not in l else l for l in p.stdout.splitlines()
                             if not re.match(r"\s*\.(file|ident|globl|type|size|addrsig)", l))
            why, at = "" if p.returncode == 0 else p.stderr, 0
            for pattern in must:
                m = re.compile(pattern).search(code, at)
                if not m:
                    why = why or f"no '{pattern}'"
                    break
                at = m.end()
            for pattern in mustnot:
                if re.search(pattern, code):
                    why = why or f"'{pattern}' is there"
            print(f"ok {name}" if not why else f"not ok {name}: {why.strip()[:200]} in: {' | '.join(code.split(chr(10)))[-600:]}")
    return 0


sys.exit(main())

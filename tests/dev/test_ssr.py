#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Access rights of the system registers: every register, read and written, from every ring (docs/target.md 2, 3, 4)."""
import pathlib, struct, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from linximage import Image, SIM
import rsp

E_ISSR = 62
RESULTS = 0x80100000

PLAIN = {0x0000: ("TP", "rw"), 0x0001: ("GP", "rw"), 0x0010: ("TIME", "r"), 0x0011: ("CYCLE", "r"), 0x0020: ("CSTATE", "rw"),
         0x0021: ("LXLCID", "r"), 0x0022: ("VENDOR", "r"), 0x0023: ("VERSION", "r"), 0x0024: ("LCFR", "r"), 0x0050: ("BLOCKNUM", "r"),
         0x0051: ("BLOCKID", "r"), 0x0802: ("PEID", "r"), 0x0840: ("TILEMAP_T", "r"), 0x0841: ("TILEMAP_U", "r"),
         0x0842: ("TILEMAP_M", "r"), 0x0843: ("TILEMAP_N", "r")}
# Registers whose rights depend on the ring: rights in ACR0, ACR1, ACR2.
GRADED = {0x0025: ("LCFR_EN", "rw", "rw", "r"), 0x0844: ("SHWINDOW", "rw", "rw", "r"), 0x0845: ("SHSELECT", "rw", "rw", ""),
          0x0846: ("SHDESC", "r", "r", ""), 0x0847: ("SHSHAPE", "r", "r", "")}
BANK = {0x00: ("ECSTATE", "rw"), 0x01: ("EVBASE", "rw"), 0x02: ("TRAPNO", "rw"), 0x03: ("TRAPARG0", "rw"), 0x05: ("ETEMP", "rw"),
        0x06: ("FUTO", "rw"), 0x07: ("ECONFIG", "rw"), 0x08: ("IPENDING", "r"), 0x09: ("TOPEI", "r"), 0x0A: ("EOIEI", "w"),
        0x0B: ("EBPC", "rw"), 0x0C: ("EBARG", "rw"), 0x0D: ("ETPC", "rw"), 0x0E: ("EBPCN", "rw"), 0x20: ("TIMER_TIME", "rw"),
        0x21: ("TIMER_TIMECMP", "rw"), 0x30: ("XBINFO", "rw"), 0x31: ("ACR_PARAM", "r")}
UNKNOWN = (0x0002, 0x0012, 0x0026, 0x0052, 0x00FF, 0x0803, 0x0848, 0x0F04, 0x0F0F, 0x0F40, 0x1F04, 0x1FFF, 0x2F00, 0x3F01, 0x12345)


def rights(ssr, ring):
    if ssr in PLAIN:
        return PLAIN[ssr][1]
    if ssr in GRADED:
        return GRADED[ssr][1 + ring]
    bank = ssr >> 12
    if ssr in (0x1F10, 0x1F11):
        return "rw" if ring <= 1 else ""
    if ssr & 0xFF00 in (0x0F00, 0x1F00) and ssr & 0xFF in BANK and ring <= bank:
        return BANK[ssr & 0xFF][1]
    return ""


def name(ssr):
    if ssr in PLAIN:
        return PLAIN[ssr][0]
    if ssr in GRADED:
        return GRADED[ssr][0]
    if ssr & 0xEF00 == 0x0F00 and ssr & 0xFF in BANK:
        return f"{BANK[ssr & 0xFF][0]}_ACR{ssr >> 12}"
    return {0x1F10: "MMTBASE", 0x1F11: "MMCONFIG"}.get(ssr, f"0x{ssr:x}")


def image(ring, write, every):
    """Tries every register in turn from `ring`; RESULTS gets (TRAPNUM or -1, TRAPARG0) of each, in order."""
    at = {"handler0": 0, "handler1": 0, "start": 0}
    for _ in range(2):                  # the second time the addresses are known
        i = Image()
        i("BSTART_SYS_FALL")
        for r in range(2):
            i("HL_LIU", RegDst="a2", uimm32=at[f"handler{r}"])
            i("HL_SSRSET", SSR_ID=r << 12 | 0xF01, SrcL="a2")
        i("HL_LIU", RegDst="s1", uimm32=RESULTS)
        i("HL_LIU", RegDst="a2", uimm32=ring)
        i("HL_SSRSET", SSR_ID=0xF00, SrcL="a2")
        i("HL_LIU", RegDst="a2", uimm32=at["start"])
        i("HL_SSRSET", SSR_ID=0xF0B, SrcL="a2")
        i("ACRE", RRA_Type=0)
        for r in range(2):              # notes the trap and goes on at s3 in the ring it came from
            at[f"handler{r}"] = i.here()
            i("BSTART_SYS_FALL")
            i("HL_SSRGET", SSR_ID=r << 12 | 0xF02, RegDst="s0")
            i("ANDI", SrcL="s0", simm12=63, RegDst="s0")
            i("HL_SSRGET", SSR_ID=r << 12 | 0xF03, RegDst="s2")
            i("HL_SSRSET", SSR_ID=r << 12 | 0xF0B, SrcL="s3")
            i("ACRE", RRA_Type=0)
        at["start"] = i.here()
        for ssr in every:
            i("BSTART_SYS_FALL")
            i("HL_LIS", RegDst="s0", simm32=-1)
            i("HL_LIU", RegDst="s2", uimm32=0)
            # A handler address must stay one; everything else is written with 0.
            i("HL_LIU", RegDst="a3", uimm32=at[f"handler{ssr >> 12}"] if ssr in (0x0F01, 0x1F01) else 0)
            i("HL_LIU", RegDst="s3", uimm32=i.here() + 12)
            i("HL_SSRSET", SSR_ID=ssr, SrcL="a3") if write else i("HL_SSRGET", SSR_ID=ssr, RegDst="a4")
            i("BSTART_STD_FALL")
            i("SDI", SrcL="s0", SrcR="s1")
            i("SDI", SrcL="s2", SrcR="s1", simm12=8)
            i("ADDI", SrcL="s1", uimm12=16, RegDst="s1")
        i.label("done")
        i.finish()
    return i


def run(ring, write, every):
    i = image(ring, write, every)
    with tempfile.NamedTemporaryFile(suffix=".elf") as f:
        i.write(f.name)
        proc, port = rsp.start(SIM, f.name)
        g = rsp.Rsp(port)
        try:
            g.ask(f"Z0,{i.symbols['done']:x},4")
            stop = g.ask("vCont;c")
            if "swbreak" not in stop:
                raise AssertionError(f"the program did not come to its end: {stop}")
            text = b""
            while len(text) < 16 * len(every):
                text += g.read(RESULTS + len(text), min(1024, 16 * len(every) - len(text)))
            return [struct.unpack_from("<qQ", text, 16 * k) for k in range(len(every))]
        finally:
            g.close()
            proc.kill()
            proc.wait()


if not pathlib.Path(SIM).exists():
    print("skip ssr: the simulator is not built (make sim)")
    sys.exit(0)
every = [*PLAIN, *GRADED, 0x1F10, 0x1F11, *(0x0F00 | b for b in BANK), *(0x1F00 | b for b in BANK), *UNKNOWN]
for ring in range(3):
    for write in (False, True):
        what = f"ssr {'written' if write else 'read'} from ACR{ring}"
        try:
            wrong = []
            for ssr, (trap, arg) in zip(every, run(ring, write, every)):
                want = (-1, 0) if "rw"[write] in rights(ssr, ring) else (E_ISSR, ssr)
                if (trap, arg) != want:
                    wrong.append(f"{name(ssr)} ({ssr:#x}) trap {trap} argument {arg:#x}, want {want[0]} {want[1]:#x}")
            print(f"not ok {what}: {len(wrong)} of {len(every)} wrong: {'; '.join(wrong[:5])}" if wrong
                  else f"ok {what} ({len(every)} registers)", flush=True)
        except Exception as e:
            print(f"not ok {what}: {type(e).__name__}: {e}", flush=True)

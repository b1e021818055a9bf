#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The simulator's GDB stub, through the protocol."""
import os, pathlib, random, struct, subprocess, sys, tempfile, time, traceback, xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from linximage import Image, SIM
import rsp

A2, A3, SP, BPC, TPC, CSTATE = 4, 5, 1, 32, 33, 35
DATA = 0x80010000


def counting_image():
    """a2 counts to 1000 in a loop of one block and is stored at DATA each time; then the run passes."""
    i = Image()
    i.label("entry")
    i("BSTART_STD_FALL")
    i.label("once")
    i("HL_LIU", RegDst="a3", uimm32=DATA)
    i("ADDI", SrcL="zero", uimm12=0, RegDst="a2")
    loop = i.label("loop")
    i("BSTART_STD_COND", simm17=0)
    i.label("body")
    i("ADDI", SrcL="a2", uimm12=1, RegDst="a2")
    i.label("store")
    i("SDI", SrcL="a2", SrcR="a3")
    i("SETC_LTUI", SrcL="a2", uimm12=1000)
    assert loop
    i.label("end")
    i.finish()
    return i


def endless_image():
    i = Image()
    i.label("loop")
    i("BSTART_STD_DIRECT", simm17=0)
    i("ADDI", SrcL="a2", uimm12=1, RegDst="a2")
    i("BSTART_STD_FALL")
    return i


def check(cond, what):
    if not cond:
        raise AssertionError(what)


def stop_fields(reply):
    return dict(p.split(":", 1) for p in reply[3:].split(";") if ":" in p)


class Session:
    def __init__(self, image, *options, wait=True):
        self.image = image
        self.file = tempfile.NamedTemporaryFile(suffix=".elf")
        image.write(self.file.name)
        self.proc, self.port = rsp.start(SIM, self.file.name, *options, wait=wait)
        self.g = rsp.Rsp(self.port)

    def __enter__(self):
        return self.g, self.image.symbols, self

    def __exit__(self, *exc):
        self.g.close()
        if self.proc.poll() is None:
            self.proc.kill()
        self.proc.wait()


def target_description():
    with Session(counting_image()) as (g, sym, s):
        features = g.ask("qSupported:swbreak+;xmlRegisters=i386")
        check("qXfer:features:read+" in features and "vContSupported+" in features, features)
        regs = {int(r.get("regnum")): r for r in ET.fromstring(g.xfer("target.xml", 100)).iter("reg")}
        check([regs[n].get("name") for n in (0, 1, 2, 10, 11, 20, 24, 28, 32, 33)]
              == ["zero", "sp", "a0", "ra", "s0", "x0", "t1", "u1", "bpc", "tpc"], "register names")
        check(regs[33].get("generic") == "pc" and all(r.get("bitsize") == "64" for r in regs.values()), "types")
        for n in regs:
            check(isinstance(g.reg(n), int), f"register {n} of the description cannot be read")
        check(g.reg(max(regs) + 1) == "E01", "a register past the description")
        names = {r.get("name") for r in regs.values()}
        check({"ecstate0", "ebpc1", "etpc1", "trapno1", "cstate"} <= names, "system registers")


def stop_at_entry_and_registers():
    with Session(counting_image()) as (g, sym, s):
        check(g.ask("?").startswith("T05"), "stopped")
        check(g.reg(TPC) == sym["entry"] and g.reg(CSTATE) & 15 == 0, "entry in ACR0")
        check(len(g.ask("g")) == 38 * 16, "g has 38 registers")
        check(g.set_reg(A2, 0x1122334455667788) == "OK" and g.reg(A2) == 0x1122334455667788, "write a2")
        check(g.set_reg(0, 1) == "E01" and g.reg(0) == 0, "zero stays 0")
        check(g.set_reg(CSTATE, 2) == "OK" and g.reg(CSTATE) & 15 == 0, "the ring cannot be set")


def memory_access():
    with Session(counting_image()) as (g, sym, s):
        check(g.read(sym["entry"], 4) == bytes(s.image.code[:4]), "code")
        check(g.ask("M80010100,4:01020304") == "OK" and g.read(0x80010100, 4) == bytes([1, 2, 3, 4]), "M")
        check(g.ask(b"X80010200,3:#}*") == "OK" and g.read(0x80010200, 3) == b"#}*", "X with escapes")
        check(g.ask("m0,4").startswith("E"), "nothing mapped")
        check(len(g.read(0x80000000, 0x400)) == 0x400, "long read")
        check(g.ask("m80fffffe,8") in ("0000", "E0e"), "across the end of RAM")


def breakpoints():
    with Session(counting_image()) as (g, sym, s):
        check(g.ask(f"Z0,{sym['store']:x},4") == "OK", "insert")
        for n in range(1, 4):
            r = stop_fields(g.ask("vCont;c"))
            check("swbreak" in r and g.reg(TPC) == sym["store"] and g.reg(A2) == n, f"hit {n}: {r}")
            check(g.reg(BPC) == sym["loop"], "bpc is the block")
            check(struct.unpack("<Q", g.read(DATA, 8))[0] == n - 1, "stops before the store")
        check(g.ask(f"z0,{sym['store']:x},4") == "OK" and g.ask(f"Z1,{sym['end']:x},4") == "OK", "move")
        g.ask("c")
        check(g.reg(TPC) == sym["end"] and g.reg(A2) == 1000, "hit at the end")
        check(struct.unpack("<Q", g.read(DATA, 8))[0] == 1000, "memory")
        check(g.ask("c") == "W00", "exit is reported")
        check(s.proc.wait(10) == 0, "exit status")


def stepping():
    with Session(counting_image()) as (g, sym, s):
        seen = []
        for _ in range(9):
            check(g.ask("vCont;s:1").startswith("T05"), "step")
            seen.append(g.reg(TPC) - sym["entry"])
        e, l, b, st = 0, sym["loop"] - sym["entry"], sym["body"] - sym["entry"], sym["store"] - sym["entry"]
        check(seen[:2] == [4, 10] and l in seen and b in seen and st in seen, f"path {seen}")
        check(seen == sorted(seen)[:len(seen)] or seen.count(b) > 1, f"path {seen}")


def writes_take_effect():
    with Session(counting_image()) as (g, sym, s):
        g.ask(f"Z0,{sym['store']:x},4")
        g.ask("c")
        check(g.set_reg(A2, 998) == "OK", "set a2")
        g.ask("c")
        check(g.reg(A2) == 999, f"the loop goes on from there: {g.reg(A2)}")
        # Patch the code: the loop now counts by 3.
        i = Image()
        i("ADDI", SrcL="a2", uimm12=3, RegDst="a2")
        check(g.ask(f"M{sym['body']:x},4:{i.code.hex()}") == "OK", "patch")
        g.ask("c")
        check(g.reg(A2) == 1002, f"patched code runs: {g.reg(A2)}")
        # Jump: back to the start of the program.
        g.ask(f"z0,{sym['store']:x},4")
        check(g.set_reg(BPC, sym["entry"]) == "OK" and g.set_reg(TPC, sym["entry"]) == "OK", "jump")
        check(g.ask(f"Z0,{sym['body']:x},4") == "OK", "break")
        g.ask("c")
        check(g.reg(A2) == 0 and g.reg(BPC) == sym["loop"], f"restarted: a2 {g.reg(A2)}")


def watchpoints():
    with Session(counting_image()) as (g, sym, s):
        check(g.ask(f"Z2,{DATA:x},8") == "OK", "insert")
        for n in range(1, 4):
            r = stop_fields(g.ask("vCont;c"))
            check(r.get("watch") == f"{DATA:x}" and struct.unpack("<Q", g.read(DATA, 8))[0] == n, f"{r}")
        check(g.ask(f"Z3,{DATA:x},8") == "" and g.ask(f"z2,{DATA:x},8") == "OK", "remove; read watchpoints are not offered")
        r = g.ask("c")
        check(r == "W00", f"runs to the end: {r}")


def interrupt_and_detach():
    with Session(endless_image()) as (g, sym, s):
        g.send("vCont;c")
        time.sleep(0.2)
        g.interrupt()
        check(g.receive().startswith("T02"), "Ctrl-C stops")
        first = g.reg(A2)
        check(first > 0, "it ran")
        check(g.ask("D") == "OK", "detach")
        g.close()
        time.sleep(0.2)
        check(s.proc.poll() is None, "it runs on after detaching")
        again = rsp.Rsp(s.port)
        check(again.ask("?").startswith("T05") and again.reg(A2) > first, "attach again stops it, later")
        again.send("k")
        check(s.proc.wait(10) == 0, "kill ends the simulator")


def interrupt_while_asleep():
    i = Image()
    i("BSTART_SYS_FALL")
    i.label("wait")
    i("BWI", SrcL="zero")
    i("BSTART_STD_DIRECT", simm17=-8)
    i("BSTART_STD_FALL")
    with Session(i) as (g, sym, s):
        g.send("c")
        time.sleep(0.3)
        check(s.proc.poll() is None, "a machine under a debugger does not end because it sleeps")
        g.interrupt()
        check(g.receive().startswith("T02") and b"asleep" in bytes.fromhex(g.ask("qThreadExtraInfo,1")), "Ctrl-C")


def attach_without_waiting():
    with Session(endless_image(), wait=False) as (g, sym, s):
        check(g.ask("?").startswith("T05") and g.ask("QStartNoAckMode") == "OK", "stopped on attach")
        g.acks = False
        check(g.ask("vMustReplyEmpty") == "" and g.ask("vCont?") == "vCont;c;C;s;S", "no-ack mode")


def threads():
    with Session(counting_image(), "-smp", "cores=2,pes=2") as (g, sym, s):
        check(g.ask("qfThreadInfo") == "m1,2,5,6" and g.ask("qsThreadInfo") == "l", "four PEs")
        check(g.ask("T5") == "OK" and g.ask("T4") == "E01", "alive")
        check(bytes.fromhex(g.ask("qThreadExtraInfo,6")).startswith(b"core 1 PE 1, ACR0"), "description")
        check(g.ask(f"Z0,{sym['once']:x},4") == "OK", "break")
        hit = set()
        for _ in range(4):
            r = stop_fields(g.ask("vCont;c"))
            check(g.ask("qC") == f"QC{r['thread']}" and g.reg(TPC) == sym["once"], f"{r}")
            hit.add(r["thread"])
        check(hit == {"1", "2", "5", "6"}, f"every PE stops there: {hit}")
        check(g.ask("Hg5") == "OK" and g.set_reg(A3, 77) == "OK" and g.ask("Hg2") == "OK" and g.reg(A3) != 77, "own registers")
        g.ask("Hg5")
        before = g.reg(TPC)
        r = stop_fields(g.ask("vCont;s:5;c"))
        check(r["thread"] == "5" and g.reg(TPC) != before, f"a step of one thread {r}")


def data_body():
    i = Image()
    for _ in range(2):                  # the second time the address of the body is known
        body = i.symbols.get("body", i.base)
        i = Image()
        i.label("block")
        i("BSTART_VPAR")
        i("B_DIM_LB0", uimm17=3 * 64)
        i("B_TEXT", simm25=body - i.here())
        i.label("after")
        i.finish()
        i.label("body")
        i("V_ADDI", SrcL=1 << 7 | 64, uimm12=5, RegDst=1 << 7 | 0)      # lc0.uw + 5 -> vt.w
        i.label("second")
        i("V_ADDI", SrcL=1 << 7 | 0, uimm12=1, RegDst=1 << 7 | 1)       # vt#1.uw + 1 -> vu.w
        i("BSTOP")
    with Session(i) as (g, sym, s):
        check(g.ask(f"Z0,{sym['second']:x},8") == "OK", "break")
        for n in range(3):              # three groups, interleaved: all reach it before any passes it
            g.ask("vCont;c")
            check(g.reg(TPC) == sym["second"] and g.reg(BPC) == sym["block"], f"group {n}: tpc {g.reg(TPC):x}")
        check(b"in a data body" in bytes.fromhex(g.ask("qThreadExtraInfo,1")), "description")
        check(g.set_reg(TPC, sym["body"]) == "E01", "the place in a body cannot be set")
        check(g.ask(f"Z0,{sym['after']:x},4") == "OK" and g.ask(f"z0,{sym['second']:x},8") == "OK", "move")
        g.ask("c")
        check(g.reg(TPC) == sym["after"] and g.ask("c") == "W00", "goes on behind the block")


def bad_packets():
    with Session(counting_image()) as (g, sym, s):
        for p in ("mzz,4", "m80000000", "Pff", "P1=12", "p", "G12", "Hg99", "Z0,", "Z9,0,0", "vCont;s:99", "qXfer:features:read:target.xml:zz",
                  "X80000000,ffff:a", "M80000000,4:0102", "qThreadExtraInfo,", "S05;1", "c80000000"):
            r = g.ask(p)
            check(r == "" or r.startswith("E"), f"{p}: {r}")
        g.sock.sendall(b"$g#00")
        check(g.sock.recv(1) == b"-", "a bad checksum is refused")
        g.sock.sendall(b"junk" * 10000)
        check(g.ask("?").startswith("T05"), "still there")


def random_packets():
    """Mutated packets never end the simulator or the conversation; GDB_FUZZ says how many (default 2000)."""
    rng = random.Random(int(os.environ.get("GDB_SEED", 1)))
    seeds = ["g", "p21", "P2=8877665544332211", "m80000000,40", "M80000100,4:00112233", "X80000200,3:abc", "Z0,80000004,4", "z0,80000004,4",
             "Z2,80010000,8", "z2,80010000,8", "vCont;s:1", "vCont?", "qSupported", "qXfer:features:read:target.xml:0,100", "Hg1", "T1", "?",
             "qfThreadInfo", "qThreadExtraInfo,1", "s", "G" + "00" * 304, "qC"]
    left = int(os.environ.get("GDB_FUZZ", 2000))
    while left:
        with Session(endless_image(), "-smp", "cores=1,pes=4") as (g, sym, s):
            p = b"(start)"
            try:
                g.ask("QStartNoAckMode")
                g.acks = False
                while left:
                    left -= 1
                    p = bytearray(rng.choice(seeds).encode())
                    for _ in range(rng.choice((0, 1, 1, 2, 5))):
                        at = rng.randrange(len(p) + 1)
                        p[at:at + rng.randrange(3)] = bytes(rng.choices(b"0123456789abcdef,:;=-svZXmMgGpPHTq\xff\0", k=rng.randrange(3)))
                    if not p or p[:1] in b"kDcC" or p.startswith(b"vKill") or b"c" in p[:7] and p.startswith(b"vCont;"):
                        continue
                    g.send(bytes(p))
                    if p[:1] in b"sS" or p.startswith(b"vCont;"):
                        time.sleep(0.002)
                        g.interrupt()   # a step of a PE that never comes
                    g.receive()
                    while True:         # a stop reply may follow for a late interrupt
                        g.send("qC")
                        if g.receive().startswith("QC"):
                            break
            except (EOFError, ConnectionError):
                s.proc.wait(10)
                s.proc.log.seek(0)
                text = s.proc.log.read()
                # A program that the packets patched or sent astray may crash; the simulator may not.
                check(s.proc.returncode == 1 and "no handler" in text and "ERROR" not in text,
                      f"{bytes(p)!r} ended the simulator: {s.proc.returncode} {text[-300:]}")


def options():
    f = tempfile.NamedTemporaryFile(suffix=".elf")
    counting_image().write(f.name)
    for where in ("tcp::x", "1234", "tcp::99999", "tcp:nowhere:0"):
        p = subprocess.run([SIM, "-M", "virt", "-kernel", f.name, "-gdb", where], capture_output=True, text=True, timeout=20)
        check(p.returncode == 2 and "-gdb" in p.stderr, f"{where}: {p.returncode} {p.stderr}")


if not pathlib.Path(SIM).exists():
    print("skip gdb: the simulator is not built (make sim)")
    sys.exit(0)
for test in (target_description, stop_at_entry_and_registers, memory_access, breakpoints, stepping, writes_take_effect, watchpoints,
             interrupt_and_detach, interrupt_while_asleep, attach_without_waiting, threads, data_body, bad_packets, random_packets, options):
    name = f"gdb {test.__name__.replace('_', ' ')}"
    try:
        test()
        print(f"ok {name}", flush=True)
    except Exception as e:
        where = traceback.extract_tb(e.__traceback__)
        line = [t.lineno for t in where if t.filename == __file__][-1]
        print(f"not ok {name}: line {line}: {type(e).__name__}: {e}", flush=True)

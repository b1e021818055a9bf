#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The device tree that the simulator hands to firmware in a1, read through the GDB stub and taken apart here."""
import pathlib, struct, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from linximage import Image, SIM
import rsp

A0, A1 = 2, 3


def parse(blob):
    """Flattened tree (Devicetree specification 0.4, chapter 5) to ({path: {property: bytes}}, reservations)."""
    magic, total, o_struct, o_strings, o_rsv, version, last, boot, n_strings, n_struct = struct.unpack_from(">10I", blob)
    if magic != 0xD00DFEED or total > len(blob) or version < 16 or last > 17:
        raise AssertionError(f"header {magic:x} {total} {version} {last}")
    reserved = []
    while True:
        addr, size = struct.unpack_from(">QQ", blob, o_rsv + 16 * len(reserved))
        if (addr, size) == (0, 0):
            break
        reserved.append((addr, size))
    nodes, path, at = {}, [], o_struct
    while True:
        token = struct.unpack_from(">I", blob, at)[0]
        at += 4
        if token == 1:
            end = blob.index(b"\0", at)
            path.append(blob[at:end].decode())
            at = end + 4 & ~3
            nodes["/".join(path) or "/"] = {}
        elif token == 2:
            path.pop()
        elif token == 3:
            size, name = struct.unpack_from(">II", blob, at)
            end = blob.index(b"\0", o_strings + name)
            nodes["/".join(path) or "/"][blob[o_strings + name:end].decode()] = blob[at + 8:at + 8 + size]
            at = at + 8 + size + 3 & ~3
        elif token == 9:
            if path:
                raise AssertionError("tree ends inside a node")
            return nodes, reserved
        elif token != 4:
            raise AssertionError(f"token {token}")


def u32(b): return struct.unpack(">I", b)[0]
def u64s(b): return struct.unpack(f">{len(b) // 8}Q", b)
def string(b): return b.rstrip(b"\0").decode()


def tree(*options):
    """(nodes, reservations, blob, session reader) of a machine started with these options, stopped at its first instruction."""
    i = Image()
    i.finish()
    f = tempfile.NamedTemporaryFile(suffix=".elf")
    i.write(f.name)
    proc, port = rsp.start(SIM, f.name, *options)
    g = rsp.Rsp(port)
    try:
        a1 = g.reg(A1)
        size = struct.unpack(">I", g.read(a1 + 4, 4))[0]
        blob = b""
        while len(blob) < size:
            blob += g.read(a1 + len(blob), min(1024, size - len(blob)))
        nodes, reserved = parse(blob)
        extra = {}
        for pe in range(1, 65):
            if g.ask(f"T{pe:x}") == "OK":
                g.ask(f"Hg{pe:x}")
                extra[pe - 1] = (g.reg(A0), g.reg(A1))
        initrd = None
        if "linux,initrd-start" in nodes["/chosen"]:
            start, end = u64s(nodes["/chosen"]["linux,initrd-start"])[0], u64s(nodes["/chosen"]["linux,initrd-end"])[0]
            g.ask("Hg1")
            initrd = (start, end, g.read(start, min(16, end - start)))
        return nodes, reserved, blob, a1, extra, initrd
    finally:
        g.close()
        proc.kill()
        proc.wait()


def check(cond, what):
    if not cond:
        raise AssertionError(what)


def default_machine():
    nodes, reserved, blob, a1, pes, _ = tree()
    check(a1 % 8 == 0 and 0x80000000 <= a1 and a1 + len(blob) <= 0x81000000, f"a1 = {a1:x}")
    check(u64s(nodes["/memory@80000000"]["reg"]) == (0x80000000, 16 << 20), "memory")
    cpus = [p for p in nodes if p.startswith("/cpus/cpu@")]
    check(cpus == ["/cpus/cpu@0"] and u32(nodes["/cpus"]["timebase-frequency"]) == 10**9, f"{cpus}")
    check(pes == {0: (0, a1)}, f"a0 = LXLCID, a1 = tree: {pes}")
    check("bootargs" not in nodes["/chosen"] and not reserved, "nothing that was not asked for")


def board_devices():
    nodes, *_ = tree()
    check(u64s(nodes["/soc/serial@10000000"]["reg"])[0] == 0x10000000 and u32(nodes["/soc/serial@10000000"]["interrupts"]) == 10, "UART")
    check(string(nodes["/chosen"]["stdout-path"]) == "/soc/serial@10000000", "stdout-path")
    check(u64s(nodes["/soc/interrupt-controller@4000000"]["reg"]) == (0x04000000, 0x80000), "128 pages of the interrupt controller")
    for i in range(8):
        n = nodes[f"/soc/virtio_mmio@{0x10001000 + 0x1000 * i:x}"]
        check(string(n["compatible"]) == "virtio,mmio" and u64s(n["reg"]) == (0x10001000 + 0x1000 * i, 0x1000)
              and u32(n["interrupts"]) == 1 + i, f"virtio slot {i}")
    check(nodes["/soc/finisher@100000"]["compatible"].split(b"\0")[0] == b"sifive,test1", "finisher")
    handles = [u32(n["phandle"]) for n in nodes.values() if "phandle" in n]
    check(len(set(handles)) == len(handles) and u32(nodes["/soc"]["interrupt-parent"]) in handles, "phandles")


def many_pes():
    nodes, _, _, a1, pes, _ = tree("-smp", "cores=3,pes=2")
    want = {4 * core + pe: (core, pe) for core in range(3) for pe in range(2)}
    got = {u32(n["reg"]): (u32(n["linx,core"]), u32(n["linx,pe"])) for p, n in nodes.items() if p.startswith("/cpus/cpu@")}
    check(got == want, f"{got}")
    check(pes == {i: (i, a1) for i in want}, f"every PE starts with its LXLCID in a0: {pes}")


def options_in_the_tree():
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"initial ramdisk!" * 100)
        f.flush()
        nodes, reserved, blob, a1, _, initrd = tree("-append", "console=ttyS0 quiet", "-initrd", f.name, "--groups", "2")
    check(string(nodes["/chosen"]["bootargs"]) == "console=ttyS0 quiet", "bootargs")
    start, end, head = initrd
    check(end - start == 1600 and head == b"initial ramdisk!" and start % 4096 == 0, f"initrd {start:x}..{end:x}")
    check((start, 1600) in reserved, f"initrd is reserved: {reserved}")
    check(not start < a1 + len(blob) <= end and not start <= a1 < end, "tree and initrd do not overlap")
    check(u32(nodes["/cpus/cpu@0"]["linx,group-slots"]) == 2, "group slots")


if not pathlib.Path(SIM).exists():
    print("skip devicetree: the simulator is not built (make sim)")
    sys.exit(0)
for test in (default_machine, board_devices, many_pes, options_in_the_tree):
    try:
        test()
        print(f"ok devicetree {test.__name__.replace('_', ' ')}", flush=True)
    except Exception as e:
        print(f"not ok devicetree {test.__name__.replace('_', ' ')}: {type(e).__name__}: {e}", flush=True)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Disk and console in a running machine: firmware made of register accesses drives the rings and the interrupt controller."""
import pathlib, struct, subprocess, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from linximage import Image, SIM

BLK, CON, INTC = 0x10001000, 0x10002000, 0x04000000
RING, BUF, HDR, STATUS = 0x80100000, 0x80110000, 0x80120000, 0x80120100


class Firmware(Image):
    """Straight-line firmware: stores, loads that must give a value; the exit status is the number of the failed check."""

    def __init__(self):
        super().__init__()
        self.checks = []
        self("BSTART_STD_FALL")

    def store(self, addr, value, form="SWI"):
        self("HL_LIU", RegDst="x0", uimm32=addr)
        self("HL_LIU", RegDst="x1", uimm32=value & 0xFFFFFFFF)
        self(form, SrcL="x1", SrcR="x0")

    def expect(self, addr, value, what, form="LWI"):
        self.checks.append(what)
        self("BSTART_STD_COND", simm17=44)
        self("HL_LIU", RegDst="x0", uimm32=addr)
        self(form, SrcL="x0", RegDst="a2")
        self("HL_LIS", RegDst="a3", simm32=value)
        self("SETC_EQ", SrcL="a2", SrcR="a3", SrcRType=3)
        self("BSTART_STD_FALL")
        self("HL_LIU", RegDst="x0", uimm32=0x100000)
        self("HL_LIU", RegDst="x1", uimm32=0x3333 | len(self.checks) << 16)
        self("SWI", SrcL="x1", SrcR="x0")
        self("BSTART_STD_FALL")

    def virtio_start(self, base, queues):
        for step in (0, 1, 3):
            self.store(base + 0x70, step)
        self.store(base + 0x24, 1)
        self.store(base + 0x20, 1)              # VERSION_1
        self.store(base + 0x70, 11)
        self.expect(base + 0x70, 11, "FEATURES_OK")
        for q in range(queues):
            ring = self.ring(base, q)
            self.store(base + 0x30, q)
            self.store(base + 0x38, 8)
            for reg, off in ((0x80, 0), (0x90, 0x200), (0xA0, 0x400)):
                self.store(base + reg, ring + off)
                self.store(base + reg + 4, 0)
            self.store(base + 0x44, 1)
            self.expect(base + 0x44, 1, f"queue {q} ready")
        self.store(base + 0x70, 15)

    @staticmethod
    def ring(base, q):
        return RING + (base - BLK) + 0x800 * q

    def submit(self, base, q, n, parts):
        """Makes `parts` (address, length, writable) the n-th request of this queue and rings."""
        ring = self.ring(base, q)
        for i, (addr, length, writable) in enumerate(parts):
            last = i + 1 == len(parts)
            self.store(ring + 16 * i, addr)
            self.store(ring + 16 * i + 4, 0)
            self.store(ring + 16 * i + 8, length)
            self.store(ring + 16 * i + 12, (0 if last else 1) | (2 if writable else 0) | (0 if last else i + 1 << 16))
        self.store(ring + 0x200, n << 16)       # flags 0, index n
        self.store(base + 0x50, q)


def run(fw, *options):
    with tempfile.NamedTemporaryFile(suffix=".elf") as f:
        fw.finish()
        fw.write(f.name)
        p = subprocess.run([SIM, "-M", "virt", "-m", "16M", "-serial", "null", "--max-insns", "1000000", *options, f.name], capture_output=True,
                           text=True, stdin=subprocess.DEVNULL, timeout=60)
    if p.returncode:
        why = fw.checks[p.returncode - 1] if 0 < p.returncode <= len(fw.checks) and not p.stderr else p.stderr[:300]
        raise AssertionError(f"exit status {p.returncode}: {why}")


def disk_with_interrupts(tmp):
    image = bytearray(range(256)) * 4 * 16
    pathlib.Path(tmp, "disk").write_bytes(image)
    fw = Firmware()
    fw.expect(BLK, 0x74726976, "magic")
    fw.expect(BLK + 8, 2, "device id")
    fw.expect(BLK + 0x100, 32, "capacity")
    fw.store(INTC + 0xC8, 1)                    # enable line 1 for ring 0 of PE 0
    fw.virtio_start(BLK, 1)
    # Read sector 5, write it to sector 9 with its first word changed.
    for n, (kind, sector) in enumerate(((0, 5), (1, 9)), 1):
        fw.store(HDR, kind)
        fw.store(HDR + 4, 0)
        fw.store(HDR + 8, sector)
        fw.store(HDR + 12, 0)
        fw.store(STATUS, 0xFF)
        fw.submit(BLK, 0, n, [(HDR, 16, False), (BUF, 512, kind == 0), (STATUS, 1, True)])
        fw.expect(STATUS, 0, f"status of request {n}")
        fw.expect(RING + 0x400, n << 16, f"used index {n}")
        fw.expect(INTC, 2, "line 1 pending")
        fw.expect(INTC + 0x100, 1, "claim gives line 1")
        fw.expect(BLK + 0x60, 1, "interrupt status")
        fw.store(BLK + 0x64, 1)
        fw.store(INTC + 0x100, 1)
        fw.expect(INTC + 0x100, 0, "nothing left to claim")
        if kind == 0:
            fw.expect(BUF, 0x03020100, "first word of the sector")
            fw.expect(BUF + 508, 0xFFFEFDFC - (1 << 32), "last word of the sector")
            fw.store(BUF, 0x6B636162)
    run(fw, "-drive", f"file={tmp}/disk,if=none,id=d,format=raw", "-device", "virtio-blk-device,drive=d")
    got = pathlib.Path(tmp, "disk").read_bytes()
    image[9 * 512:10 * 512] = image[5 * 512:6 * 512]
    image[9 * 512:9 * 512 + 4] = b"back"
    if got != bytes(image):
        raise AssertionError("the file is not what the guest wrote")


def console_and_empty_slot(tmp):
    fw = Firmware()
    fw.expect(BLK + 8, 3, "console in slot 0")
    fw.expect(CON + 8, 0, "slot 1 is empty")
    fw.virtio_start(BLK, 2)
    fw.store(BUF, int.from_bytes(b"Linx", "little"))
    fw.submit(BLK, 1, 1, [(BUF, 4, False)])
    fw.expect(fw.ring(BLK, 1) + 0x400, 1 << 16, "used index")
    run(fw, "-chardev", f"file,id=c,path={tmp}/console", "-device", "virtconsole,chardev=c")
    if pathlib.Path(tmp, "console").read_bytes() != b"Linx":
        raise AssertionError("console output")


def dhcp_discover(mac):
    """A DHCPDISCOVER in an Ethernet frame (RFC 2131)."""
    bootp = struct.pack(">BBBBIHH", 1, 1, 6, 0, 0x12345678, 0, 0x8000) + bytes(16) + mac + bytes(10 + 64 + 128)
    bootp += bytes([99, 130, 83, 99, 53, 1, 1, 255]) + bytes(60)
    udp = struct.pack(">HHHH", 68, 67, 8 + len(bootp), 0) + bootp
    ip = struct.pack(">BBHHHBBHII", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, 0, 0xFFFFFFFF)
    total = sum(struct.unpack(">10H", ip))
    total = (total & 0xFFFF) + (total >> 16)
    ip = ip[:10] + struct.pack(">H", ~total & 0xFFFF) + ip[12:]
    return b"\xff" * 6 + mac + b"\x08\0" + ip + udp


def network_dhcp(tmp):
    rx = 0x80130000
    fw = Firmware()
    fw.expect(BLK + 8, 1, "device id")
    fw.expect(BLK + 0x100, 0x12005452, "first bytes of the MAC address")
    fw.virtio_start(BLK, 2)
    fw.submit(BLK, 0, 1, [(rx, 2048, True)])
    for attempt in range(2):            # the second time the address of the frame is known
        end = bytes(fw.code), list(fw.checks)
        frame = bytes(12) + dhcp_discover(bytes([0x52, 0x54, 0, 0x12, 0x34, 0x56]))
        at = fw.symbols.get("frame", fw.base)
        fw.submit(BLK, 1, 1, [(at, len(frame), False)])
        fw.expect(fw.ring(BLK, 1) + 0x400, 1 << 16, "frame sent")
        fw("BSTART_STD_COND", simm17=0)         # until the answer is there
        fw("HL_LIU", RegDst="x0", uimm32=fw.ring(BLK, 0) + 0x400)
        fw("LWI", SrcL="x0", RegDst="a2")
        fw("HL_LIU", RegDst="a3", uimm32=1 << 16)
        fw("SETC_NE", SrcL="a2", SrcR="a3", SrcRType=3)
        fw("BSTART_STD_FALL")
        fw.expect(rx + 8, 1 << 16, "num_buffers")
        fw.expect(rx + 12 + 14 + 20 + 8 + 16, 0x0F02000A, "address offered")
        fw("BSTART_STD_DIRECT", simm17=4 + len(frame) + len(frame) % 2)
        fw.label("frame")
        fw.code += frame + bytes(len(frame) % 2)
        fw("BSTART_STD_FALL")
        if attempt == 0:
            fw.code, fw.checks = bytearray(end[0]), end[1]
    run(fw, "-netdev", "user,id=n", "-device", "virtio-net-device,netdev=n")


def idle_waits_in_real_time(tmp):
    """With a network an idle guest sleeps as long as it says, in short sleeps too; without one it takes no time."""
    def seconds(*options):
        fw = Firmware()
        fw("HL_LIU", RegDst="a2", uimm32=0)
        fw("HL_LIU", RegDst="a3", uimm32=400000)
        loop = fw.here()
        fw("BSTART_SYS_FALL")
        fw("BWT", SrcL="a3")
        fw("BSTART_STD_COND", simm17=loop - fw.here())
        fw("ADDI", SrcL="a2", uimm12=1, RegDst="a2")
        fw("SETC_LTUI", SrcL="a2", uimm12=1000)
        start = time.monotonic()
        run(fw, *options)
        return time.monotonic() - start

    fast, slow = min(seconds() for _ in range(3)), seconds("-netdev", "user,id=n", "-device", "virtio-net-device,netdev=n")
    if fast > 0.3 or slow < 0.38:
        raise AssertionError(f"400 ms of sleep take {fast:.3f} s without and {slow:.3f} s with a network")


def refused_access_is_a_fault(tmp):
    fw = Firmware()
    fw("HL_LIU", RegDst="x0", uimm32=BLK + 0x50)
    fw("LWI", SrcL="x0", RegDst="a2")           # QueueNotify cannot be read
    try:
        run(fw, "-drive", f"file={tmp}/disk,id=d", "-device", "virtio-blk-device,drive=d")
    except AssertionError as e:
        if "status 1" in str(e) and "no handler" in str(e):
            return
        raise
    raise AssertionError("reading a write-only register gave a value")


if not pathlib.Path(SIM).exists():
    print("skip board: the simulator is not built (make sim)")
    sys.exit(0)
with tempfile.TemporaryDirectory() as tmp:
    for test in (disk_with_interrupts, console_and_empty_slot, network_dhcp, idle_waits_in_real_time, refused_access_is_a_fault):
        try:
            test(tmp)
            print(f"ok board {test.__name__.replace('_', ' ')}", flush=True)
        except Exception as e:
            print(f"not ok board {test.__name__.replace('_', ' ')}: {type(e).__name__}: {e}", flush=True)

# SPDX-License-Identifier: BSD-2-Clause
"""A client of the GDB remote serial protocol, enough to test the simulator's stub."""
import re, socket, struct, subprocess, tempfile, time


class Rsp:
    def __init__(self, port, timeout=10):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buf, self.acks = b"", True

    def _fill(self):
        data = self.sock.recv(65536)
        if not data:
            raise EOFError("the stub closed the connection")
        self.buf += data

    def send(self, payload):
        body = re.sub(rb"[#$}*]", lambda m: b"}" + bytes([m[0][0] ^ 0x20]), payload if isinstance(payload, bytes) else payload.encode())
        self.sock.sendall(b"$" + body + b"#%02x" % (sum(body) & 255))
        if self.acks:
            while not self.buf:
                self._fill()
            if self.buf[:1] != b"+":
                raise AssertionError(f"packet not acknowledged: {self.buf[:20]!r}")
            self.buf = self.buf[1:]

    def receive(self):
        while not re.match(rb"\$[^#]*#..", self.buf, re.S):
            self._fill()
        end = self.buf.index(b"#")
        body, check, self.buf = self.buf[1:end], self.buf[end + 1:end + 3], self.buf[end + 3:]
        if int(check, 16) != sum(body) & 255:
            raise AssertionError("bad checksum from the stub")
        if self.acks:
            self.sock.sendall(b"+")
        return re.sub(rb"}(.)", lambda m: bytes([m[1][0] ^ 0x20]), body, flags=re.S).decode("latin1")

    def ask(self, payload):
        self.send(payload)
        return self.receive()

    def interrupt(self):
        self.sock.sendall(b"\x03")

    def reg(self, n):
        text = self.ask(f"p{n:x}")
        return struct.unpack("<Q", bytes.fromhex(text))[0] if len(text) == 16 else text

    def set_reg(self, n, v):
        return self.ask(f"P{n:x}={struct.pack('<Q', v).hex()}")

    def read(self, addr, n):
        return bytes.fromhex(self.ask(f"m{addr:x},{n:x}"))

    def xfer(self, name, chunk=1000):
        out = ""
        while True:
            part = self.ask(f"qXfer:features:read:{name}:{len(out):x},{chunk:x}")
            out += part[1:]
            if part[0] != "m":
                return out

    def close(self):
        self.sock.close()


def start(sim, image, *options, wait=True):
    """Runs the simulator with its stub on a free port; returns (process, port)."""
    log = tempfile.TemporaryFile("w+")
    proc = subprocess.Popen([sim, "-M", "virt", "-m", "16M", "-serial", "null", "-kernel", image, "-gdb", "tcp::0", *(["-S"] if wait else []), *options],
                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    proc.log = log
    for _ in range(200):
        log.seek(0)
        text = log.read()
        m = re.search(r"GDB on 127\.0\.0\.1:(\d+)", text)
        if m:
            return proc, int(m[1])
        if proc.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError(f"the simulator did not start: {text}")

"""A client of gdb's remote serial protocol for tests: gdb_client.py PROGRAM... runs PROGRAM with --gdb - and speaks
with it; prints TAP lines. Standard library only. `gdb_client.py hostile N PROGRAM...` sends garbage instead."""
import random
import subprocess
import sys


class Client:
    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.acks = True

    def write(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def byte(self):
        return self.child.stdout.read(1)

    def take(self):
        """The next packet, its checksum looked at."""
        while (c := self.byte()) != b"$":
            if not c:
                raise EOFError("the server has gone")
        raw = b""
        while (c := self.byte()) != b"#":
            raw += c
        good = int(self.child.stdout.read(2), 16) == sum(raw) & 255
        if self.acks:
            self.write(b"+" if good else b"-")
        out, escaped = bytearray(), False
        for b in raw:
            if b == 0x7D and not escaped:
                escaped = True
            else:
                out.append(b ^ 0x20 if escaped else b)
                escaped = False
        return out.decode("latin-1") if good else "bad checksum"

    def send(self, packet):
        raw = packet if isinstance(packet, bytes) else packet.encode()
        self.write(b"$" + raw + b"#%02x" % (sum(raw) & 255))

    def ask(self, packet):
        self.send(packet)
        return self.take()

    def end(self):
        self.child.stdin.close()
        self.child.wait(60)
        return self.child.returncode, self.child.stderr.read().decode()


number = 0


def same(want, got, name):
    global number
    number += 1
    print(("ok" if want == got else "not ok") + f" {number} - {name}")
    if want != got:
        print(f"# want {want!r}\n#  got {got!r}", flush=True)


def dword(value):
    return value.to_bytes(4, "little").hex()


def session(command):
    c = Client(command)
    base = int(c.ask("qOffsets").split(";")[0][5:], 16)
    at = base + 0x1924  # vadd_f32+0x24: s_mul_i32 s6, s6, s1
    same(True, "qXfer:features:read+" in c.ask("qSupported:swbreak+"), "qSupported")
    same("", c.ask("vMustReplyEmpty"), "an unknown packet")
    same("T05thread:1;", c.ask("?"), "it stands at the start")
    xml, part = "", "m"
    while part[0] == "m":
        part = c.ask(f"qXfer:features:read:target.xml:{len(xml):x},100")
        xml += part[1:]
    import xml.etree.ElementTree as tree
    regs = [r.get("name") for r in tree.fromstring(xml).iter("reg")]
    same(["pc", "exec", "vcc", "m0"], regs[:4], "target.xml names registers")
    same("1111", "".join("1" if c.ask("p%x" % regs.index(r))[:1] != "E" else "0" for r in ("s0", "v0", "mode", "pc")),
         "each can be read")
    same("m1,2,3,4", c.ask("qfThreadInfo"), "the waves of a work-group are threads")
    same("l", c.ask("qsThreadInfo"), "no more")
    same(b"work-group 0 0 0, wave 1".hex(), c.ask("qThreadExtraInfo,2"), "a thread in words")
    same("OK", c.ask(f"Z0,{at:x},4"), "a breakpoint")
    same("T05thread:1;swbreak:;", c.ask("vCont;c"), "it is reached")
    same((at).to_bytes(8, "little").hex(), c.ask("p0"), "pc")
    s6, s1, v0 = (regs.index(r) for r in ("s6", "s1", "v0"))
    same(dword(0x100), c.ask(f"p{s1:x}"), "s1: the size of a work-group")
    same("".join(dword(i) for i in range(64)), c.ask(f"p{v0:x}"), "v0: work-items")
    same("OK", c.ask(f"P{s6:x}=" + dword(3)), "a register is written")
    same("T05thread:1;", c.ask("vCont;s:1;c"), "a step")
    same(dword(0x300), c.ask(f"p{s6:x}"), "3 * 256")
    same(dword(0), (c.ask(f"P{s6:x}=" + dword(0)) == "OK" and c.ask(f"p{s6:x}")), "and back")
    g = c.ask("g")
    scalar = 8 + 8 + 8 + 4 * 5 + 4 * 102
    same(2 * scalar, len(g), "g has the scalar registers")
    same((at + 4).to_bytes(8, "little").hex(), g[:16], "pc comes first")
    same("OK", c.ask("G" + g), "G writes them")
    same("E01", c.ask("G00"), "G with too few")
    same("OK", c.ask(f"z0,{at:x},4"), "the breakpoint goes")
    out = int(c.ask("m" + "%x" % (int.from_bytes(bytes.fromhex(c.ask(f"p{regs.index('s4'):x}")), "little") |
                                  int.from_bytes(bytes.fromhex(c.ask(f"p{regs.index('s5'):x}")), "little") << 32) +
                    ",8") or "0", 16)
    out = int.from_bytes(out.to_bytes(8, "big"), "little")  # first argument: a buffer
    before = c.ask(f"m{out:x},8")
    same("OK", c.ask(f"M{out:x},4:" + dword(0x7D23242A)), "memory is written")
    same("OK", c.ask(b"X%x,4:" % (out + 4) + b"}\x5d}\x03}\x04}\x0a"), "with bytes, too")
    same("2a24237d7d23242a", c.ask(f"m{out:x},8"), "and read")
    same("OK", c.ask(f"M{out:x},8:{before}"), "and put back")
    same("E0e", c.ask("m10,4"), "what is no memory")
    same("E0e", c.ask("M10,4:00000000"), "is not written")
    for bad in ("m", "mzz,4", "m10", "M10,4:0", "Z0", "Z0,1", "p", "pfff", "P0", "P0=1", "Z9", "qXfer:features:read:target.xml:zz",
                "vCont;x", "Hgffff", "T9999"):
        same("E", c.ask(bad)[:1], f"refused: {bad}")
    same("", c.ask("Z7,0,4"), "a point of no kind")
    same("OK", c.ask(f"Z3,{out:x},4"), "a read watchpoint")
    same("rwatch:%x;" % out, c.ask("vCont;c").split(";", 1)[1], "it is met")
    same("OK", c.ask(f"z3,{out:x},4"), "it goes")
    c.write(b"$g#00")
    same(b"-", c.byte(), "a bad checksum is answered by -")
    c.write(b"$qC#b4")
    same(b"+$QC1#c5", b"".join(c.byte() for _ in range(8)), "a good one by + and the answer")
    c.write(b"-")
    same(b"$QC1#c5", b"".join(c.byte() for _ in range(7)), "which is sent again on request")
    c.write(b"+")
    same("OK", c.ask("QStartNoAckMode"), "no acknowledgements any more")
    c.acks = False
    same("QC1", c.ask("qC"), "from then on")
    c.send("vCont;c")
    same("W00", c.take(), "the launch ends")
    code, said = c.end()
    same(0, code, "exit code")
    same(True, "out.bin matches" in said, "the output is right")

    c = Client(command)
    c.ask("?")
    c.send("k")
    same(0, c.end()[0], "killed")
    c = Client(command)
    same("OK", c.ask("D"), "detached")
    code, said = c.end()
    same((0, True), (code, "out.bin matches" in said), "it runs on alone")
    print(f"1..{number}")


def hostile(count, command):
    """Each costs one line and exit code 2, or it is served and ends as launches do."""
    rng = random.Random(7)
    words = [b"$", b"#", b"}", b"g", b"m0,ffffffff", b"\x03", b"Z2,0,ffffffffffffffff", b"vCont;s:1", b"#00", b"H", b"qXfer:", b"-"]
    for i in range(count):
        c = Client(command)
        kind = i % 4
        if kind == 0:
            data = rng.randbytes(rng.randrange(4000))
        elif kind == 1:
            data = b"".join(rng.choice(words) for _ in range(rng.randrange(300)))
        elif kind == 2:
            data = b"$" + b"m" * 100000 + b"#00"
        else:
            text = b"".join(rng.choice(words[3:]) for _ in range(3)).replace(b"#", b"")
            data = b"$" + text + b"#%02x" % (sum(text) & 255)
        try:
            c.write(data)
        except BrokenPipeError:
            pass
        try:
            code, said = c.end()
        except BrokenPipeError:
            c.child.wait(60)
            code, said = c.child.returncode, c.child.stderr.read().decode()
        lines = [l for l in said.splitlines() if l.startswith("gcncheck")]
        same((True, True), (code in (0, 2), len(lines) == (code == 2)), f"hostile {i}")
        if code not in (0, 2):
            print("#", code, said)
    print(f"1..{number}")


if sys.argv[1] == "hostile":
    hostile(int(sys.argv[2]), sys.argv[3:])
else:
    session(sys.argv[1:])

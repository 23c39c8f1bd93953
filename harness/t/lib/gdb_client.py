"""A client of gdb's remote serial protocol for tests: gdb_client.py WHAT PROGRAM... runs PROGRAM, whose word GDB is
replaced by what --gdb takes, and speaks with it; prints TAP lines. Standard library only. WHAT: session (on vadd_f32),
groups FOLDER (on calls; over sockets), accumulators ADDRESS (of a v_accvgpr_write_b32 a1, v1), hostile N (garbage)."""
import random
import select
import socket
import subprocess
import sys


class Client:
    """Over standard input and output, or where the program says that it listens."""
    def __init__(self, command, where="-"):
        command = [where if word == "GDB" else word for word in command]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.acks = True
        self.to, self.back, self.socket = self.child.stdin, self.child.stdout, None
        if where != "-":
            said = self.child.stderr.readline().decode()
            local = where.startswith("unix:")
            self.socket = socket.socket(socket.AF_UNIX if local else socket.AF_INET)
            self.socket.connect(where[5:] if local else ("127.0.0.1", int(said.rsplit(":", 1)[1])))
            self.socket.settimeout(120)  # seconds: a server that says nothing fails the test
            self.to, self.back = self.socket.makefile("wb"), self.socket.makefile("rb")

    def write(self, data):
        self.to.write(data)
        self.to.flush()

    def byte(self):
        return self.back.read(1)

    def take(self):
        """The next packet, its checksum looked at."""
        while (c := self.byte()) != b"$":
            if not c:
                raise EOFError("the server has gone")
        raw = b""
        while (c := self.byte()) != b"#":
            raw += c
        good = int(self.back.read(2), 16) == sum(raw) & 255
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
        """The exit code, what was printed."""
        if self.socket:
            for end in (self.to, self.back, self.socket):
                end.close()
        out, err = self.child.communicate(timeout=60)
        return self.child.returncode, (out + err).decode()


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
    same("T05thread:1;", c.ask("vCont;s:1;c:-1"), "a step")
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
                "vCont;x", "vCont", "vCont;", "vCont;c;", "vCont;s:1;", "vCont;C", "vCont;c:", "vCont;c:-2", "vCont;s:99", "vCont" + 8189 * ";c" + ";",
                "Hgffff", "T9999"):
        same("E", c.ask(bad)[:1], f"refused: {bad[:60]}")
    same("", c.ask("vContfoo"), "another packet")
    same("", c.ask("Z7,0,4"), "a point of no kind")
    for kind in "01":
        for where, what in ((out, "a buffer"), (at + 2, "half an instruction"), (base, "the head of the file"), (0, "nothing")):
            same("E0e", c.ask(f"Z{kind},{where:x},4"), f"Z{kind}: {what} is no code")
        same("OK", c.ask(f"z{kind},{out:x},4"), "and to remove what is not there is no error")
    start = base + 0x1900
    same("OK", c.ask(f"Z0,{start:x},4"), "a breakpoint that this wave is behind")
    same("OK", c.ask(f"Z3,{out:x},4"), "a read watchpoint")
    same("OK", c.ask("Z2,10,4"), "one that is not met")
    same("rwatch:%x;" % out, c.ask("vCont;c").split(";", 1)[1], "it is met")
    same("OK", c.ask(f"z0,{start:x},4"), "another point goes")
    same("rwatch:%x;" % out, c.ask("?").split(";", 1)[1], "why it stands here is still known")
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
    c.ask(f"Z0,{at:x},4")
    same("T05thread:1;", c.ask("vCont;c"), "the first wave comes to a breakpoint")
    same("T05thread:2;", c.ask("vCont;c:-1"), "all go on: the second comes to it")
    same("E03", c.ask("T1"), "the first has ended")
    same("E03", c.ask("vCont;s:1;c"), "it cannot step")
    same("OK", c.ask("Hg1"), "but be looked at")
    same("T05thread:2;", c.ask("vCont;s"), "a step from there is one of any wave")
    same(at + 4, pc(c), "the second has made it")
    c.send("k")
    c.end()
    c = Client(command)
    same("OK", c.ask("P0=" + 16 * "0"), "a pc outside the program")
    same("T0bthread:1;", c.ask("vCont;s"), "is a fault")
    c.send("vCont;c")
    same("W03", c.take(), "which ends the launch")
    c.end()
    c = Client(command)
    same("OK", c.ask("D"), "detached")
    code, said = c.end()
    same((0, True), (code, "out.bin matches" in said), "it runs on alone")
    print(f"1..{number}")


def pc(c):
    return int.from_bytes(bytes.fromhex(c.ask("p0")), "little")


def groups(folder, command):
    """Three work-groups of two waves that take turns: threads 1, 2, 11, 12, 21 and 22."""
    c = Client(command, "0")
    same(True, c.ask("qSupported:swbreak-").startswith("PacketSize="), "a port of the loopback interface")
    base = int(c.ask("qOffsets").split(";")[0][5:], 16)
    xml = c.ask("qXfer:features:read:target.xml:0,2000")[1:]
    import xml.etree.ElementTree as tree
    regs = [r.get("name") for r in tree.fromstring(xml).iter("reg")]
    s10, s11, v0 = ("%x" % regs.index(r) for r in ("s10", "s11", "v0"))
    same("OK", c.ask(f"Z0,{base + 0x1660:x},4"), "a breakpoint behind the barrier")  # v_xor_b32, ds_read_b32 (1668), s_lshl_b32 (1670)
    for thread in ("1", "2", "11", "12", "21", "22"):
        same(f"T05thread:{thread};", c.ask("vCont;c"), "every wave comes to it: no swbreak for who does not ask for it")
    same("m1,2,11,12,21,22", c.ask("qfThreadInfo"), "threads of three work-groups")
    same(b"work-group 2 0 0, wave 0".hex(), c.ask("qThreadExtraInfo,21"), "one in words")
    same("OK", c.ask("Hg12"), "a wave of another work-group")
    same("".join(dword(64 + i) for i in range(64)), c.ask(f"p{v0}"), "its work-items")
    same(dword(15), c.ask(f"p{s10}"), "its sum")
    same(base + 0x1668, pc(c), "it has executed one when the last wave comes to the breakpoint")
    same("T05thread:12;", c.ask("vCont;s:12;c"), "it steps")
    same(base + 0x1670, pc(c), "its pc")
    same("OK", c.ask("Hg11"), "the wave beside it")
    same(base + 0x1674, pc(c), "which has had its next turn")
    same("OK", c.ask(f"z0,{base + 0x1660:x},4"), "no breakpoint")
    lds = 0x1000000000000
    same(dword(64) + dword(65), c.ask(f"m{lds + 256:x},8"), "local memory through its aperture")
    same("E0e", c.ask(f"m{lds + 512:x},4"), "its end")
    same("OK", c.ask("Z2,10000,ffffffffffffffff"), "stores from an address to the end of all and beyond")
    stop = c.ask("vCont;c").split(";")
    same(("T05thread", "watch"), (stop[0].split(":")[0], stop[1].split(":")[0]), "one stops it")
    same("OK", c.ask("z2,10000,ffffffffffffffff"), "it goes")
    same("OK", c.ask("Z2,fffffffffffffffc,8"), "one beyond the end of the address space")
    same("W00", c.ask("vCont;c"), "does not")
    code, said = c.end()
    same((0, True), (code, "out.bin matches" in said), "the output is right")

    c = Client(command, f"unix:{folder}/socket")
    same("OK", c.ask(f"Z0,{base + 0x1640:x},4"), "a socket: a breakpoint in the loop")  # s_sub_u32 s11, s11, 1
    same("T05thread:1;", c.ask("vCont;c"), "it is reached")
    same("OK", c.ask(f"P{s11}=" + dword(0)), "the loop has no end now")
    same("OK", c.ask(f"z0,{base + 0x1640:x},4"), "the breakpoint goes")
    c.send("vCont;c")
    same(b"+", c.byte(), "it is taken")
    same([], select.select([c.socket], [], [], 0.3)[0], "the launch runs")
    c.write(b"\x03")
    same("T02thread:", c.take()[:10], "it is interrupted")
    same("OK", c.ask("Hg1"), "the wave in the loop")
    same(True, c.ask(f"p{s11}") != dword(0) and base + 0x1500 <= pc(c) < base + 0x170c, "which has counted")
    same("OK", c.ask(f"P{s11}=" + dword(2)), "and is led out of it")
    same("OK", c.ask(f"P{s10}=" + dword(15)), "with another sum")
    same("W01", c.ask("vCont;c"), "the launch ends, the exit code is the client's, too")
    code, said = c.end()
    same((1, True), (code, "out.bin differs" in said), "the output is wrong")

    c = Client(command, "0")
    c.ask("?")
    code, said = c.end()
    same((2, True), (code, "gcncheck launch: --gdb 0: the client has gone" in said), "a client that goes ends it")
    print(f"1..{number}")


def accumulators(address, command):
    c = Client(command)
    base = int(c.ask("qOffsets").split(";")[0][5:], 16)
    xml, part = "", "m"
    while part[0] == "m":
        part = c.ask(f"qXfer:features:read:target.xml:{len(xml):x},2000")
        xml += part[1:]
    import xml.etree.ElementTree as tree
    regs = [r.get("name") for r in tree.fromstring(xml).iter("reg")]
    v, a = ([r for r in regs if r[0] == kind and r[1:].isdigit()] for kind in "va")
    same([r.replace("v", "a") for r in v], a, "as many as vector registers")
    a1, v1 = ("%x" % regs.index(r) for r in ("a1", "v1"))
    same("E", c.ask("p%x" % len(regs))[:1], "none behind the last")
    c.ask(f"Z0,{base + address:x},4")
    same("T05thread:1;", c.ask("vCont;c"), "before one is written")
    same("OK", c.ask(f"P{v1}=" + "".join(dword(1000 + i) for i in range(64))), "from these values")
    before = c.ask(f"p{a1}")
    c.ask("vCont;s")
    same((True, c.ask(f"p{v1}")), (before != c.ask(f"p{a1}"), c.ask(f"p{a1}")), "it has them")
    same("OK", c.ask(f"P{a1}=" + 64 * dword(7)), "it can be written")
    same((64 * dword(7), dword(1000)), (c.ask(f"p{a1}"), c.ask(f"p{v1}")[:8]), "it alone")
    c.send("k")
    c.end()
    print(f"1..{number}")


def hostile(count, command):
    """Each costs one line and exit code 2, or it is served and ends as launches do."""
    rng = random.Random(7)
    words = [b"$", b"#", b"}", b"g", b"m0,ffffffff", b"\x03", b"Z2,0,ffffffffffffffff", b"vCont;s:1", b"#00", b"H", b"qXfer:", b"-"]
    heads = [b"P0=", b"P0", b"p", b"G", b"g", b"M10000,", b"X10000,4:", b"m", b"vCont;", b"vCont", b"s", b"Z", b"z", b"Hg", b"T", b"?", b"qSupported",
             b"qThreadExtraInfo,", b"qXfer:features:read:target.xml:", b"qfThreadInfo", b"qsThreadInfo", b"C", b"S"]
    tails = [b"0", b"1", b"ffffffffffffffff", b",", b":", b";", b"=", b"s", b"c", b"-1", b"0000000000000000", b"10", b"}\x03", b"4"]
    for i in range(count):
        c = Client(command)
        kind = i % 5
        if kind == 0:
            data = rng.randbytes(rng.randrange(4000))
        elif kind == 1:
            data = b"".join(rng.choice(words) for _ in range(rng.randrange(300)))
        elif kind == 2:
            data = b"$" + b"m" * 100000 + b"#00"
        elif kind == 3:  # packets that are framed as they should be: each is looked at
            data = b""
            for _ in range(60):
                text = rng.choice(heads) + b"".join(rng.choice(tails) for _ in range(rng.randrange(6)))
                data += b"+$" + text + b"#%02x" % (sum(text) & 255)
        else:
            text = b"".join(rng.choice(words[3:]) for _ in range(3)).replace(b"#", b"")
            data = b"$" + text + b"#%02x" % (sum(text) & 255)
        try:
            c.write(data)
        except BrokenPipeError:
            pass
        code, said = c.end()
        lines = [l for l in said.splitlines() if l.startswith("gcncheck ")]
        ends = (0, 2, 3) if kind == 3 else (0, 2)  # a pc that is set may lie outside the program
        same((True, True), (code in ends, len(lines) == (code > 0)), f"hostile {i}")
        if code not in ends:
            print("#", code, said)
    print(f"1..{number}")


if sys.argv[1] == "hostile":
    hostile(int(sys.argv[2]), sys.argv[3:])
elif sys.argv[1] == "groups":
    groups(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "accumulators":
    accumulators(int(sys.argv[2], 16), sys.argv[3:])
else:
    session(sys.argv[2:])

#!/usr/bin/env python3
"""A device under test (DUT) in any language: the pipe protocol of gcncheck, and an example of eight opcodes.

    gcncheck run --mcpu gfx900 --dut 'pipe:python3 harness/sdk/example_pipe.py' cases

The protocol
------------
gcncheck starts the command and writes requests to its standard input; the command writes one answer per
request to its standard output. Print nothing else there; standard error is free. A request or answer is a
frame: its length (4 bytes, little-endian), then that many bytes of msgpack, always one map. "id" is a number
that the answer repeats. End of input means: end. Fields mean what gcncheck_dut.h says about the field of the
same name.

hello, once:
    {"op": "hello", "id": 1, "abi": 1, "mcpu": "gfx900"}
    {"id": 1, "name": str, "version": str, "can": {class: 0 no, 1 show, 3 show and set}}
        classes: sgpr flat_scratch xnack_mask vcc ttmp m0 exec vgpr agpr scc mode status trapsts pc tba
        A class not listed: 0. No "can" at all: 3 for everything but tba.
        "fixed_mode": int, beside "can", only if the device knows no MODE but this.
    {"id": 1, "error": str} instead ends the run with that text, for instance for an unknown mcpu.

run:
    {"op": "run", "id": 2, "jobs": [job, ...]}
    {"id": 2, "results": [result, ...]}        as many, in the same order

job:
    "waves", "max_steps", "pc", "poison": integers
    "code":    bytes, dwords little-endian
    "set":     [[wave, place, value], ...]     value: an integer, or for a vector register 256 bytes (64
                                               dwords little-endian, lane 0 first)
    "get":     [[wave, place], ...]
    "windows": [[address, bytes], ...]         missing if there are none
    "lds":     bytes                           missing if there is none

result:
    "outcome": 1 done, 2 unsupported, 3 illegal, 4 fault, 5 limit
    "reason":  str, for every outcome but done
    and for done
    "out":     [value, ...]                    in the order of "get", values as above
    "windows": [[window, offset, bytes], ...]  what changed (window: index into the job's list); may be missing
    "lds":     [[offset, bytes], ...]          what changed; may be missing

A place is one number: 0..127 the scalar operand codes (106 vcc_lo, 124 m0, 126 exec_lo), 256.. v0.., 512..
a0.., 768 scc, 769 mode, 770 status, 771 trapsts, 772 pc_lo, 773 pc_hi, 774 tba_lo, 775 tba_hi (where the
trap handler is in the code). gcncheck_dut.h says what the codes are on earlier processors. Registers that "set" does not name
start with the values that poison() below computes.
"""
import struct
import sys

# ---- msgpack, as much of it as the protocol needs ----


def pack(x):
    if x is None:
        return b"\xc0"
    if isinstance(x, bool):
        return b"\xc3" if x else b"\xc2"
    if isinstance(x, int):
        if 0 <= x < 0x80:
            return bytes([x])
        return b"\xcf" + struct.pack(">Q", x) if x >= 0 else b"\xd3" + struct.pack(">q", x)
    if isinstance(x, str):
        b = x.encode()
        return b"\xdb" + struct.pack(">I", len(b)) + b
    if isinstance(x, (bytes, bytearray)):
        return b"\xc6" + struct.pack(">I", len(x)) + x
    if isinstance(x, (list, tuple)):
        return b"\xdd" + struct.pack(">I", len(x)) + b"".join(pack(i) for i in x)
    if isinstance(x, dict):
        return b"\xdf" + struct.pack(">I", len(x)) + b"".join(pack(k) + pack(v) for k, v in x.items())
    raise TypeError("cannot pack " + type(x).__name__)


def unpack(b, at=0):
    """The value at b[at] and where the next one begins."""

    def number(code):
        n = struct.calcsize(code)
        return struct.unpack_from(code, b, at)[0], at + n

    def items(n, at):
        out = []
        for _ in range(n):
            v, at = unpack(b, at)
            out.append(v)
        return out, at

    def pairs(n, at):
        flat, at = items(2 * n, at)
        return dict(zip(flat[::2], flat[1::2])), at

    c = b[at]
    at += 1
    if c < 0x80:
        return c, at
    if c < 0x90:
        return pairs(c & 15, at)
    if c < 0xA0:
        return items(c & 15, at)
    if c < 0xC0:
        return b[at:at + (c & 31)].decode(), at + (c & 31)
    if c >= 0xE0:
        return c - 0x100, at
    if c in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[c], at
    numbers = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
               0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
    if c in numbers:
        return number(numbers[c])
    sizes = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I",
             0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
    n, at = number(sizes[c])
    if c <= 0xC6:
        return bytes(b[at:at + n]), at + n
    if c <= 0xDB:
        return b[at:at + n].decode(), at + n
    return items(n, at) if c <= 0xDD else pairs(n, at)


# ---- the machine: one wave, 64 lanes; scalars by operand code, vectors as lists ----

MASK = 0xFFFFFFFF
DONE, UNSUPPORTED, ILLEGAL, FAULT, LIMIT = 1, 2, 3, 4, 5
V0, SCC, EXEC = 256, 768, 126
FLOATS = [0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000, 0xC0000000, 0x40800000,
          0xC0800000, 0x3E22F983]


class End(Exception):
    """The job ends: (outcome, reason)."""


def poison(seed, place, lane):
    kind = 0xA0000000 if place < 256 else 0xB0000000 if place < 512 else 0xC0000000
    name = kind | (place & 255) << 16 | lane
    if seed <= 1:
        return name if seed else 0
    m = 0xFFFFFFFFFFFFFFFF
    z = (seed + name * 0x9E3779B97F4A7C15) & m
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & m
    z = (z ^ z >> 27) * 0x94D049BB133111EB & m
    return (z >> 32 ^ z) & MASK


class Wave:
    def __init__(self, job, number):
        self.seed = job["poison"]
        self.code = struct.unpack("<%dI" % (len(job["code"]) // 4), job["code"])
        self.at = 0
        self.reg = {}
        for wave, place, value in job["set"]:
            if wave == number:
                is_vector = isinstance(value, bytes)
                self.reg[place] = list(struct.unpack("<64I", value)) if is_vector else value

    def read(self, place):
        if place not in self.reg:
            if V0 <= place < V0 + 256:
                self.reg[place] = [poison(self.seed, place, lane) for lane in range(64)]
            else:
                self.reg[place] = poison(self.seed, place, 0)
        return self.reg[place]

    def fetch(self):
        if not 0 <= self.at < len(self.code):
            raise End(FAULT, "the program ran past its end")
        self.at += 1
        return self.code[self.at - 1]

    def source(self, code):
        """A 32-bit source operand: a number, or a list for a vector register."""
        if code < 108 or code in (124, 126, 127) or code >= V0:
            return self.read(code)
        if 128 <= code <= 208:
            return code - 128 if code <= 192 else 192 - code & MASK
        if 240 <= code <= 248:
            return FLOATS[code - 240]
        if code == 255:  # one literal, even if both operands name it
            if self.literal is None:
                self.literal = self.fetch()
            return self.literal
        raise End(UNSUPPORTED, "source operand %d" % code)

    def scalar_dst(self, code, value):
        if not (code < 108 or code in (124, 126, 127)):
            raise End(UNSUPPORTED, "scalar destination %d" % code)
        self.reg[code] = value & MASK

    def vector(self, dst, f, *sources):
        lanes = [s if isinstance(s, list) else [s] * 64 for s in sources]
        exec_mask = self.read(EXEC) | self.read(EXEC + 1) << 32
        old = self.read(V0 + dst)
        self.reg[V0 + dst] = [f(*x) & MASK if exec_mask >> lane & 1 else old[lane]
                              for lane, x in enumerate(zip(*lanes))]

    def step(self):
        self.literal = None
        d = self.fetch()
        if d >> 16 == 0xBF81:  # s_endpgm
            raise End(DONE, "")
        if d >> 16 == 0xBF80:  # s_nop
            return
        if d >> 23 == 0x17D and d >> 8 & 0xFF == 0:  # s_mov_b32
            self.scalar_dst(d >> 16 & 0x7F, self.source(d & 0xFF))
        elif d >> 23 == 0x100:  # s_add_u32
            total = self.source(d & 0xFF) + self.source(d >> 8 & 0xFF)
            self.scalar_dst(d >> 16 & 0x7F, total)
            self.reg[SCC] = total >> 32
        elif d >> 25 == 0x3F and d >> 9 & 0xFF == 1:  # v_mov_b32
            self.vector(d >> 17 & 0xFF, lambda a: a, self.source(d & 0x1FF))
        elif d >> 25 in (0x34, 0x13, 0x15):  # v_add_u32, v_and_b32, v_xor_b32
            f = {0x34: lambda a, b: a + b, 0x13: lambda a, b: a & b, 0x15: lambda a, b: a ^ b}[d >> 25]
            self.vector(d >> 17 & 0xFF, f, self.source(d & 0x1FF), self.read(V0 + (d >> 9 & 0xFF)))
        else:
            raise End(UNSUPPORTED, "dword 0x%08x" % d)


def run_wave(job, number):
    wave = Wave(job, number)
    try:
        for _ in range(job["max_steps"]):
            wave.step()
        raise End(LIMIT, "max_steps reached")
    except End as end:
        return wave, end.args[0], end.args[1]


def run_job(job):
    waves = []
    for number in range(job["waves"]):
        wave, outcome, reason = run_wave(job, number)
        if outcome != DONE:
            return {"outcome": outcome, "reason": reason}
        waves.append(wave)
    values = [waves[number].read(place) for number, place in job["get"]]
    return {"outcome": DONE,
            "out": [struct.pack("<64I", *v) if isinstance(v, list) else v for v in values]}


# ---- the pipe ----


def answer(request):
    if request["op"] == "hello":
        if request["mcpu"] != "gfx900":
            return {"error": "only gfx900 is known here"}
        return {"name": "example-pipe", "version": "1",
                "can": {"sgpr": 3, "flat_scratch": 3, "xnack_mask": 3, "vcc": 3, "m0": 3, "exec": 3,
                        "vgpr": 3, "scc": 3}}
    return {"results": [run_job(job) for job in request["jobs"]]}


def main():
    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4:
            return
        frame = sys.stdin.buffer.read(struct.unpack("<I", head)[0])
        request = unpack(frame)[0]
        body = pack(dict(answer(request), id=request["id"]))
        sys.stdout.buffer.write(struct.pack("<I", len(body)) + body)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

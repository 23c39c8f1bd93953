#!/usr/bin/env python3
"""Reads gcncheck vectors, and judges answers to them. The standard library is all it needs.

    python3 gcncheck_vectors.py list  FILE      a line for each vector: id, rows, program
    python3 gcncheck_vectors.py judge RECORDING a line for each row: id, then pass, fail or skip

FILE is a binary file, a JSON file or a folder of such, of `gcncheck export` or `gcncheck record`. As a
module:

    import gcncheck_vectors as gv
    for v in gv.read("gfx900.gcv"):
        state = my_run(v)                       # v["code"], v.start(wave, place), v.bytes(memory)
        for d in gv.judge(v, my_reg, my_mem):   # my_reg(wave, place) -> 1 or 64 numbers, or None
            print(v.row_id(d.row), d)           # my_mem(memory) -> bytes, or None

A vector is a dict with the members of the JSON files, but that dwords are lists of numbers, places are
numbers (v0 is 256, a0 is 512, as in gcncheck_dut.h), and 64-bit values are numbers. JSON has for places the
names of gfx9, of every processor. What the members mean is said at the head of gcncheck_vectors.h, which does
the same in C."""
import collections, json, os, struct, sys

VERSION = 1
MASK32 = 0xffffffff
MASK64 = 0xffffffffffffffff
LANES = 64

Diff = collections.namedtuple("Diff", "row wave place memory at lane want got rule")


class Damaged(Exception):
    """The file is not what it should be; the text says what and where."""


# ---- places ----

NAMED = {"flat_scratch_lo": 102, "flat_scratch_hi": 103, "xnack_mask_lo": 104, "xnack_mask_hi": 105, "vcc_lo": 106,
         "vcc_hi": 107, "m0": 124, "exec_lo": 126, "exec_hi": 127, "scc": 768, "mode": 769, "status": 770,
         "trapsts": 771, "pc_lo": 772, "pc_hi": 773, "tba_lo": 774, "tba_hi": 775}
PLACES = dict(NAMED)
for prefix, first, count in (("s", 0, 102), ("ttmp", 108, 16), ("v", 256, 256), ("a", 512, 256)):
    for number in range(count):
        PLACES[f"{prefix}{number}"] = first + number
NAMES = {code: name for name, code in PLACES.items()}


def is_vector(place):
    return 256 <= place < 768


def expand(names):
    """Places of names and ranges of names: ["s0-s3", "vcc_lo"]."""
    out = []
    for name in names:
        first, _, last = name.partition("-")
        out.extend(range(PLACES[first], PLACES[last or first] + 1))
    return out


# ---- msgpack, as much of it as there is ----

def unpack(data, at=0):
    """The value at a byte, and the byte behind it. Dwords become tuples."""
    b = data[at]
    at += 1
    if b < 0x80:
        return b, at
    if b < 0x90:
        return unpack_map(data, at, b & 15)
    if b < 0xa0:
        return unpack_list(data, at, b & 15)
    if b < 0xc0:
        return data[at:at + (b & 31)].decode(), at + (b & 31)
    size = {0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd9: 1, 0xda: 2, 0xdb: 4, 0xc4: 1, 0xc5: 2, 0xc6: 4, 0xdc: 2,
            0xdd: 4, 0xde: 2, 0xdf: 4}.get(b)
    if size is None:
        raise Damaged(f"byte {at - 1}: 0x{b:02x} begins nothing")
    n = int.from_bytes(data[at:at + size], "big")
    at += size
    if b >= 0xde:
        return unpack_map(data, at, n)
    if b >= 0xdc:
        return unpack_list(data, at, n)
    if 0xcc <= b <= 0xcf:
        return n, at
    if len(data) < at + n:
        raise Damaged(f"byte {at}: cut off")
    if b >= 0xd9:
        return data[at:at + n].decode(), at + n
    return struct.unpack_from(f"<{n // 4}I", data, at), at + n


def unpack_list(data, at, count):
    out = []
    for _ in range(count):
        value, at = unpack(data, at)
        out.append(value)
    return out, at


def unpack_map(data, at, count):
    out = {}
    for _ in range(count):
        key, at = unpack(data, at)
        out[key], at = unpack(data, at)
    return out, at


def pack(value):
    """The one way in which a value is written, so that equal content has equal bytes."""
    if isinstance(value, int):
        if value < 0x80:
            return bytes((value,))
        for code, size in ((0xcc, 1), (0xcd, 2), (0xce, 4), (0xcf, 8)):
            if value < 1 << 8 * size:
                return bytes((code,)) + value.to_bytes(size, "big")
    if isinstance(value, str):
        text = value.encode()
        n = len(text)
        head = bytes((0xa0 | n,)) if n < 32 else long_head(n, ((0xd9, 1), (0xda, 2), (0xdb, 4)))
        return head + text
    if isinstance(value, tuple):
        return long_head(4 * len(value), ((0xc4, 1), (0xc5, 2), (0xc6, 4))) + struct.pack(f"<{len(value)}I", *value)
    n = len(value)
    if isinstance(value, list):
        head = bytes((0x90 | n,)) if n < 16 else long_head(n, ((0xdc, 2), (0xdd, 4)))
        return head + b"".join(pack(one) for one in value)
    head = bytes((0x80 | n,)) if n < 16 else long_head(n, ((0xde, 2), (0xdf, 4)))
    return head + b"".join(pack(key) + pack(one) for key, one in value.items())


def long_head(n, codes):
    for code, size in codes:
        if n < 1 << 8 * size:
            return bytes((code,)) + n.to_bytes(size, "big")
    raise Damaged("more than there is a length for")


# ---- hashes ----

HASH_BYTES = 22


def content_hash(data):
    """Of a record's bytes before its last member, "hash"."""
    h = 0x6763766563746f72
    padded = data + bytes(-len(data) % 8)
    for (w,) in struct.iter_unpack("<Q", padded):
        h = (h ^ w) * 0x9e3779b97f4a7c15 & MASK64
        h ^= h >> 32
    h = (h ^ len(data)) * 0x9e3779b97f4a7c15 & MASK64
    return f"{h ^ h >> 29:016x}"


def check_hash(record, raw):
    if content_hash(raw[:-HASH_BYTES]) != record.get("hash"):
        raise Damaged(f"{record.get('id')}: its hash is not that of its content")


# ---- JSON ----

DWORDS = {"code", "value", "want", "mask", "lo", "hi", "words"}


def from_json(value, key=None):
    """JSON as it is in a binary file: dwords as tuples."""
    if isinstance(value, dict):
        return {k: from_json(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [from_json(one) for one in value]
    if key in DWORDS:
        return tuple(int(one, 16) for one in value.split())
    return value


# ---- vectors ----

class Vector(dict):
    """A vector; `answer` is what a recording has of it, else None."""
    answer = None

    def __init__(self, record):
        super().__init__(record)
        for key in ("pc", "poison"):
            if key in self:
                self[key] = int(self[key], 16)
        self["check"] = expand(self.get("check", []))
        self.values_at_start = {}
        for one in self.get("set", []):
            self.values_at_start[one.get("wave", 0), PLACES[one["place"]]] = one["value"]

    def row_id(self, row):
        return self["rows"][row]["id"]

    def start(self, wave, place):
        """What a register holds at the start: 1 number, or 64."""
        value = self.values_at_start.get((wave, place))
        lanes = LANES if is_vector(place) else 1
        if value is None:
            return [poison(self["poison"], place, lane) for lane in range(lanes)]
        return list(value) * lanes if len(value) == 1 else list(value)

    def bytes(self, memory):
        """What a memory holds at the start, rounded up to dwords."""
        m = self["memory"][memory]
        size = (m["size"] + 3) // 4 * 4
        fill = m["fill"]
        words = [fill + at & MASK32 for at in range(0, size, 4)] if fill else [0] * (size // 4)
        for patch in m.get("patch", []):
            at = patch["at"] // 4
            words[at:at + len(patch["words"])] = patch["words"]
        return struct.pack(f"<{len(words)}I", *words)


def poison(seed, place, lane):
    """The starting value of a register that nothing sets."""
    kind = 0xa0000000 if place < 256 else 0xb0000000 if place < 512 else 0xc0000000
    name = kind | (place & 255) << 16 | lane
    if seed <= 1:
        return name if seed else 0
    z = seed + name * 0x9e3779b97f4a7c15 & MASK64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK64
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK64
    return (z >> 32 ^ z) & MASK32


def read(path):
    """The vectors of a file or folder, in order. Damaged if one is not what its hash says."""
    if os.path.isdir(path):
        files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
                       if name.endswith(".json"))
        for name in files:
            yield from read(name)
        return
    with open(path, "rb") as f:
        data = f.read()
    yield from read_binary(data) if data[:4] == b"HEAD" else read_json(data)


def read_json(data):
    whole = json.loads(data)
    if whole.get("format") != "gcncheck-vectors" or whole.get("version") != VERSION:
        raise Damaged("this is no file of gcncheck vectors, or of another version")
    for test in whole["tests"]:
        record = from_json({k: v for k, v in test.items() if k != "answer"})
        check_hash(record, pack(record))
        v = Vector(record)
        v.answer = from_json(test["answer"]) if "answer" in test else None
        yield v


def read_binary(data):
    at, v = 0, None
    while True:
        if len(data) < at + 8:
            raise Damaged(f"byte {at}: the file is cut off")
        tag, size = data[at:at + 4], int.from_bytes(data[at + 4:at + 8], "little")
        raw = data[at + 8:at + 8 + size]
        if len(raw) < size:
            raise Damaged(f"byte {at}: the file is cut off")
        at += 8 + size
        if tag == b"ANSW" and v is not None:
            v.answer = unpack(raw)[0]
            continue
        if v is not None:
            yield v
            v = None
        if tag == b"INDX":
            return
        record = unpack(raw)[0]
        if tag == b"HEAD":
            if record.get("format") != "gcncheck-vectors" or record.get("version") != VERSION:
                raise Damaged("this is no file of gcncheck vectors, or of another version")
        elif tag == b"TEST":
            check_hash(record, raw)
            v = Vector(record)
        else:
            raise Damaged(f"byte {at - size - 8}: neither a vector nor the index")


# ---- judging ----

def lanes_of(value, lanes):
    return value * lanes if len(value) == 1 else value


def judge(v, reg, mem, changed=None):
    """The differences of a device that came to its end. reg(wave, place) gives 1 or 64 numbers, mem(memory)
    bytes; None is what the device cannot show. Who knows which (wave, place) are not as they were at the start
    can say so: the others are then not asked for where nothing else is expected."""
    ends = {(e.get("wave", 0), PLACES[e["place"]]): e for e in v.get("end", [])}
    for wave in range(v.get("waves", 0)):
        for place in v["check"]:
            if changed is not None and (wave, place) not in changed and (wave, place) not in ends:
                continue
            got = reg(wave, place)
            if got is not None:
                yield from judge_place(v, wave, place, list(got), ends.get((wave, place)))
    for a in v.get("accept", []):
        yield from judge_accept(v, a, reg, mem)
    for m in range(len(v.get("memory", []))):
        got = mem(m)
        if got is not None:
            yield from judge_memory(v, m, got)


def row_of(v, lane):
    return lane if v.get("by_lane") and lane < len(v["rows"]) else 0


def judge_place(v, wave, place, got, end):
    lanes = LANES if is_vector(place) else 1
    want = list(lanes_of(end["want"], lanes)) if end else v.start(wave, place)
    mask = lanes_of(end.get("mask", (MASK32,)), lanes) if end else (MASK32,) * lanes
    if got == want:
        return
    for lane in range(lanes):
        differs = (want[lane] ^ got[lane]) & mask[lane]
        if not differs:
            continue
        if end and "lane" in end:
            for bit in range(32):
                if differs >> bit & 1:
                    one = end["lane"] + bit
                    yield Diff(row_of(v, one), wave, place, None, None, one, want[lane], got[lane], "")
        else:
            yield Diff(row_of(v, lane) if lanes > 1 else 0, wave, place, None, None, lane, want[lane], got[lane], "")


def number(words):
    return sum(word << 32 * i for i, word in enumerate(words))


def judge_accept(v, a, reg, mem):
    dw, lane = len(a["mask"]), a.get("lane", 0)
    is_memory = "memory" in a
    if is_memory:
        data = mem(a["memory"])
        parts = None if data is None else struct.unpack_from(f"<{dw}I", data + bytes(4 * dw), a["at"])
    else:
        parts = []
        for i in range(dw):
            one = reg(a.get("wave", 0), PLACES[a["place"]] + i)
            parts = None if one is None or parts is None else parts + [one[lane]]
    if parts is None:
        return
    value = number(part & mask for part, mask in zip(parts, a["mask"]))
    for r in range(0, len(a["lo"]), dw):
        if number(a["lo"][r:r + dw]) <= value <= number(a["hi"][r:r + dw]):
            return
    yield Diff(row_of(v, lane) if not is_memory and is_vector(PLACES[a["place"]]) else 0, a.get("wave", 0),
               None if is_memory else PLACES[a["place"]], a.get("memory"), a.get("at"), lane, a["lo"][0],
               parts[0] & a["mask"][0], a["rule"])


def judge_memory(v, m, got):
    size = v["memory"][m]["size"]
    want = bytearray(v.bytes(m))
    mask = bytearray(b"\xff" * size + bytes(-size % 4))
    for change in v.get("change", []):
        if change["memory"] == m:
            at, n = change["at"], len(change["want"])
            struct.pack_into(f"<{n}I", want, at, *change["want"])
            if "mask" in change:
                struct.pack_into(f"<{n}I", mask, at, *change["mask"])
    got = bytes(got) + bytes(-len(got) % 4)
    if got == bytes(want):
        return
    for at in range(0, size, 4):
        w, g, k = (struct.unpack_from("<I", b, at)[0] for b in (want, got, mask))
        if (w ^ g) & k:
            yield Diff(0, None, None, m, at, 0, w, g, "")


# ---- recordings ----

def judge_answer(v):
    """The differences of a recorded answer whose outcome is "done"."""
    a = v.answer
    hidden = set(expand(a.get("hidden", [])))
    values = {(one.get("wave", 0), PLACES[one["place"]]): one["value"] for one in a.get("values", [])}

    def reg(wave, place):
        if place in hidden:
            return None
        if (wave, place) not in values:
            return v.start(wave, place)
        return lanes_of(values[wave, place], LANES if is_vector(place) else 1)

    def mem(memory):
        data = bytearray(v.bytes(memory))
        for words in a.get("words", []):
            if words["memory"] == memory:
                struct.pack_into(f"<{len(words['want'])}I", data, words["at"], *words["want"])
        return bytes(data)

    return judge(v, reg, mem, values)


def verdicts(v):
    """pass, fail or skip for each row of a recorded vector."""
    outcome = v.answer["outcome"]
    rows = len(v["rows"])
    if outcome != "done":
        return ["skip" if outcome == "unsupported" else "fail"] * rows
    wrong = {d.row for d in judge_answer(v)}
    return ["fail" if row in wrong else "pass" for row in range(rows)]


def main(argv):
    if len(argv) != 3 or argv[1] not in ("list", "judge"):
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    try:
        for v in read(argv[2]):
            if argv[1] == "list":
                print(v["id"], len(v["rows"]), v["text"].replace("\n", "; "))
                continue
            if v.answer is None:
                raise Damaged(f"{v['id']}: has no answer; gcncheck record makes a recording")
            for row, verdict in enumerate(verdicts(v)):
                print(v.row_id(row), verdict)
                failed += verdict == "fail"
    except (Damaged, KeyError, IndexError, ValueError, struct.error, OSError) as e:
        print(f"{argv[2]}: {e}", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

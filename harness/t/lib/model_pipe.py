#!/usr/bin/env python3
"""The model behind the pipe protocol: build/model_dut.so through ctypes, with the messages of example_pipe.py.

    gcncheck run --dut 'pipe:python3 harness/t/lib/model_pipe.py build/model_dut.so' cases

GCNCHECK_MUTANT, GCNCHECK_FIXED_MODE and GCNCHECK_DOUBT as for the plug-in. Faults that a mutant cannot have are words behind the file:
    flaky    the first job answers with a wrong bit in every vector register, and no other
    die=HEX  the process ends in the middle of a job whose code holds this dword
    gone=FILE:N  it ends after N jobs and does not start again while FILE, which it then makes, is empty
"""
import ctypes
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sdk"))
import example_pipe  # noqa: E402

U8, U16, U32, U64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
P = ctypes.POINTER
V0, SCC, DONE = 256, 768, 1


class Slot(ctypes.Structure):
    _fields_ = [("wave", U16), ("place", U16), ("index", U32)]


class Window(ctypes.Structure):
    _fields_ = [("address", U64), ("size", U64), ("bytes", P(U8))]


class Job(ctypes.Structure):
    _fields_ = [("size", U32), ("waves", U32), ("mcpu", ctypes.c_char_p), ("code", P(U32)), ("code_dw", U32),
                ("max_steps", U32), ("pc", U64), ("poison", U64), ("set", P(Slot)), ("set_count", U32),
                ("get_count", U32), ("get", P(Slot)), ("values", P(U32)), ("out", P(U32)), ("windows", P(Window)),
                ("window_count", U32), ("lds_size", U32), ("lds", P(U8)), ("outcome", U32), ("reason", ctypes.c_char * 64)]


class Dut(ctypes.Structure):
    _fields_ = [("size", U32), ("abi", U32), ("name", ctypes.c_char_p), ("version", ctypes.c_char_p),
                ("can", ctypes.c_void_p), ("run", ctypes.CFUNCTYPE(ctypes.c_int, P(Job), U32)),
                ("has_fixed_mode", U32), ("fixed_mode", U32)]


def dwords(place):
    return 64 if V0 <= place < SCC else 1


def slots(places):
    """An array of slots, and how many dwords they index."""
    array, at = (Slot * max(len(places), 1))(), 0
    for i, (wave, place) in enumerate(places):
        array[i] = Slot(wave, place, at)
        at += dwords(place)
    return array, at


def run_job(dut, mcpu, job):
    code = struct.unpack("<%dI" % (len(job["code"]) // 4), job["code"])
    values = b"".join(v if isinstance(v, bytes) else struct.pack("<I", v) for _, _, v in job["set"])
    sets, _ = slots([(wave, place) for wave, place, _ in job["set"]])
    gets, outs = slots(job["get"])
    memory = [(address, (U8 * len(b)).from_buffer_copy(b)) for address, b in job.get("windows", [])]
    windows = (Window * max(len(memory), 1))(*(Window(a, len(b), ctypes.cast(b, P(U8))) for a, b in memory))
    lds = (U8 * len(job["lds"])).from_buffer_copy(job["lds"]) if "lds" in job else None
    out = (U32 * max(outs, 1))()
    j = Job(size=ctypes.sizeof(Job), waves=job["waves"], mcpu=mcpu.encode(), code=(U32 * len(code))(*code),
            code_dw=len(code), max_steps=job["max_steps"], pc=job["pc"], poison=job["poison"], set=sets,
            set_count=len(job["set"]), get_count=len(job["get"]), get=gets,
            values=(U32 * max(len(values) // 4, 1)).from_buffer_copy(values or bytes(4)), out=out, windows=windows,
            window_count=len(memory), lds_size=len(lds) if lds else 0, lds=ctypes.cast(lds, P(U8)) if lds else None)
    if dut.run(ctypes.byref(j), 1) != 0:
        sys.exit("the model cannot go on")
    if j.outcome != DONE:
        return {"outcome": j.outcome, "reason": j.reason.decode()}
    shown = []
    for slot in gets[:len(job["get"])]:
        value = out[slot.index:slot.index + dwords(slot.place)]
        shown.append(value[0] if len(value) == 1 else struct.pack("<64I", *value))
    return {"outcome": DONE, "out": shown, "windows": [[i, 0, bytes(b)] for i, (_, b) in enumerate(memory)],
            **({"lds": [[0, bytes(lds)]]} if lds else {})}


class Pipe:
    def __init__(self, path, faults):
        lib = ctypes.CDLL(path)
        lib.gcncheck_dut.restype = P(Dut)
        self.dut = lib.gcncheck_dut().contents
        self.faults = dict(f.partition("=")[::2] for f in faults)
        self.mcpu = None
        self.jobs, self.last = 0, None
        if "gone" in self.faults:
            self.file, _, last = self.faults["gone"].rpartition(":")
            if os.path.exists(self.file) and not os.path.getsize(self.file):
                sys.exit("gone")
            self.last = None if os.path.exists(self.file) else int(last)

    def run(self, job):
        if "die" in self.faults and struct.pack("<I", int(self.faults["die"], 16)) in job["code"]:
            os._exit(3)
        result = run_job(self.dut, self.mcpu, job)
        self.jobs += 1
        if self.jobs == self.last:
            open(self.file, "x").close()
            os._exit(3)
        if self.faults.pop("flaky", None) is not None:
            result["out"] = [v if isinstance(v, int) else bytes([v[0] ^ 1]) + v[1:] for v in result["out"]]
        return result

    def answer(self, request):
        if request["op"] == "hello":
            self.mcpu = request["mcpu"]
            mode = {"fixed_mode": self.dut.fixed_mode} if self.dut.has_fixed_mode else {}
            return {"name": "model-pipe", "version": "1", **mode}
        return {"results": [self.run(job) for job in request["jobs"]]}


def load_sanitizer(path):
    """A plug-in built with gcc's address sanitizer needs its library in the process from the start."""
    if "LD_PRELOAD" in os.environ or b"__asan_init" not in open(path, "rb").read():
        return
    library = subprocess.run([*os.environ.get("CC", "gcc").split(), "-print-file-name=libasan.so"], capture_output=True, text=True,
                             check=True).stdout.strip()
    # Python keeps what it has allocated until its end.
    environment = dict(os.environ, LD_PRELOAD=library, ASAN_OPTIONS="detect_leaks=0")
    os.execve(sys.executable, [sys.executable, *sys.argv], environment)


if __name__ == "__main__":
    load_sanitizer(sys.argv[1])
    example_pipe.answer = Pipe(sys.argv[1], sys.argv[2:]).answer
    example_pipe.main()

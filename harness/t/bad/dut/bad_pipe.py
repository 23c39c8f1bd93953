"""A pipe DUT that does to each job what its poison asks for."""
import os
import signal
import struct
import sys
import time

sys.dont_write_bytecode = True  # leave no folder in the source tree
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "sdk"))
from example_pipe import pack, unpack  # noqa: E402

BAD_NOT, BAD_SEGV, BAD_EXIT, BAD_HANG, BAD_NO_OUTCOME, BAD_OUTCOME = 0, 1, 3, 6, 9, 10
# The numbers below stand for things only a pipe can do.
SHORT, GARBAGE, HUGE, CUT, EXTRA, NOT_MAP, OUT_MISSING, OUT_SIZE, OUT_TYPE, BOMB, WINDOW, LDS, CLOSE = range(100, 113)
WINDOW_OK, UGLY, NO_ID, OTHER_ID = 113, 114, 115, 116


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(value):
    body = pack(value)
    raw(struct.pack("<I", len(body)) + body)


def result(job):
    bad = job["poison"]
    good = {"outcome": 1, "out": [job["pc"] + 1]}
    if bad == BAD_SEGV:
        os.kill(os.getpid(), signal.SIGSEGV)
    if bad == BAD_EXIT:
        os._exit(3)
    if bad == BAD_HANG:
        time.sleep(1000)
    return {BAD_NO_OUTCOME: {"out": []}, BAD_OUTCOME: {"outcome": 77}, NOT_MAP: 5,
            OUT_MISSING: {"outcome": 1}, OUT_SIZE: {"outcome": 1, "out": [b"abc"]},
            OUT_TYPE: {"outcome": 1, "out": [-1]},
            WINDOW: dict(good, windows=[[0, 30, b"xyz"]]), LDS: dict(good, lds=[[65, b""]]),
            WINDOW_OK: dict(good, windows=[[0, 29, b"xyz"]], lds=[[63, b"!"]]),
            UGLY: {"outcome": 2, "reason": "a\nb\033c"}}.get(bad, good)


def run(jobs, number):
    results = [result(j) for j in jobs]
    asked = {j["poison"] for j in jobs}
    if SHORT in asked:
        results = results[1:]
    if GARBAGE in asked:
        return raw(b"hello, world\n" * 3)
    if HUGE in asked:
        return raw(b"\xff\xff\xff\xff")
    if BOMB in asked:
        return raw(struct.pack("<I", 5) + b"\xdd\xff\xff\xff\xff")
    if CUT in asked:
        raw(struct.pack("<I", 1000) + b"abc")
        os._exit(0)
    if CLOSE in asked:
        os.close(1)
        time.sleep(1000)
    if NO_ID in asked:
        return send({"results": results})
    send({"id": number + (OTHER_ID in asked), "results": results})
    if EXTRA in asked:
        send({"id": number, "results": results})


def main():
    while True:
        head = sys.stdin.buffer.read(4)
        if len(head) < 4:
            return
        request = unpack(sys.stdin.buffer.read(struct.unpack("<I", head)[0]))[0]
        if request["op"] == "run":
            run(request["jobs"], request["id"])
        else:
            send({"id": request["id"], "name": "bad\npipe", "version": "0", "can": {"sgpr": 3, "mode": 1}})


main()

"""The example pipe DUT, right but for one job: the one that sets a register to 0x0badf00d. To that it does what its argument names.

    hostile_pipe.py NAME [FOLDER]

Names that begin with start_ or hello_ go wrong before the first job, restart_ when it is started again after the attack; the
folder holds what is remembered between starts. What becomes of each is in hostile_pipes.txt (harness/t/run/hostile.sh).
"""
import os
import resource
import signal
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True  # leave no folder in the source tree
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "sdk"))
from example_pipe import answer, pack, unpack  # noqa: E402

MAGIC = 0x0BADF00D
NAME = sys.argv[1]


def raw(data, fd=1):
    while data:
        data = data[os.write(fd, data):]


def frame(value):
    body = value if isinstance(value, bytes) else pack(value)
    return struct.pack("<I", len(body)) + body


def send(value):
    raw(frame(value))


def end_by(number):
    os.kill(os.getpid(), number)
    time.sleep(1000)


def starts():
    """How often it was started, this time included."""
    path = os.path.join(sys.argv[2], "starts")
    with open(path, "a") as f:
        f.write("x")
    return os.path.getsize(path)


def escape():
    """True in a process in a session of its own, whose parent is gone."""
    if os.fork():
        os.wait()
        return False
    os.setsid()
    if os.fork():
        os._exit(0)
    for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(s, signal.SIG_IGN)
    return True


def flood(fd, size):
    block = b"x" * 65536
    while size > 0:
        raw(block, fd)
        size -= len(block)


def drip(data, seconds):
    for i in range(len(data)):
        raw(data[i:i + 1])
        time.sleep(seconds)


FOREVER = 1 << 60
DEEP = b"\x91" * 3000 + b"\xc0"
# What many ways to end have in common.
ENDS = {
    "exit_0": lambda: os._exit(0), "exit_3": lambda: os._exit(3), "kill_self": lambda: end_by(signal.SIGKILL),
    "segv": lambda: end_by(signal.SIGSEGV), "stop_self": lambda: end_by(signal.SIGSTOP), "hang": lambda: time.sleep(1000),
    "raise": lambda: 1 // 0, "close": lambda: (os.close(1), time.sleep(1000)), "close_both": lambda: (os.close(1), os.close(0), time.sleep(1000)),
    "text": lambda: raw(b"loading the device...\n" * 10), "garbage": lambda: raw(bytes(range(128, 256)) * 4),
    "half": lambda: (raw(struct.pack("<I", 1000) + b"abc"), os._exit(0)),
    "half_hang": lambda: (raw(struct.pack("<I", 1000) + b"abc"), time.sleep(1000)),
    "half_head": lambda: (raw(b"\x10\x00"), time.sleep(1000)), "huge": lambda: raw(b"\xff\xff\xff\xff"),
    "large": lambda: (raw(struct.pack("<I", 200 << 20)), time.sleep(1000)), "empty": lambda: raw(b"\0\0\0\0"),
    "flood": lambda: flood(1, FOREVER), "zeros": lambda: raw(b"\0" * 65536), "bomb": lambda: send(b"\xdd\xff\xff\xff\xff"),
    "map_bomb": lambda: send(b"\xdf\xff\xff\xff\xff"), "text_bomb": lambda: send(b"\xdb\xff\xff\xff\xffabc"), "deep": lambda: send(DEEP),
    "ext": lambda: send(b"\xc7\x04\x01abcd"), "never_used": lambda: send(b"\xc1"), "number": lambda: send(7), "list": lambda: send([1, 2, 3]),
    "kill_parent": lambda: (os.kill(os.getppid(), signal.SIGKILL), time.sleep(1000)),
    "kill_group": lambda: (os.kill(0, signal.SIGKILL), time.sleep(1000)),
    "term_parent": lambda: (os.kill(os.getppid(), signal.SIGTERM), time.sleep(1000)),
    "flood_stderr": lambda: flood(2, FOREVER),
    "orphan": lambda: os.fork() and os._exit(4) or time.sleep(1000), "escape": lambda: escape() and time.sleep(1000) or os._exit(4),
    "eat_memory": lambda: [bytearray(1 << 20) for _ in range(1 << 20)],
}


def hello(request):
    """What is answered to hello, or None if all that is to be done is done."""
    right = dict(answer(request), id=request["id"])
    name = NAME[6:] if NAME.startswith("hello_") else ""
    changed = {
        "wrong_id": dict(right, id=request["id"] + 1), "no_id": {k: v for k, v in right.items() if k != "id"},
        "no_name": {k: v for k, v in right.items() if k != "name"}, "long_name": dict(right, name="n" * 100000),
        "ugly_name": dict(right, name="a\033[31m\nb"), "can_seven": dict(right, can={"sgpr": 7}), "can_list": dict(right, can=[1, 2]),
        "error": {"id": request["id"], "error": "the licence\nhas ended"}, "mode": dict(right, fixed_mode=1 << 40),
    }
    if name in changed:
        return changed[name]
    if name == "twice":
        raw(frame(right) * 2)
        return None
    if name == "drip":
        drip(frame(right), 0.0001)
        return None
    return right


def good(request):
    return dict(answer(request), id=request["id"])


def attack(request, last):
    """What is answered to the job that is attacked, or None."""
    right = good(request)
    result = dict(right["results"][0])
    number = request["id"]

    def with_result(**fields):
        return {"id": number, "results": [dict(result, **fields)]}

    changed = {
        "no_id": lambda: {"results": [result]}, "id_text": lambda: {"id": "1", "results": [result]},
        "earlier": lambda: last, "later": lambda: {"id": number + 1, "results": [result]},
        "no_results": lambda: {"id": number}, "too_few": lambda: {"id": number, "results": []},
        "too_many": lambda: {"id": number, "results": [result] * 2}, "result_text": lambda: {"id": number, "results": ["done"]},
        "no_outcome": lambda: {"id": number, "results": [{"out": result["out"]}]}, "outcome_77": lambda: with_result(outcome=77),
        "outcome_text": lambda: with_result(outcome="done"), "no_out": lambda: {"id": number, "results": [{"outcome": 1}]},
        "out_short": lambda: with_result(out=result["out"][:-1]), "out_long": lambda: with_result(out=result["out"] + [0]),
        "out_negative": lambda: with_result(out=[-1] * len(result["out"])), "out_wide": lambda: with_result(out=[1 << 40] * len(result["out"])),
        "out_text": lambda: with_result(out=["0"] * len(result["out"])), "out_bytes": lambda: with_result(out=[b"x" * 255] * len(result["out"])),
        "window_none": lambda: with_result(windows=[[9, 0, b"x"]]), "window_negative": lambda: with_result(windows=[[-1, 0, b"x"]]),
        "lds_none": lambda: with_result(lds=[[0, b"x"]]), "lds_far": lambda: with_result(lds=[[1 << 60, b"x"]]),
        "ugly_reason": lambda: {"id": number, "results": [{"outcome": 2, "reason": "a\033[31m\nb" + "c" * 1000}]},
        "reason_number": lambda: {"id": number, "results": [{"outcome": 2, "reason": 5}]},
        "unsupported": lambda: {"id": number, "results": [{"outcome": 2}]},
    }
    if NAME in changed:
        return changed[NAME]()
    if NAME in ENDS:
        ENDS[NAME]()
        return None
    if NAME.startswith("restart_"):
        os._exit(5)
    return act(right)


def act(right):
    """The answer is right, but not alone."""
    if NAME == "twice":
        raw(frame(right) * 2)
    elif NAME == "drip":
        drip(frame(right), 0.0001)
    elif NAME == "drip_slowly":
        drip(frame(right), 0.2)
    else:
        send(right)
    if NAME == "exit_after":
        os._exit(0)
    if NAME == "crash_after":
        end_by(signal.SIGSEGV)
    if NAME == "stop_after":
        end_by(signal.SIGSTOP)
    if NAME == "deaf_after":
        os.close(0)
        time.sleep(1000)
    if NAME == "more_after":
        time.sleep(0.05)
        send(right)
    if NAME == "escape_and_write" and escape():
        while True:
            time.sleep(0.01)
            raw(b"\0")
    if NAME == "stop_parent":
        os.kill(os.getppid(), signal.SIGSTOP)
    if NAME == "flood_stderr_once":
        flood(2, 16 << 20)
    if NAME == "fill_files":
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        sockets = []
        try:
            while True:
                sockets.append(socket.socket())
        except OSError:
            sockets.clear()
    if NAME == "deaf_to_signals":
        for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(s, signal.SIG_IGN)
    return None


def is_meant(job):
    values = b"".join(v if isinstance(v, bytes) else struct.pack("<I", v) for _, _, v in job["set"])
    return struct.pack("<I", MAGIC) in values


def begin():
    if NAME.startswith("start_"):
        if NAME[6:] in ENDS:
            ENDS[NAME[6:]]()
        if NAME == "start_slow" or NAME == "start_slow_once" and starts() == 1:
            time.sleep(1.4)
    if NAME.startswith("restart_"):
        n = starts()
        if NAME == "restart_slow" and n > 1:
            time.sleep(1.4)
        if NAME == "restart_slower" and n in (2, 3):
            time.sleep(2.5)
        if NAME == "restart_fails_twice" and n in (2, 3):
            os._exit(6)
        if NAME == "restart_garbage_once" and n == 2:
            raw(b"Address already in use\n")
        if NAME == "restart_never" and n > 1:
            os._exit(6)


def read(size):
    data = b""
    while len(data) < size:
        more = os.read(0, size - len(data))
        if not more:
            if NAME == "deaf_to_the_end":
                time.sleep(1000)
            os._exit(0)
        data += more
    return data


def main():
    last = None
    begin()
    while True:
        request = unpack(read(struct.unpack("<I", read(4))[0]))[0]
        if request["op"] == "hello":
            last = hello(request)
            if last is not None:
                send(last)
        elif len(request["jobs"]) == 1 and is_meant(request["jobs"][0]):
            value = attack(request, last)
            if value is not None:
                send(value)
        elif any(is_meant(j) for j in request["jobs"]):
            os._exit(5)  # so that it comes alone
        else:
            last = good(request)
            send(last)


main()

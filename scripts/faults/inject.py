#!/usr/bin/env python3
"""What gcncheck does when the world fails: every allocation and every system call of a command fails once. TAP 13.

    scripts/faults/inject.py [--all] [--only COMMAND[,COMMAND]] [--kind KIND[,KIND]] [--points N] [-v]

Each command of the table below is run undisturbed, and then again with the n-th allocation (by harness/t/bad/memory/fail_memory.c,
preloaded) or the n-th call of a kind (by strace -e inject) failing: a sample of N n's (default 6), or with --all n = 1 to the
end, thinned only where a kind has more than 500. A run that is disturbed has to end as the undisturbed one, with the same
output and files (the failure could be borne), or with code 2 or 3 and one line that blames memory or the disk, with no file
changed that was there before. It never crashes, hangs, or ends with 0 or 1 and something else in its output.
"""
import argparse, concurrent.futures, hashlib, os, re, shutil, subprocess, sys, tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("BUILD", "build")
GCNCHECK = os.path.abspath(os.environ.get("GCNCHECK", BUILD + "/gcncheck"))
PLUGIN = "plugin:" + os.path.abspath(BUILD + "/example_dut.so")
LIBRARY = os.path.abspath(BUILD + "/fail_memory.so")
CASE = os.path.abspath("cases/sop1/s_abs_i32.case")
PIPE = "pipe:python3 " + os.path.abspath("harness/sdk/example_pipe.py")
PIPE_CASE = os.path.abspath("cases/vop2/v_xor_b32.case") # of an opcode that the pipe implements
KERNEL = os.path.abspath("cases/kernels/vadd_f32")

# Name: arguments, in a folder that holds `run.journal`, `found/F` (a finding), `page.html` and `in.s`; input.
COMMANDS = {
    "run": (["run", "--quiet", "--jobs", "1", "--journal", "new.journal", CASE], ""),
    "run-plugin": (["run", "--quiet", "--jobs", "1", "--dut", PLUGIN, "--journal", "new.journal", CASE], ""),
    "run-pipe": (["run", "--quiet", "--jobs", "1", "--dut", PIPE, PIPE_CASE], ""),
    "resume": (["run", "--quiet", "--jobs", "1", "--resume", "half.journal", CASE], ""),
    "fuzz": (["fuzz", "--jobs", "1", "--quiet", "--seed", "1", "--count", "8", "--only", "v_bfe_u32", "--dut", PLUGIN, "--out", "new",
              "--journal", "new.journal"], ""),
    "min": (["min", "--trust", "--quiet", "found/F"], ""),
    "replay": (["replay", "--trust", "found/F"], ""),
    "report-text": (["report", "run.journal"], ""),
    "report-html": (["report", "--format", "html", "--out", "page.html", "run.journal"], ""),
    "report-tap": (["report", "--format", "tap", "run.journal"], ""),
    "report-junit": (["report", "--format", "junit", "run.journal"], ""),
    "report-jsonl": (["report", "--format", "jsonl", "run.journal"], ""),
    "report-canonical": (["report", "--format", "jsonl", "--canonical", "run.journal"], ""),
    "eval": (["eval", "v_add_u32 v0, v1, v2", "v1=1", "v2=lane"], ""),
    "eval-jsonl": (["eval", "--jsonl"], '{"id":1,"code":"be810000","in":{"s0":"0x5"}}\n{"id":2,"code":"zz"}\n'),
    "launch": (["launch", "--mcpu", "gfx900", "--jobs", "1", "--out", "buffers", KERNEL + "/gfx900.O3.co", KERNEL + "/launch.txt"], ""),
    "lint": (["lint", KERNEL + "/gfx900.O3.co"], ""),
    "dis": (["dis", KERNEL + "/gfx900.O3.co"], ""),
    "dis-metadata": (["dis", "--metadata", KERNEL + "/gfx900.O3.co"], ""),
    "dis-descriptor": (["dis", "--descriptor", KERNEL + "/gfx900.O3.co"], ""),
    "asm": (["asm", "in.s"], ""),
    "explain": (["explain", "v_add_u32"], ""),
    "list": (["list", "--mcpu", "gfx900"], ""),
}
# Kind: system calls, error.
CALLS = {
    "write": ("write,pwrite64,writev", "ENOSPC"), "sync": ("fsync,fdatasync", "EIO"), "rename": ("rename,renameat,renameat2", "ENOSPC"),
    "link": ("linkat", "ENOSPC"), "open": ("openat", "EMFILE"), "mkdir": ("mkdir", "ENOSPC"),
    "fork": ("clone,clone3,fork,vfork", "EAGAIN"), "pipe": ("pipe2,pipe,socketpair", "EMFILE"), "mmap": ("mmap", "ENOMEM"),
    "truncate": ("ftruncate", "EIO"),
}
BLAMES = re.compile(r"memory|no space|space left|i/o error|input/output error|cannot (be )?(written|write|made|start|map|read)|too many open|temporarily"
                    r"|cannot be (opened|read|mapped)", re.I)
LIMIT = 500


def digest(folder):
    """Every file's contents, by name."""
    out = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            out[os.path.relpath(path, folder)] = hashlib.sha1(open(path, "rb").read()).hexdigest()
    return out


class Bench:
    """Folders in which commands are run, all made like one."""

    def __init__(self, root):
        self.root, self.number = root, 0
        self.model = os.path.join(root, "model")
        os.mkdir(self.model)
        def tool(*args, **more):
            return subprocess.run([GCNCHECK] + list(args), cwd=self.model, capture_output=True, text=True, **more)
        tool("run", "--quiet", "--dut", "mutant:s_abs_i32.sub_add", "--journal", "run.journal", CASE)
        tool("run", "--quiet", "--jobs", "1", "--journal", "half.journal", CASE)
        half = open(self.model + "/half.journal", "rb").read()
        open(self.model + "/half.journal", "wb").write(half[:len(half) // 2])
        tool("report", "--format", "html", "--out", "page.html", "half.journal")
        tool("fuzz", "--quiet", "--seed", "1", "--count", "100", "--dut", PLUGIN, "--out", "found")
        found = sorted(os.listdir(self.model + "/found"))
        if not found:
            sys.exit("Bail out! no finding to work with")
        os.rename(self.model + "/found/" + found[0], self.model + "/found/F")
        lengthen(self.model + "/found/F/finding.json")
        open(self.model + "/in.s", "w").write("v_add_u32 v0, v1, v2\ns_branch end\ns_nop 0\nend: s_endpgm\n")

    def run(self, name, before=(), env=None, timeout=600):
        """Runs a command in a new folder: code, output, errors, files before and after."""
        self.number += 1
        folder = os.path.join(self.root, "w%d" % self.number)
        shutil.copytree(self.model, folder)
        args, text = COMMANDS[name]
        old = digest(folder)
        try:
            r = subprocess.run(list(before) + [GCNCHECK] + args, cwd=folder, input=text.encode(), capture_output=True, timeout=timeout,
                               env=dict(os.environ, **(env or {})))
            code, out, err = r.returncode, r.stdout, r.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, out, err = "hangs", b"", ""
        new = digest(folder)
        shutil.rmtree(folder)
        return code, re.sub(rb"\d+\.\d+ s\b", b"TIME", out), err, old, new


def lengthen(path):
    """Gives a finding an instruction too much, for min."""
    import json, zlib
    f = json.load(open(path))
    f["minimal"]["code"].insert(-1, "bf800000")
    f["id"] = "F"
    del f["checksum"]
    body = json.dumps(f, indent=1)[:-2].encode()
    open(path, "wb").write(body + b',\n "checksum": "%08x"\n}' % zlib.crc32(body))


def judge(clean, got):
    """What is wrong with a disturbed run, or None; and whether it went on as if nothing had been."""
    code, out, err, old, new = got
    if code == "hangs":
        return "it hangs", False
    if isinstance(code, int) and (code < 0 or code >= 128):
        return "crash, code %s: %s" % (code, err[-200:]), False
    if "Sanitizer" in err:
        return "sanitizer: " + err[:300], False
    if code == clean[0] and out == clean[1] and new == clean[4]:
        return None, True
    if code not in (2, 3):
        return "code %s and another output: %s" % (code, (err or out.decode(errors="replace"))[-200:]), False
    if not BLAMES.search(err):
        return "code %s, the message blames neither memory nor disk: %s" % (code, err[-200:]), False
    changed = [n for n in old if new.get(n) != old[n] and clean[4].get(n) != new.get(n) and not n.startswith("half.journal")]
    if changed:
        return "changed or lost: " + " ".join(changed), False
    left = [n for n in new if os.path.basename(n).endswith(".part")]
    return ("left over: " + " ".join(left), False) if left else (None, False)


def points(total, first, args):
    if total < first:
        return []
    every = list(range(first, total + 1))
    if args.all and len(every) <= LIMIT:
        return every
    n = LIMIT if args.all else args.points
    if len(every) <= n:
        return every
    return sorted({every[i * (len(every) - 1) // (n - 1)] for i in range(n)}) if n > 1 else every[:1]


def count_calls(bench, name, calls, root):
    log = os.path.join(root, "strace.%s" % name)
    bench.run(name, ["strace", "-qq", "-o", log, "-e", "trace=" + calls])
    return sum(1 for line in open(log) if re.match(r"\w+\(", line))


def preload_fails():
    return b"ASan" in subprocess.run([GCNCHECK, "--version"], capture_output=True, env=dict(os.environ, LD_PRELOAD=LIBRARY)).stderr


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--all", action="store_true")
    p.add_argument("--only", default=",".join(COMMANDS))
    p.add_argument("--kind", default="memory," + ",".join(CALLS))
    p.add_argument("--points", type=int, default=6)
    p.add_argument("-v", action="store_true")
    args = p.parse_args()
    print("TAP version 13", flush=True)
    kinds = args.kind.split(",")
    if not shutil.which("strace") or subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode:
        print("# strace cannot be used here: only allocations are tried")
        kinds = [k for k in kinds if k == "memory"]
    if "memory" in kinds and preload_fails():
        print("# the library that makes allocations fail cannot be loaded before a sanitizer's: only system calls are tried")
        kinds.remove("memory")
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0" # which strace does not allow
    root = tempfile.mkdtemp()
    number = failed = injected = 0
    try:
        bench = Bench(root)
        start = {}
        for kind in kinds: # what the dynamic loader does is not ours
            if kind != "memory":
                log = root + "/start"
                subprocess.run(["strace", "-qq", "-o", log, "-e", "trace=" + CALLS[kind][0], GCNCHECK, "--version"], capture_output=True)
                start[kind] = sum(1 for line in open(log) if re.match(r"(?!write)\w+\(", line))
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
            for name in args.only.split(","):
                clean = bench.run(name)
                for kind in kinds:
                    def one(n):
                        if kind == "memory":
                            return bench.run(name, env={"LD_PRELOAD": LIBRARY, "FAIL_MEMORY": str(n)})
                        calls, error = CALLS[kind]
                        return bench.run(name, ["strace", "-qq", "-o", "/dev/null", "-e", "inject=%s:error=%s:when=%d" % (calls, error, n)])
                    if kind == "memory":
                        path = root + "/count"
                        bench.run(name, env={"LD_PRELOAD": LIBRARY, "COUNT_MEMORY": path})
                        total, first = int(open(path).read()), 1
                    else:
                        total, first = count_calls(bench, name, CALLS[kind][0], root), start[kind] + 1
                    ns = points(total, first, args)
                    if not ns:
                        continue
                    bad, borne = [], 0
                    for n, got in zip(ns, pool.map(one, ns)):
                        wrong, same = judge(clean, got)
                        borne += same
                        if wrong:
                            bad.append("%s %d: %s" % (kind, n, wrong))
                    number += 1
                    injected += len(ns)
                    for line in bad if args.v else bad[:5]:
                        print("# " + line.replace("\n", " | "))
                    failed += bool(bad)
                    print("%s %d - %s: %d of %d %s failures injected, %d borne, %d violations" % ("not ok" if bad else "ok", number, name, len(ns),
                          total - first + 1, kind, borne, len(bad)), flush=True)
        print("# %d failures injected" % injected)
        print("1..%d" % number)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

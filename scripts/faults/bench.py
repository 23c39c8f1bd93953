"""What the scripts of this folder disturb: commands of gcncheck, and folders that hold what they read and replace."""
import json, os, re, shutil, subprocess, sys, threading, time, zlib

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("BUILD", "build")
GCNCHECK = os.path.abspath(os.environ.get("GCNCHECK", BUILD + "/gcncheck"))
FAIL_MEMORY, PLANT_FAULT = os.path.abspath(BUILD + "/fail_memory.so"), os.path.abspath(BUILD + "/plant_fault.so")
FAIL_CALLS = os.path.abspath(BUILD + "/fail_calls")
PLUGIN = "plugin:" + os.path.abspath(BUILD + "/example_dut.so")
CASES = os.path.abspath("cases")
CASE = CASES + "/sop1/s_abs_i32.case"
SUBSTITUTE = CASES + "/vop3a/v_bfe_u32.case"  # of an opcode that the example has a bug in
PIPE = "pipe:python3 " + os.path.abspath("harness/sdk/example_pipe.py")
PIPE_CASE = CASES + "/vop2/v_xor_b32.case"  # of an opcode that the pipe implements
KERNEL = CASES + "/kernels/vadd_f32"
OBJECT = KERNEL + "/gfx900.O3.co"
FUZZ = ["fuzz", "--jobs", "1", "--quiet", "--seed", "1", "--only", "v_bfe_u32", "--dut", PLUGIN, "--out", "new", "--journal", "new.journal"]
LAUNCH = ["launch", "--mcpu", "gfx900", "--jobs", "1", "--out", "buffers"]
EXPORT = ["export", "--quiet", "--force", "--only", "v_bfe_u32", "--format"]

# Name: arguments, in a folder as Bench makes it; input.
COMMANDS = {
    "run": (["run", "--quiet", "--jobs", "1", "--journal", "new.journal", CASE], ""),
    "run-plugin": (["run", "--quiet", "--jobs", "1", "--dut", PLUGIN, "--journal", "new.journal", SUBSTITUTE], ""),
    "run-pipe": (["run", "--quiet", "--jobs", "1", "--dut", PIPE, PIPE_CASE], ""),
    "run-known": (["run", "--quiet", "--jobs", "1", "--dut", PLUGIN, "--known", "mine.known", "--update-known", SUBSTITUTE], ""),
    "run-votes": (["run", "--quiet", "--jobs", "1", "--dut", "model", "--dut", PLUGIN, "--dut", "model:engine=host", "--lineage", "1,2,3", SUBSTITUTE], ""),
    "resume": (["run", "--quiet", "--jobs", "1", "--resume", "half.journal", CASE], ""),
    "fuzz": (FUZZ + ["--count", "8"], ""),
    "fuzz-taken": (["fuzz", "--jobs", "1", "--quiet", "--seed", "1", "--count", "8", "--only", "v_bfe_u32", "--dut", PLUGIN, "--out", "taken"], ""),
    "fuzz-common": (["fuzz", "--jobs", "1", "--seed", "1", "--count", "8", "--only", "v_bfe_u32", "--common", "gfx900,gfx908"], ""),
    "fuzz-counted": (["fuzz", "--jobs", "1", "--quiet", "--seed", "2", "--count", "8", "--only", "v_bfe_u32", "--coverage", "fuzz.cover"], ""),
    "min": (["min", "--trust", "--quiet", "found/F"], ""),
    "replay": (["replay", "--trust", "found/F"], ""),
    "replay-recording": (["replay", "--quiet", "answers.gcv"], ""),
    "report-text": (["report", "run.journal"], ""),
    "report-html": (["report", "--format", "html", "--out", "page.html", "run.journal"], ""),
    "report-tap": (["report", "--format", "tap", "run.journal"], ""),
    "report-junit": (["report", "--format", "junit", "--out", "new.xml", "run.journal"], ""),
    "report-jsonl": (["report", "--format", "jsonl", "run.journal"], ""),
    "report-canonical": (["report", "--format", "jsonl", "--canonical", "run.journal"], ""),
    "report-diff": (["report", "--diff", "right.journal", "run.journal"], ""),
    "eval": (["eval", "v_add_u32 v0, v1, v2", "v1=1", "v2=2"], ""),
    "eval-jsonl": (["eval", "--jsonl"], '{"id":1,"code":"be810000","in":{"s0":"0x5"}}\n{"id":2,"code":"zz"}\n'),
    "launch": (LAUNCH + [OBJECT, KERNEL + "/launch.txt"], ""),
    "launch-trace": (LAUNCH + ["--trace", "--resident", "2", OBJECT, KERNEL + "/launch.txt"], ""),
    "launch-last": (LAUNCH + ["--trace-only", "op global_store_* last 3", OBJECT, KERNEL + "/launch.txt"], ""),
    "launch-list": (["launch", "--list", OBJECT], ""),
    "lint": (["lint", OBJECT], ""),
    "lint-wrong": (["lint", CASES + "/kernels/planted/gfx900.asm.co"], ""),
    "dis": (["dis", OBJECT], ""),
    "dis-metadata": (["dis", "--metadata", OBJECT], ""),
    "dis-descriptor": (["dis", "--descriptor", OBJECT], ""),
    "asm": (["asm", "in.s"], ""),
    "export-json": (EXPORT + ["json", "--out", "vectors", SUBSTITUTE], ""),
    "export-bin": (EXPORT + ["bin", "--out", "vectors.gcv", SUBSTITUTE], ""),
    "export-elf": (EXPORT + ["elf", "--out", "elf", SUBSTITUTE], ""),
    "import": (["import", "--format", "json", "--out", "imported", "vectors.gcv"], ""),
    "record": (["record", "--quiet", "--force", "--dut", PLUGIN, "--format", "bin", "--out", "answers.gcv", "vectors.gcv"], ""),
    "litmus": (["litmus", "--count", "20", CASES + "/litmus/mp.litmus"], ""),
    "explain": (["explain", "v_add_u32"], ""),
    "list": (["list", "--mcpu", "gfx900"], ""),
}
JOURNALS = ("half.journal", "new.journal")
# What goes on with what was disturbed, where its files alone do not tell whether they are right: it comes to what nothing disturbed.
AGAIN = {"fuzz": [a if a != "--journal" else "--resume" for a in COMMANDS["fuzz"][0]], "fuzz-taken": COMMANDS["fuzz-taken"][0]}


def digest(folder):
    """Every file's contents, by name."""
    out = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as f:
                out[os.path.relpath(path, folder)] = f.read()
    return out


class Bench:
    """Folders in which commands are run, all made like one. That holds `run.journal`, `right.journal`, `half.journal` (half of
    that), `found/F` (a finding, which can be made smaller), `taken` (the finding of another device, whose name others have to leave
    to it), `page.html`, `mine.known`, `fuzz.cover`, `vectors.gcv`, `answers.gcv` and `in.s`."""

    def __init__(self, root):
        self.root, self.number = root, 0
        self.lock, self.clean = threading.Lock(), []
        self.model = os.path.join(root, "model")
        os.mkdir(self.model)
        self.tool("run", "--quiet", "--jobs", "1", "--dut", PLUGIN, "--journal", "run.journal", SUBSTITUTE)
        self.tool("run", "--quiet", "--jobs", "1", "--journal", "right.journal", CASE)
        with open(self.model + "/right.journal", "rb") as whole, open(self.model + "/half.journal", "wb") as half:
            half.write(whole.read(os.path.getsize(whole.name) // 2))
        self.tool("report", "--format", "html", "--out", "page.html", "half.journal")
        self.tool("fuzz", "--quiet", "--seed", "1", "--count", "100", "--dut", PLUGIN, "--out", "found")
        found = sorted(os.listdir(self.model + "/found"))
        if not found:
            sys.exit("Bail out! no finding to work with")
        for other in found[1:]:
            shutil.rmtree(self.model + "/found/" + other)
        os.rename(self.model + "/found/" + found[0], self.model + "/found/F")
        edit(self.model + "/found/F/finding.json", lengthen)
        self.tool("fuzz", "--quiet", "--only", "v_bfe_u32", "--count", "8", "--dut", PLUGIN, "--out", "taken")
        edit(self.model + "/taken/v_bfe_u32-e64-vgpr/finding.json", is_of_another)
        with open(self.model + "/mine.known", "w") as f:
            f.write("known-format 1\nv_xor_b32 e64: vgpr\n    is here, and stays\n")
        self.tool("fuzz", "--quiet", "--count", "8", "--only", "v_bfe_u32", "--coverage", "fuzz.cover")
        self.tool("export", "--quiet", "--only", "v_bfe_u32", "--format", "bin", "--out", "vectors.gcv", SUBSTITUTE)
        self.tool("record", "--quiet", "--format", "bin", "--out", "answers.gcv", "vectors.gcv")
        with open(self.model + "/in.s", "w") as f:
            f.write("v_add_u32 v0, v1, v2\ns_nop 0\ns_endpgm\n")
        self.files = digest(self.model)

    def tool(self, *args):
        return subprocess.run([GCNCHECK, *args], cwd=self.model, capture_output=True, text=True)

    def folder(self):
        """One that nothing was changed in."""
        with self.lock:
            if self.clean:
                return self.clean.pop()
            self.number += 1
            path = os.path.join(self.root, "w%d" % self.number)
        shutil.copytree(self.model, path)
        return path

    def run(self, name, before=(), env=None, timeout=600):
        """Runs a command: code, output without times, errors, files before and after, those that it was gone on with to, and the
        journals that report takes for whole ones although the command did not come to its end."""
        args, text = COMMANDS[name]
        folder = self.folder()
        p = subprocess.Popen([*before, GCNCHECK, *args], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=dict(os.environ, **(env or {})))
        try:
            out, err = p.communicate(text.encode(), timeout=timeout)
            code = p.returncode
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            code, out, err = "hangs", b"", b""
        new, end = digest(folder), None
        # With another code than that of a whole run its journals are parts, to whoever reads them.
        whole = [j for j in JOURNALS if code in (2, 3) and j in args and j in new and is_whole(os.path.join(folder, j))]
        if code == 3 and name in AGAIN:
            subprocess.run([GCNCHECK, *AGAIN[name]], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
            end = digest(folder)
        if new == self.files and len(os.listdir(folder)) == len(os.listdir(self.model)):
            with self.lock:
                self.clean.append(folder)
        else:
            shutil.rmtree(folder)
        return code, re.sub(rb"\d+\.\d+ s\b", b"TIME", out), err.decode(errors="replace"), self.files, new, end, whole


def lengthen(finding):
    """An instruction too much, for min."""
    finding["minimal"]["code"].insert(-1, "bf800000")
    finding["id"] = "F"


def is_of_another(finding):
    finding["dut"] = "plugin:another.so"


def edit(path, change):
    with open(path) as f:
        finding = json.load(f)
    change(finding)
    del finding["checksum"]
    body = json.dumps(finding, indent=1)[:-2].encode()
    with open(path, "wb") as f:
        f.write(body + b',\n "checksum": "%08x"\n}' % zlib.crc32(body))


def preload_fails():
    """Whether a preloaded library hinders gcncheck: the sanitizers' must come first."""
    return b"ASan" in subprocess.run([GCNCHECK, "--version"], capture_output=True, env=dict(os.environ, LD_PRELOAD=FAIL_MEMORY)).stderr


# ---- journals ----

def size_of(b, at):
    """Where the msgpack value at `at` ends: the kinds that journals use."""
    c = b[at]
    if c <= 0x7f or c >= 0xe0 or c in (0xc0, 0xc2, 0xc3):
        return at + 1
    if 0x80 <= c <= 0x9f or c in (0xdc, 0xdd, 0xde, 0xdf):
        if c <= 0x9f:
            n, at = c & 15, at + 1
        else:
            w = 2 if c in (0xdc, 0xde) else 4
            n, at = int.from_bytes(b[at + 1:at + 1 + w], "big"), at + 1 + w
        for _ in range(n * (2 if c <= 0x8f or c >= 0xde else 1)):
            at = size_of(b, at)
        return at
    if 0xa0 <= c <= 0xbf:
        return at + 1 + (c & 31)
    if 0xcc <= c <= 0xd3:
        return at + 1 + (1 << (c & 3))
    w = 1 << (c - (0xd9 if c >= 0xd9 else 0xc4))
    return at + 1 + w + int.from_bytes(b[at + 1:at + 1 + w], "big")


def records(b):
    """The whole records of a journal."""
    out, at = [], 0
    while at < len(b):
        try:
            end = size_of(b, at)
        except IndexError:
            break
        if end > len(b):
            break
        out.append(b[at:end])
        at = end
    return out


def results(journal):
    """How many results it holds."""
    return sum(r[1:8] == b"\xa6result" for r in records(journal))


def is_whole(path):
    """Whether report takes it for the journal of a run that came to its end."""
    return subprocess.run([GCNCHECK, "report", path], capture_output=True).returncode == 0


# ---- processes ----

def marked(mark):
    """Processes with the mark in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as environment, open("/proc/%s/cmdline" % pid) as words:
                if mark.encode() in environment.read():
                    found.append("%s %s" % (pid, words.read().replace("\0", " ")))
        except OSError:
            pass
    return found


def left_over(mark, seconds=10):
    """Those that are still there after so many seconds."""
    end = time.monotonic() + seconds
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.02)
    return marked(mark)

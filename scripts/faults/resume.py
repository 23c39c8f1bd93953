#!/usr/bin/env python3
"""gcncheck fuzz killed at random moments and gone on with, again and again: the end is that of a campaign nobody disturbed, to the last
byte of its journal, its findings, its summary and its file of coverage. TAP 13.

    scripts/faults/resume.py [--kills N] [--seed N] [--count N] [--only NAME,NAME] [--plant finding|tail|counts]

A campaign is killed once the journal has grown to a random size, which may be in the middle of a batch, of a finding or of the questions
to the DUT; another process then goes on, and is killed in its turn. --plant spoils something between a kill and what goes on, which the
comparison must tell: a finding that is gone (finding), the end of the journal exchanged for that of another campaign (tail), or counts of
somebody else in the file of coverage (counts).
"""
import argparse, os, random, re, shutil, subprocess, sys, tempfile, time

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))
GCNCHECK = os.path.abspath(os.environ.get("GCNCHECK", BUILD + "/gcncheck"))

# name: DUT, environment, streams, options. Bugs that many opcodes show, that need a sequence, that end the DUT; streams that are counted,
# on top of what a file holds, and streams made of what was not counted yet; and two devices that vote.
CAMPAIGNS = {
    "example": ("plugin:%s/example_dut.so" % BUILD, {}, 640, []),
    "fatal": ("plugin:%s/bad_fatal.so" % BUILD, {}, 320, []),
    "many": ("plugin:%s/model_dut.so" % BUILD, {"GCNCHECK_MUTANT": "vop2.dpp_reads_off,v_pk_add_f16.other_op,state.scc_lost"}, 640, []),
    "sequence": ("mutant:state.exec_latched", {}, 640, []),
    "votes": ("plugin:%s/example_dut.so" % BUILD, {"GCNCHECK_MUTANT": "v_add_u32.add_sub"}, 256,
              ["--dut", "plugin:%s/model_dut.so" % BUILD, "--lineage", "1,3"]),
    "counted": ("plugin:%s/example_dut.so" % BUILD, {}, 640, ["--coverage", "cov"]),
    "holes": ("plugin:%s/model_dut.so" % BUILD, {"GCNCHECK_MUTANT": "v_mad_f32.s2_plain"}, 1280, ["--coverage", "cov", "--fill-holes"]),
}
BEFORE = 128  # streams of another seed that the file holds before


def digest(folder):
    """Every file of a folder by its name, but what a killed process left hidden."""
    files = {}
    for root, dirs, names in os.walk(folder):
        dirs[:] = [d for d in dirs if not d.startswith(".")]
        for n in names:
            path = os.path.join(root, n)
            files[os.path.relpath(path, folder)] = open(path, "rb").read()
    return files


def summary(text):
    return re.sub(r", [0-9.]+ s$", "", text, flags=re.M)


class Campaign:
    def __init__(self, name, root, count, rng):
        self.dut, env, streams, options = CAMPAIGNS[name]
        self.name, self.root, self.rng = name, root, rng
        self.env = dict(os.environ, **env)
        self.args = ["fuzz", "--seed", "1", "--count", str(count or streams), "--jobs", "2", "--dut-time", "500ms",
                     "--dut", self.dut, "--out", "found"] + options
        self.cov = root + "/cov"
        if "--coverage" in options and not os.path.exists(self.cov):
            self.count_other(self.cov)

    def count_other(self, path):
        subprocess.run([GCNCHECK, "fuzz", "--seed", "7", "--count", str(BEFORE), "--coverage", path, "--out", self.root + "/none"],
                       stdout=subprocess.DEVNULL, check=True)

    def folder(self, path):
        os.mkdir(path)
        if "--coverage" in self.args:
            shutil.copy(self.cov, path + "/cov")
        return path

    def start(self, folder, *more):
        return subprocess.Popen([GCNCHECK] + self.args + list(more), cwd=folder, env=self.env, stdin=subprocess.DEVNULL,
                                stdout=open(folder + "/stdout", "w"), stderr=open(folder + "/stderr", "w"))

    def what_is_left(self, folder):
        return {
            "summary": summary(open(folder + "/stdout").read()),
            "journal": open(folder + "/new.journal", "rb").read(),
            "findings": digest(folder + "/found"),
            "coverage": open(folder + "/cov").read() if "--coverage" in self.args else "",
        }

    def undisturbed(self):
        folder = self.folder(self.root + "/" + self.name)
        code = self.start(folder, "--journal", "new.journal").wait()
        if code not in (0, 1):
            sys.exit("%s: code %d: %s" % (self.name, code, open(folder + "/stderr").read()))
        self.whole = (code, self.what_is_left(folder))
        self.size = len(self.whole[1]["journal"])

    def kill_at(self, p, folder, size):
        """Kills the process once the journal has so many bytes. False: it came to its end."""
        while p.poll() is None:
            try:
                if os.path.getsize(folder + "/new.journal") >= size:
                    time.sleep(self.rng.random() * 0.03)
                    break
            except FileNotFoundError:
                if size == 0:
                    break
            time.sleep(0.002)
        p.kill()
        return p.wait() == -9

    def disturbed(self, kills, plant):
        """Kills until there were `kills` of them; each campaign is killed up to six times. Answers kills and complaints."""
        done, bad, number = 0, [], 0
        while done < kills and number < 10 + kills:
            number += 1
            folder = self.folder("%s/%s%d" % (self.root, self.name, number))
            low = self.size // 3 if plant else 0  # what is spoilt early is made anew by what goes on
            at = sorted(self.rng.randrange(low, self.size) for _ in range(min(6, kills - done)))
            if not plant and self.rng.random() < 0.3:
                at[0] = 0
            for size in at:
                done += self.kill_at(self.start(folder, "--resume", "new.journal"), folder, size)
            self.spoil(folder, plant)
            code = self.start(folder, "--resume", "new.journal").wait()
            if code != self.whole[0]:
                bad.append("%s, killed at %s: code %d, not %d: %s" % (self.name, at, code, self.whole[0], open(folder + "/stderr").read()[-200:]))
            if code not in (0, 1):
                bad.append(open(folder + "/stderr").read())
                continue
            left = self.what_is_left(folder)
            bad += ["%s, killed at %s: another %s" % (self.name, at, w) for w in left if left[w] != self.whole[1][w]]
            shutil.rmtree(folder)
        return done, bad

    def spoil(self, folder, plant):
        if plant == "finding" and os.path.isdir(folder + "/found"):
            for f in sorted(f for f in os.listdir(folder + "/found") if not f.startswith("."))[:1]:
                shutil.rmtree(folder + "/found/" + f)
        if plant == "counts":
            self.count_other(folder + "/cov")
        if plant == "tail" and os.path.exists(folder + "/new.journal"):
            other = self.root + "/other"
            shutil.rmtree(other, ignore_errors=True)
            os.mkdir(other)
            args = [a if a != "1" else "2" for a in self.args]
            subprocess.run([GCNCHECK] + args + ["--journal", "new.journal"], cwd=other, env=self.env, stdout=subprocess.DEVNULL)
            mine, its = open(folder + "/new.journal", "rb").read(), open(other + "/new.journal", "rb").read()
            open(folder + "/new.journal", "wb").write(mine + its[len(mine):])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--kills", type=int, default=30)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=0)
    p.add_argument("--only", default=",".join(CAMPAIGNS))
    p.add_argument("--plant", choices=["finding", "tail", "counts"])
    args = p.parse_args()
    names = args.only.split(",")
    root = tempfile.mkdtemp()
    failed = 0
    print("TAP version 13\n1..%d" % len(names), flush=True)
    try:
        for i, name in enumerate(names):
            c = Campaign(name, root, args.count, random.Random("%d %s" % (args.seed, name)))
            c.undisturbed()
            share = args.kills // len(names) + (i < args.kills % len(names))
            done, bad = c.disturbed(share, args.plant)
            for line in bad[:10]:
                print("# " + line)
            failed += bool(bad)
            print("%s %d - %s: killed %d times, %d complaints" % ("not ok" if bad else "ok", i + 1, name, done, len(bad)), flush=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Stops (SIGSTOP) the gcncheck of tasks in the midst of their shards, and prints their process ids in the order asked for.

    hold.py DIR BYTES SHARD...

Waits up to five minutes for the processes whose journals are DIR/shard-SHARD.journal and lets each go on in slices of 5 ms until its
journal has BYTES: so the test does not depend on how fast the machine is. Code 1: one ended before, or never came."""
import os
import signal
import sys
import time


def journals_of_processes():
    """The main process of each journal that a gcncheck writes: the oldest, the others are its workers."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read().decode(errors="replace").split("\0")
            with open(f"/proc/{pid}/stat", errors="replace") as f:
                began = int(f.read().rsplit(")", 1)[1].split()[19])
        except (OSError, IndexError):
            continue
        if "--resume" in words and os.path.basename(words[0]) != "sh":
            journal = words[words.index("--resume") + 1]
            found[journal] = min(found.get(journal, (began, int(pid))), (began, int(pid)))
    return {journal: pid for journal, (_, pid) in found.items()}


def is_big(journal, size):
    try:
        return os.stat(journal).st_size >= size
    except FileNotFoundError:
        return False


def main():
    folder, size = sys.argv[1], int(sys.argv[2])
    wanted = [os.path.join(folder, f"shard-{shard}.journal") for shard in sys.argv[3:]]
    held = {}  # journal: its process, stopped
    big = set()
    end = time.time() + 300
    while len(big) < len(wanted):
        if time.time() > end:
            sys.exit("hold.py: no process came that writes " + ", ".join(w for w in wanted if w not in held))
        if len(held) < len(wanted):
            for journal, pid in journals_of_processes().items():
                if journal in wanted and journal not in held:
                    os.kill(pid, signal.SIGSTOP)
                    held[journal] = pid
        for journal, pid in held.items():
            if is_big(journal, size):
                big.add(journal)
            if journal in big:
                continue
            try:
                os.kill(pid, signal.SIGCONT)
                time.sleep(0.005)
                os.kill(pid, signal.SIGSTOP)
            except ProcessLookupError:
                sys.exit(f"hold.py: {pid} ended before {journal} had {size} bytes")
    print(*(held[w] for w in wanted))


main()

#!/usr/bin/env python3
"""Planted bugs in a plug-in, as a stranger's emulator would have them: are they seen by the cases, and found by the fuzzer?

    scripts/mutate/plugin_score.py                       300 mutants drawn at random, 10,000 streams each
    scripts/mutate/plugin_score.py --count 40 --seed 7   others
    scripts/mutate/plugin_score.py v_perm_b32.m7         only these
    scripts/mutate/plugin_score.py --dut 'pipe:python3 harness/t/lib/model_pipe.py build/model_dut.so' --count 20

The device is build/model_dut.so, or another --dut, with GCNCHECK_MUTANT; the fuzzer is told nothing of where the bug is (no
--only), and what differs where the ledger has doubts counts, with cases and with streams. Prints TAP 13, a point for each mutant
that either sees, and tables by class and kind: seen by the cases, found by streams, found by either, put down to its length (one
instruction, or what a mutant of state states). Then the median of the streams that it took.
Mutants that survivors.known says behave as the model are not drawn. Code 1 if one escapes both, or if fewer than --cases,
--fuzz or --either per cent are seen; 2 if nothing could be tried.
GCNCHECK: the program. JOBS: at a time (default: one per processor)."""

import argparse
import concurrent.futures
import fnmatch
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

GCNCHECK = os.environ.get('GCNCHECK', 'build/gcncheck')
HERE = pathlib.Path(__file__).parent
STAGES = 64, 512, 4096  # few streams first: a campaign looks at all that it was asked for


class Tried:
    """What was seen of one mutant."""

    def __init__(self, line):
        self.id, self.enc, self.op, self.kind, self.witness, self.group = line[:6]
        self.by_cases = self.by_fuzz = self.is_shrunk = False
        self.stream = None  # of the first finding, counted from 1
        self.trouble = ''

    def length(self):
        return int(self.witness) if self.kind == 'state' else 1


def mutants(mcpu):
    text = subprocess.run([GCNCHECK, 'mutants', '--mcpu', mcpu, '--format', 'tsv'], check=True, capture_output=True, text=True).stdout
    return [line.split('\t') for line in text.splitlines()[1:]]


def known_same(mcpu):
    """Patterns of the ids that behave as the model on a processor; before a colon stands the pattern of those that it holds on."""
    words = [line.split() for line in (HERE / 'survivors.known').read_text().splitlines() if line[:1] not in ('', '#')]
    parts = [w[0].rpartition(':') for w in words if w[1] == 'same']
    return [name for where, colon, name in parts if not colon or fnmatch.fnmatchcase(mcpu, where)]


def ask(arguments, mutant, dut):
    done = subprocess.run([GCNCHECK, *arguments, '--dut', dut], env=dict(os.environ, GCNCHECK_MUTANT=mutant.id), capture_output=True,
                          text=True, errors='replace')
    if done.returncode not in (0, 1, 3):
        mutant.trouble = f'exit code {done.returncode}: {done.stderr.strip()[-200:]}'
    return done


def try_cases(mutant, options):
    """The opcode's own file, then what names it; for a bug of an encoding its folder, then all."""
    folder = pathlib.Path('cases') / mutant.enc.lower()
    if mutant.op != '-':
        own = folder / f'{mutant.op}.case'
        others = [str(p) for p in sorted(pathlib.Path('cases').rglob('*.case')) if p != own and mutant.op in p.read_text()]
    else:
        own, others = folder, ['cases']
    for paths in ([str(own)] if mutant.enc != '-' and own.exists() else []), others:
        if paths and not mutant.by_cases:
            done = ask(['run', '--mcpu', options.mcpu, '--quiet', '--gate', 'manual', '--jobs', '1', *paths], mutant, options.dut)
            mutant.by_cases = done.returncode == 1


def try_fuzz(mutant, options):
    with tempfile.TemporaryDirectory() as tmp:
        for count in [n for n in STAGES if n < options.streams] + [options.streams]:
            done = ask(['fuzz', '--mcpu', options.mcpu, '--seed', str(options.seed), '--count', str(count), '--jobs', '1', '--quiet',
                        '--gate', 'manual', '--out', tmp + '/found'], mutant, options.dut)
            if done.returncode == 1:
                break
        else:
            return
        mutant.by_fuzz = True
        reports = [p.read_text() for p in pathlib.Path(tmp).rglob('report.txt')]
        streams = [int(n) for r in reports for n in re.findall(r'^ *from: .*stream (\d+)', r, re.M)]
        lengths = [int(n) for r in reports for n in re.findall(r'^ *length: (\d+)', r, re.M)]
        mutant.stream = min(streams) + 1 if streams else 0
        mutant.is_shrunk = bool(lengths) and min(lengths) == mutant.length()


def try_one(line, options):
    mutant = Tried(line)
    if options.parts != 'fuzz':
        try_cases(mutant, options)
    if options.parts != 'cases':
        try_fuzz(mutant, options)
    return mutant


def table(title, key, tried):
    print(f'# {title:24} {"mutants":>8} {"cases":>8} {"streams":>8} {"either":>8} {"length":>8}')
    for name in sorted({key(m) for m in tried}) + ['all']:
        of = [m for m in tried if name in (key(m), 'all')]
        counts = [len(of), sum(m.by_cases for m in of), sum(m.by_fuzz for m in of), sum(m.by_cases or m.by_fuzz for m in of),
                  sum(m.is_shrunk for m in of)]
        print(f'# {name:24} ' + ' '.join(f'{n:8}' for n in counts))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mcpu', default='gfx900')
    parser.add_argument('--dut', default='plugin:build/model_dut.so', help='a device that plants GCNCHECK_MUTANT (%(default)s)')
    parser.add_argument('--count', type=int, default=300, help='mutants drawn')
    parser.add_argument('--seed', type=int, default=1, help='of the draw and of the streams')
    parser.add_argument('--streams', type=int, default=10000, help='at most, for each')
    parser.add_argument('--parts', choices=('both', 'cases', 'fuzz'), default='both', help='what is asked')
    for name, default in ('cases', 98), ('fuzz', 97), ('either', 99):
        parser.add_argument('--' + name, type=float, default=default, metavar='PERCENT', help='that must be seen by it')
    parser.add_argument('id', nargs='*')
    return parser.parse_args()


def main():
    options = arguments()
    same = known_same(options.mcpu)
    lines = [l for l in mutants(options.mcpu) if not any(fnmatch.fnmatchcase(l[0], p) for p in same)]
    if options.id:
        lines = [l for l in lines if l[0] in options.id]
    elif options.count < len(lines):
        lines = random.Random(options.seed).sample(lines, options.count)
    if not lines:
        print('plugin_score.py: no such mutant', file=sys.stderr)
        return 2
    print('TAP version 13', flush=True)
    jobs = int(os.environ.get('JOBS', os.cpu_count()))
    tried = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant in pool.map(lambda l: try_one(l, options), lines):
            tried.append(mutant)
            is_seen = (mutant.by_cases or mutant.by_fuzz) and not mutant.trouble
            if mutant.trouble:
                print('# ' + mutant.trouble.replace('\n', ' | '))
            missed = [] if options.parts == 'fuzz' or mutant.by_cases else ['the cases do not see it']
            if options.parts != 'cases' and not mutant.is_shrunk:
                missed.append('not put down to its length' if mutant.by_fuzz else f'not found in {options.streams} streams')
            said = f' # {", ".join(missed)}' if missed else ''
            print(f'{"ok" if is_seen else "not ok"} {len(tried)} - {mutant.id}{said}', flush=True)
    table('class of bug', lambda m: m.group, tried)
    table('kind', lambda m: m.kind, tried)
    streams = sorted(m.stream for m in tried if m.by_fuzz)
    if streams:
        print(f'# streams to the first finding: median {statistics.median(streams):g}, nine in ten by {streams[len(streams) * 9 // 10]}')
    points = len(tried)
    failed = 0
    for part, wanted, seen in (('cases', options.cases, sum(m.by_cases for m in tried)), ('fuzz', options.fuzz, sum(m.by_fuzz for m in tried)),
                               ('either', options.either, sum(m.by_cases or m.by_fuzz for m in tried))):
        if options.parts in ('both', part):
            points += 1
            enough = 100 * seen >= wanted * len(tried)
            failed += not enough
            print(f'{"ok" if enough else "not ok"} {points} - {part}: {seen} of {len(tried)}, {wanted:g} % are wanted')
    print(f'1..{points}')
    failed += sum(bool(m.trouble) or not (m.by_cases or m.by_fuzz) for m in tried)
    return int(failed > 0)


if __name__ == '__main__':
    sys.exit(main())

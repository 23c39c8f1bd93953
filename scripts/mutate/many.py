#!/usr/bin/env python3
"""Many mutants at once in one plug-in: a device with as many bugs. Prints TAP 13; the last line is "N passed, M failed".

    scripts/mutate/many.py [--mutants 100] [--draw 1] [--streams N | --time 300s] [--jobs N]

Draws mutants that can be had together (harness/mutant/set.c) from all that the processor has, plants them in
build/model_dut.so and lets the fuzzer look. Of those whose opcodes the generator draws at least 95 % (--least) must be found, every
cause must have a finding with program, seed and stream number, and clusters must be at most twice the mutants.

GCNCHECK: the program (default build/gcncheck). MCPU (default gfx900). BUILD: where model_dut.so is (default build)."""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

GCNCHECK = os.environ.get('GCNCHECK', 'build/gcncheck')
MCPU = os.environ.get('MCPU', 'gfx900')
PLUGIN = f"plugin:{os.environ.get('BUILD', 'build')}/model_dut.so"


class Mutant(NamedTuple):
    """A line of `gcncheck mutants --format tsv`."""

    ident: str
    encoding: str  # '-': any
    opcode: str  # '-': not a single one's
    kind: str
    witness: str
    bug: str  # class of bug; a kind's name for mutants that are not made of slips
    text: str

    def place(self) -> tuple[str, ...]:
        """What it takes that no other one can have beside it."""
        if self.opcode != '-':
            return ('opcode', self.opcode)
        if self.ident.startswith(('state.', 'loop.')):
            return ('loop',)
        slip = self.bug not in ('value', 'flag', 'exec', 'modifier', 'address', 'state')
        return ('slip' if slip else 'operands', self.encoding)


def listed() -> list[Mutant]:
    said = subprocess.run([GCNCHECK, 'mutants', '--mcpu', MCPU, '--format', 'tsv'], check=True, capture_output=True,
                          text=True).stdout
    return [Mutant(*line.split('\t')) for line in said.splitlines()[1:]]


def drawn(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them, all of which can be planted at once."""
    order = mutants[:]
    random.Random(seed).shuffle(order)
    taken: dict[tuple[str, ...], Mutant] = {}
    for mutant in order:
        if len(taken) < count:
            taken.setdefault(mutant.place(), mutant)
    return list(taken.values())


class Cause(NamedTuple):
    number: int
    name: str
    folder: str
    below: bool


def causes_of(said: str) -> list[Cause]:
    found = re.findall(r'^cause (\d+): (.*?), \d+ streams?(?:, \d+ instructions?: (\S+))?(, below the gate)?', said, re.M)
    return [Cause(int(number), name, folder.rstrip(','), bool(below)) for number, name, folder, below in found]


def is_found(mutant: Mutant, causes: list[Cause], encodings: dict[str, str], own: set[str]) -> bool:
    """Whether some cause is its: of its opcode; else of its encoding, of an opcode that has no mutant of its own."""
    if mutant.opcode != '-':
        return any(cause.name.split()[0] == mutant.opcode for cause in causes)
    if mutant.place() == ('loop',):
        return any(cause.name.startswith('interaction') for cause in causes)
    others = [cause for cause in causes if cause.name.split()[0] not in own]
    return any(mutant.encoding in ('-', encodings.get(cause.name.split()[0], '')) for cause in others)


def is_drawn(mutant: Mutant) -> bool:
    """Whether streams hold its opcode at all: what the generator leaves out cannot be found."""
    if mutant.opcode == '-':
        return True
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([GCNCHECK, 'fuzz', '--mcpu', MCPU, '--count', '1', '--only', mutant.opcode, '--dut', 'model',
                              '--out', out], capture_output=True, text=True)
    return 'random programs do not turn around' not in run.stderr


def is_whole(cause: Cause) -> bool:
    """Whether its finding has all that it must have."""
    folder = Path(cause.folder)
    if not cause.folder or not (folder / 'program.s').is_file():
        return False
    finding = json.loads((folder / 'finding.json').read_text())
    return 'seed' in finding and 'number' in finding and bool(finding['minimal']['code'])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mutants', type=int, default=100)
    parser.add_argument('--draw', type=int, default=1, help='which draw')
    parser.add_argument('--streams', type=int, help='instead of --time')
    parser.add_argument('--time', default='300s')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--least', type=int, default=95, help='per cent that must be found')
    args = parser.parse_args()
    mutants = listed()
    planted = drawn(mutants, args.mutants, args.draw)
    until = ['--count', str(args.streams)] if args.streams else ['--time', args.time]
    print('TAP version 13')
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([GCNCHECK, 'fuzz', '--mcpu', MCPU, '--seed', '1', '--jobs', str(args.jobs), '--dut', PLUGIN,
                              '--out', out, *until], capture_output=True, text=True,
                             env={**os.environ, 'GCNCHECK_MUTANT': ','.join(m.ident for m in planted)})
        causes = causes_of(run.stdout)
        without = [cause.name for cause in causes if not cause.below and not is_whole(cause)]
    encodings = {m.opcode: m.encoding for m in mutants if m.opcode != '-'}
    own = {m.opcode for m in planted}
    lost = [m for m in planted if not is_found(m, causes, encodings, own)]
    undrawn = [m for m in lost if not is_drawn(m)]
    lost = [m for m in lost if m not in undrawn]
    clusters = len([line for line in run.stdout.splitlines()
                    if line.startswith('cluster ') and not line.endswith('below the gate')])
    summary = [line for line in run.stdout.splitlines() if line.startswith(('streams: ', PLUGIN))]
    possible = len(planted) - len(undrawn)
    found = possible - len(lost)
    points = [(run.returncode == 1, f'the campaign ends with findings ({run.stderr.strip()[:100]})'),
              (found * 100 >= args.least * possible, f'{found} of {possible} mutants are found'),
              (not without, f'each of {len(causes)} causes has a finding'),
              (0 < clusters <= 2 * len(planted), f'{clusters} clusters')]
    for line in summary:
        print(f'# {line}')
    for mutant in undrawn:
        print(f'# not in any stream: {mutant.ident}')
    for mutant in lost:
        print(f'# not found: {mutant.ident}: {mutant.text}')
    for name in without:
        print(f'# without a finding: {name}')
    for number, (good, title) in enumerate(points, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {title}")
    failed = sum(not good for good, _ in points)
    print(f'1..{len(points)}\n{len(points) - failed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
"""What a bug that is known costs a campaign: its time over that of a campaign without a bug, both through a plug-in.

    scripts/mutate/known_cost.py                              three bugs of many opcodes, 10,000 streams, 5 times each
    scripts/mutate/known_cost.py --times 9 vop2.neg_ignored   other mutants
    scripts/mutate/known_cost.py --count 60000 --jobs 1

The device is build/model_dut.so with GCNCHECK_MUTANT. Campaigns with and without take turns, so that a machine whose speed varies
is the same for all. Prints a line for each bug: the quickest and the median of its campaigns in seconds and as a ratio, how many
causes it has and how many streams were wrong. Judges nothing: code 2 if a campaign could not be run.
GCNCHECK: the program."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

GCNCHECK = os.environ.get('GCNCHECK', 'build/gcncheck')
BROAD = ['vop2.dpp_reads_off', 'vop3a.neg_ignored', 'vopc.abs_ignored']


def campaign(mutant, options):
    """Seconds, causes, wrong streams."""
    device = {key: value for key, value in os.environ.items() if key != 'GCNCHECK_MUTANT'}
    if mutant:
        device['GCNCHECK_MUTANT'] = mutant
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        done = subprocess.run([GCNCHECK, 'fuzz', '--mcpu', options.mcpu, '--dut', options.dut, '--count', str(options.count), '--jobs',
                               str(options.jobs), '--out', f'{folder}/findings'], env=device, capture_output=True, text=True)
        took = time.monotonic() - start
    said = re.search(r'^streams: .* wrong (\d+) \((\d+) cause', done.stdout, re.M)
    if done.returncode not in (0, 1, 3) or not said:
        sys.exit(f'known_cost.py: {mutant or "no bug"}: exit code {done.returncode}: {done.stderr.strip()[-200:]}')
    return took, int(said.group(2)), int(said.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('mutants', nargs='*', default=BROAD, metavar='MUTANT')
    parser.add_argument('--count', type=int, default=10000, help='streams of a campaign')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--times', type=int, default=5, help='campaigns of each')
    parser.add_argument('--mcpu', default='gfx900')
    parser.add_argument('--dut', default='plugin:build/model_dut.so')
    options = parser.parse_args()
    rounds = [[campaign(mutant, options) for mutant in ['', *options.mutants]] for _ in range(options.times)]
    clean, *others = zip(*rounds)
    best, middle = min(clean)[0], statistics.median(t for t, _, _ in clean)
    print(f'no bug: {best:.2f} s, median {middle:.2f} s')
    for mutant, runs in zip(options.mutants, others):
        quick, median = min(runs)[0], statistics.median(t for t, _, _ in runs)
        print(f'{mutant}: {quick:.2f} s, {quick / best:.2f} times; median {median:.2f} s, {median / middle:.2f} times; '
              f'{runs[0][1]} causes, {runs[0][2]} of {options.count} streams wrong')


if __name__ == '__main__':
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)

#!/usr/bin/env python3
"""Random expressions in OpenCL C and C, compiled by clang for GPUs and run by the model, against the same expression compiled
for the host. Nothing here is shared with oracle/.

    scripts/truth/expressions.py [--count 1000] [--seed 1] [--mcpu NAME] [--level O2|turn] [--keep] [--jobs N]

Expression N is the same in every run; --seed is the number of the first. Those from one multiple of 1000 to the next are one
source, compiled at -O0 to -O3 for a processor that turns from source to source (gfx900, gfx906, gfx908), as does the language:
every fourth is C, in which the built-in functions of OpenCL are written out (expr_c.py). Each expression is computed for 4
work-groups of 64 lanes; some of its inputs are the same for a whole work-group, so that scalar opcodes get their share. Results
are equal bit by bit, but one NaN is like another. 1000 expressions take about 13 seconds of a processor at four levels, 8 with
--level turn, 5 at one.

A difference is printed with its inputs and both values, and leaves BUILD/truth/N.LEVEL.MCPU with sources, inputs and code
object. What a known miscompilation explains (expressions.known) is counted by its name and does not fail. Code 1: differences
are left; 2: nothing could be compared. GCNCHECK: the program (default build/gcncheck). --flip N: an error on purpose, in one
bit of the host's result of expression N."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import expr_c
from expr_gen import ELEMENTS, FLOAT, Expression, kind, name, pool, room, size

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCNCHECK = os.path.abspath(os.environ.get('GCNCHECK') or ROOT / 'build' / 'gcncheck')
BUILD = pathlib.Path(os.environ.get('BUILD') or ROOT / 'build').resolve() / 'truth'
LIBS = os.environ.get('ROCM_DEVICE_LIBS') or '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode'
KNOWN = pathlib.Path(__file__).with_name('expressions.known')
BATCH, GROUPS = 1000, 4
ROWS = 64 * GROUPS
POOL = 4096  # elements of each type
MCPUS, LEVELS = ('gfx900', 'gfx906', 'gfx908'), ('O0', 'O1', 'O2', 'O3')
FLAGS = ['-w', '-fwrapv', '-ffp-contract=off', '-fno-strict-aliasing', '-fno-crash-diagnostics']
LAUNCH = f'kernel run{{part}}\ngrid {ROWS} {{blocks}} 1\nworkgroup 64 1 1\nbuf in.bin\ntmp {{size}}\n'

Difference = collections.namedtuple('Difference', 'ident level mcpu row text inputs want got known')


class Failed(Exception):
    """A step that gives no results: which, and what it said."""


def command(where, words, timeout=600):
    """Runs a program in a folder; Failed unless it ends with 0."""
    try:
        done = subprocess.run([str(w) for w in words], cwd=where, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as late:
        raise Failed(f'{words[0]}: no end after {timeout} s') from late
    if done.returncode != 0:
        said = (done.stderr + done.stdout).strip()
        raise Failed(f'{" ".join(map(str, words))}: code {done.returncode}: {said[-2000:]}')


Known = collections.namedtuple('Known', 'name levels mcpus text code options')


def known():
    """The rows of expressions.known."""
    rows = []
    for line in KNOWN.read_text(encoding='utf-8').splitlines():
        if line and not line.startswith('#'):
            title, levels, mcpus, text, code, options = line.split(' | ')
            rows.append(Known(title, levels.split(), mcpus.split(), re.compile(text), re.compile(code), options.split()))
    return rows


def front_end(where, is_opencl, mcpu, out, options):
    """kernel.cl or kernel.c of a folder to bitcode, before any optimization, which -O1 to -O3 share."""
    words = compiler(is_opencl, mcpu) + ['-O1', '-Xclang', '-disable-llvm-passes', *options, '-emit-llvm', '-c', '-o', out]
    command(where, [*words, 'kernel.cl' if is_opencl else 'kernel.c'])


def compiler(is_opencl, mcpu):
    """The compiler of the language for a processor."""
    words = ['clang-19', '--target=amdgcn-amd-amdhsa', f'-mcpu={mcpu}', *FLAGS]
    if is_opencl:
        return [*words, '-x', 'cl', '-cl-std=CL2.0', '-cl-fp32-correctly-rounded-divide-sqrt', f'--rocm-device-lib-path={LIBS}']
    return [*words, '-std=gnu11', '-nogpulib', '-ffreestanding']


def compile_gpu(where, is_opencl, mcpu, level, out, options=()):
    """To the object `out`: -O0 from the source, others from bitcode that is made once for all levels without options."""
    if level == 'O0':
        source = 'kernel.cl' if is_opencl else 'kernel.c'
        command(where, [*compiler(is_opencl, mcpu), '-O0', '-DCHAIN', *options, '-c', '-o', out, source])
    else:
        bitcode = 'changed.bc' if options else 'optimized.bc'
        if options or not (where / bitcode).exists():
            front_end(where, is_opencl, mcpu, bitcode, options)
        command(where, ['clang-19', '-x', 'ir', '--target=amdgcn-amd-amdhsa', f'-mcpu={mcpu}', *FLAGS, f'-{level}', '-nogpulib', *options,
                        '-c', '-o', out, bitcode])


def elements(data, e, n):
    """The numbers of a value: bits of each element, NaNs made one."""
    step = size(e)
    values = [int.from_bytes(data[i * step:(i + 1) * step], 'little') for i in range(n)]
    if kind(e) == 'f':
        top = 8 * step - 1
        infinite = {2: 0x7c00, 4: 0x7f800000, 8: 0x7ff << 52}[step]
        values = ['nan' if v & ~(1 << top) > infinite else v for v in values]
    return values


def spelled(data, e, n):
    """A value for people."""
    return name(e, n) + ' ' + ' '.join(v if v == 'nan' else f'0x{v:0{2 * size(e)}x}' for v in elements(data, e, n))


def compare(x, want, got):
    """The first row of a result that differs, or None."""
    if want == got:
        return None
    step = room(x.e, x.n)
    for row in range(ROWS):
        at = slice(row * step, (row + 1) * step)
        if want[at] != got[at] and (kind(x.e) != 'f' or elements(want[at], x.e, x.n) != elements(got[at], x.e, x.n)):
            return row
    return None


class Batch:
    """Expressions that are one kernel, in a folder of their own."""

    def __init__(self, first, last, options):
        self.number = first // BATCH
        self.options = options
        self.is_opencl = self.number % 4 != 3
        self.mcpu = options.mcpu or MCPUS[self.number % len(MCPUS)]
        self.expressions = [Expression(i, POOL, ROWS) for i in range(first, last)]
        self.inputs, self.starts = pool(self.number, POOL)
        self.outs = expr_c.layout(self.expressions, ROWS)
        self.where = BUILD / f'{first}-{os.getpid()}'
        self.counts, self.differences = collections.Counter(), []

    def prepare(self):
        """Sources, inputs and the host's results."""
        shutil.rmtree(self.where, ignore_errors=True)
        self.where.mkdir(parents=True)
        source = expr_c.opencl if self.is_opencl else expr_c.plain_c
        (self.where / ('kernel.cl' if self.is_opencl else 'kernel.c')).write_text(source(self.expressions, self.starts, self.outs))
        (self.where / 'host.c').write_text(expr_c.host(self.expressions, self.starts, self.outs, ROWS))
        (self.where / 'in.bin').write_bytes(self.inputs)
        command(self.where, ['clang-19', '-std=gnu11', '-O0', '-Xclang', '-ffloat16-excess-precision=none', *FLAGS, '-o', 'host', 'host.c', '-lm'])
        command(self.where, ['./host'])
        want = bytearray((self.where / 'want.bin').read_bytes())
        for x, start in zip(self.expressions, self.outs):
            if x.ident == self.options.flip:
                want[start] ^= 1
        return bytes(want)

    def parts(self):
        """The first expression of each kernel, and the first that follows it."""
        edges = [*range(0, len(self.expressions), expr_c.PART), len(self.expressions)]
        return list(zip(edges, edges[1:]))

    def results(self, level, options=()):
        """Compiles at a level and runs: the bytes of all results."""
        stem = level + '.changed' if options else level
        compile_gpu(self.where, self.is_opencl, self.mcpu, level, f'{stem}.o', options)
        got = b''
        for part, (first, last) in enumerate(self.parts()):
            out, launch = f'{stem}.{part}', f'{stem}.{part}.txt'
            text = LAUNCH.format(part=part, blocks=1 if level == 'O0' else last - first, size=self.outs[last] - self.outs[first])
            (self.where / launch).write_text(text)
            command(self.where, [GCNCHECK, 'launch', '--mcpu', self.mcpu, '--jobs', 1, '--out', out, f'{stem}.o', launch])
            got += (self.where / out / '1.bin').read_bytes()
        return got

    def one_level(self, level, want):
        """Compiles and runs at a level; notes what differs."""
        got = self.results(level)
        self.counts['compared'] += len(self.expressions)
        self.counts['lanes'] += len(self.expressions) * ROWS
        self.counts[f'{level} {self.mcpu} {"OpenCL C" if self.is_opencl else "C"}'] += len(self.expressions)
        for k, x in enumerate(self.expressions):
            at = slice(self.outs[k], self.outs[k + 1])
            row = compare(x, want[at], got[at])
            if row is not None:
                step = room(x.e, x.n)
                values = [spelled(part[at][row * step:(row + 1) * step], x.e, x.n) for part in (want, got)]
                self.differences.append(Difference(x.ident, level, self.mcpu, row, f'{name(x.e, x.n)}: {x.text}',
                                                   self.inputs_of(x, row), *values, None))

    def explained(self, level, want, rows):
        """The name of the known miscompilation that explains the difference of a kernel of one expression: the text is such, so
        is the code, and with its options the difference is gone."""
        x = self.expressions[0]
        done = subprocess.run([GCNCHECK, 'dis', f'{level}.o'], cwd=self.where, capture_output=True, text=True, check=False)
        for k in rows:
            if level in k.levels and self.mcpu in k.mcpus and k.text.search(x.text) and k.code.search(done.stdout):
                if k.options == ['-'] or compare(x, want, self.results(level, k.options)) is None:
                    return k.name
        return None

    def inputs_of(self, x, row):
        """What an expression's inputs are in a row."""
        said = []
        for v, e, n, start, is_uniform in x.inputs:
            at = self.starts[e] + start * size(e) + (row // 64 if is_uniform else row) * room(e, n)
            said.append(f'{v} = {spelled(self.inputs[at:at + room(e, n)], e, n)}{" (of the work-group)" if is_uniform else ""}')
        return said

    def run(self):
        """All levels. The folder stays if it shall."""
        want = self.prepare()
        for level in self.options.levels or ['O0', LEVELS[1 + self.number // 12 % 3]]:
            self.one_level(level, want)
        if self.options.keep:
            print(f'# {self.where}', flush=True)
        else:
            shutil.rmtree(self.where)


def run_batch(first, last, options):
    """One source, or smaller ones where one of its expressions does not compile or run. What could not be compared comes as
    (expression, reason)."""
    try:
        batch = Batch(first, last, options)
        batch.run()
        return batch.counts, [judge(d, options) for d in batch.differences], []
    except Failed as why:
        if last - first == 1:
            return collections.Counter(), [], [(first, str(why))]
        shutil.rmtree(batch.where, ignore_errors=True)
    middle = (first + last) // 2
    halves = [run_batch(first, middle, options), run_batch(middle, last, options)]
    return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1], halves[0][2] + halves[1][2]


def judge(d, options):
    """Compares the expression again, alone, in the folder that is left. The difference with its known reason, if it has one;
    its report goes to the folder."""
    only = argparse.Namespace(**vars(options) | {'mcpu': d.mcpu})
    batch = Batch(d.ident, d.ident + 1, only)
    batch.where = BUILD / f'{d.ident}.{d.level}.{d.mcpu}'
    note, reason = None, None
    try:
        want = batch.prepare()
        batch.one_level(d.level, want)
        if batch.differences:
            reason = batch.explained(d.level, want, known())
        else:
            note = '  alone in a kernel it does not differ'
    except Failed as why:
        note = f'  alone: {why}'
    again = f'scripts/truth/expressions.py --level {d.level} --mcpu {d.mcpu} --keep'
    said = [f'expression {d.ident} differs at -{d.level}, {d.mcpu}, work-group {d.row // 64}, lane {d.row % 64}', '  ' + d.text,
            *('  ' + i for i in d.inputs), f'  host  {d.want}', f'  model {d.got}', *([note] if note else []),
            f'  again: {again} --seed {d.ident} --count 1', f'  with its neighbours: {again} --seed {d.ident // BATCH * BATCH} --count {BATCH}',
            f'  in {batch.where}']
    (batch.where / 'report.txt').write_text('\n'.join(said) + '\n')
    if reason and not options.keep:
        shutil.rmtree(batch.where)
    return d._replace(known=reason)


def report(d):
    """What a difference's folder says of it."""
    text = (BUILD / f'{d.ident}.{d.level}.{d.mcpu}' / 'report.txt').read_text()
    print(''.join(f'# {line}\n' for line in text.splitlines()), end='', flush=True)


def parse():
    """The options."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--count', type=int, default=1000, help='expressions')
    p.add_argument('--seed', type=int, default=1, help='number of the first')
    p.add_argument('--mcpu', help='one processor instead of three in turn')
    p.add_argument('--level', choices=(*LEVELS, 'turn'), help='one level instead of four; turn: -O0 and one of the others in turn')
    p.add_argument('--keep', action='store_true', help='keep the folder of every kernel')
    p.add_argument('--jobs', type=int, default=os.cpu_count() or 1, help='kernels at a time')
    p.add_argument('--show', type=int, default=5, help='differences to print in full')
    p.add_argument('--flip', type=int, help='an expression whose result the host gets wrong')
    options = p.parse_args()
    options.levels = list(LEVELS) if options.level is None else [] if options.level == 'turn' else [options.level]
    return options


def summary(counts, differences, lost):
    """Lines of the sums."""
    print(f'# {counts["compared"]} expressions compared, {counts["lanes"]} results of lanes: '
          + ', '.join(f'{v} {k}' for k, v in sorted(counts.items()) if k not in ('compared', 'lanes')))
    for title, number in sorted(collections.Counter(d.known for d in differences if d.known).items()):
        print(f'# known: {title}: {number}')
    for ident, why in lost[:5]:
        print(f'# expression {ident} could not be compared: {why}')
    if lost:
        print(f'# {len(lost)} expressions could not be compared')


def main():
    """TAP: a point for the results, one for what could not be compared."""
    options = parse()
    print('TAP version 13')
    for need in ('clang-19', LIBS):
        if shutil.which(need) is None and not os.path.isdir(need):
            print(f'1..0 # SKIP {need} is not there (scripts/deps.sh long)')
            return 0
    BUILD.mkdir(parents=True, exist_ok=True)
    edges = [options.seed, *range((options.seed // BATCH + 1) * BATCH, options.seed + options.count, BATCH), options.seed + options.count]
    counts, differences, lost = collections.Counter(), [], []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as workers:
        for some in workers.map(run_batch, edges[:-1], edges[1:], [options] * (len(edges) - 1)):
            counts += some[0]
            fresh = [d for d in some[1] if d.known is None]
            for d in fresh[:max(0, options.show - sum(1 for d in differences if d.known is None))]:
                report(d)
            differences += some[1]
            lost += some[2]
    summary(counts, differences, lost)
    wrong = sum(1 for d in differences if d.known is None)
    good = wrong == 0 and counts['compared'] > 0
    print(f'{"ok" if good else "not ok"} 1 - {options.count} expressions from {options.seed}: {wrong} differ')
    print(f'{"not ok" if lost else "ok"} 2 - all could be compared\n1..2')
    return 0 if good and not lost else 1 if counts['compared'] else 2


if __name__ == '__main__':
    sys.exit(main())

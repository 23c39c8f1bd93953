#!/usr/bin/env python3
"""Compares the model with LLVM's constant folding, operation by operation.

    scripts/truth/folding.py [--count N] [--seed N] [--only TEXT] [--jobs N] [--list | --intrinsics] [--no-intrinsics] [--plant]

LLVM 19 (opt-19) folds an operation on constants by arithmetic of its own; `gcncheck eval` of the instruction that does the same
must give the same bits. The columns: inputs; equal; nan: a NaN against another NaN; open: what LLVM does not fold; differ; and
what folding_known.py explains, by entries of the ledger (or, LLVM-..., by a fault of LLVM). What differs otherwise is printed with
the line that shows it again, and makes the exit code 1. The last line is "N passed, M failed": an operation is one, and so are the
intrinsics: every llvm.amdgcn intrinsic that the LLVM library knows is tried, and one that folds must be compared here.

--count            inputs of each operation (default 10000)
--only TEXT        operations whose name contains TEXT, and not the intrinsics; with --intrinsics those whose name contains it
--jobs N           modules at a time (default: one per processor)
--intrinsics       the intrinsics only
--no-intrinsics    the operations only
--list             the operations and their instructions
--plant            one bit of one of LLVM's results of every operation is changed, no intrinsic counts as compared: all must fail"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

import ask
import folding_inputs
import folding_intrinsics
import folding_known
import folding_ops

OPT = os.environ.get('OPT', 'opt-19')
PASSES = 'instsimplify,instcombine<no-verify-fixpoint>,sccp'
MODULE = 40000  # inputs a module, about
FUNCTION = 500  # inputs a function
HEAD = 'target triple = "amdgcn-amd-amdhsa"\n'


def constant(kind, value):
    """A constant of the type in LLVM IR, without the type."""
    name, bits = folding_ops.TYPES[kind]
    return str(value) if kind[0] == 'i' else f'bitcast (i{bits} {value} to {name})'


def kinds(op):
    return [kind.partition('@')[0].partition('/')[0] for kind in op.operands]


def functions(op, number, cases, attributes):
    """The text of the functions that compute one operation on all its inputs, and store what they get."""
    template = re.sub(r'%([a-z]\w*)', r'%\1.{n}', op.ir)
    *before, last = template.split('\n')
    name, bits = folding_ops.TYPES[op.result]
    lines = [*before, f'%result.{{n}} = {last}']
    stored = '%result.{n}'
    if op.result[0] != 'i':
        lines.append(f'%stored.{{n}} = bitcast {name} %result.{{n}} to i{bits}')
        stored = '%stored.{n}'
    body = '\n'.join([*lines, f'store volatile i{bits} {stored}, ptr %p']) + '\n'
    types = kinds(op)
    text = []
    for start in range(0, len(cases), FUNCTION):
        text.append(f'define void @op{number}.{start}(ptr %p) #{attributes} {{\n')
        for n in range(start, min(start + FUNCTION, len(cases))):
            text.append(body.format(*map(constant, types, cases[n]), n=n, lane=n % ask.LANES))
        text.append('ret void\n}\n')
    return ''.join(text)


def run_opt(text):
    done = subprocess.run([OPT, '-S', f'-passes={PASSES}'], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ask.Failed(f'{OPT}: {done.stderr.strip()[:2000]}')
    return done.stdout


def folded(work):
    """What LLVM makes of each input of each (operation, inputs): lists of integers, None where it does not fold."""
    sets = list(dict.fromkeys(op.attributes for op, _ in work))
    text = [HEAD] + [functions(op, i, cases, sets.index(op.attributes)) for i, (op, cases) in enumerate(work)]
    text += [f'attributes #{i} = {{ "target-cpu"="gfx900" {attributes} }}\n' for i, attributes in enumerate(sets)]
    answers = [[] for _ in work]
    into = None
    for line in run_opt(''.join(text)).splitlines():
        if line.startswith('define '):
            into = answers[int(re.search(r'@op(\d+)\.', line)[1])]
        elif line.startswith('  store volatile '):
            kind, value = line[17:].split(',')[0].split(' ')
            value = {'true': '1', 'false': '0'}.get(value, value)
            into.append(int(value) & ((1 << int(kind[1:])) - 1) if value.lstrip('-').isdigit() else None)
    for (op, cases), answer in zip(work, answers):
        if len(answer) != len(cases):
            raise ask.Failed(f'{op.name}: LLVM stores {len(answer)} results of {len(cases)}')
    return answers


def registers(op):
    """The registers of the operands, in text, and of the destination."""
    letter = 's' if op.scalar and not op.uniform else 'v'
    base = 4 if op.scalar else 2
    result = ('s' if op.scalar else 'v', 0)
    wide = folding_ops.TYPES[op.result if op.of == 'd' else op.written][1] == 64
    where = []
    for i, (kind, full) in enumerate(zip(kinds(op), op.operands)):
        place = result if full.endswith('@d') else (letter, base + 2 * i)
        where.append((*place, folding_ops.TYPES[kind][1] == 64))
    return where, (*result, wide)


def spell(letter, number, wide):
    return f'{letter}[{number}:{number + 1}]' if wide else f'{letter}{number}'


def instruction(op):
    where, destination = registers(op)
    return op.insn.format(*(spell(*place) for place in where), d=spell(*destination))


def flag_place(op):
    """Where an operand of one bit stands: a bit of VCC for each lane, or SCC."""
    return 'scc' if op.scalar else 'vcc'


def programs(op, code, cases):
    """For `gcncheck eval --jsonl`: of a vector operation 64 inputs a program."""
    where, _ = registers(op)
    step = 1 if op.scalar else ask.LANES
    for start in range(0, len(cases), step):
        part = cases[start:start + step]
        places = {name: f'{value:x}' for name, value in op.fixed.items()}
        if op.mode != folding_ops.IEEE:
            places['mode'] = f'{op.mode:x}'
        for i, kind in enumerate(kinds(op)):
            letter, number, wide = where[i]
            values = [case[i] for case in part]
            if kind == 'i1':
                places[flag_place(op)] = values[0] if op.scalar else f'{sum(value << n for n, value in enumerate(values)):x}'
                continue
            for half in range(1 + wide):
                words = [f'{value >> 32 * half & 0xffffffff:x}' for value in values]
                places[f'{letter}{number + half}'] = words[0] if op.scalar else words + ['0'] * (step - len(words))
        yield code, places


def results(op, answers, cases):
    """The model's result of each input."""
    _, (letter, number, wide) = registers(op)
    bits = folding_ops.TYPES[op.result][1]
    found = []
    for answer, asked in answers:
        if 'error' in answer or 'fault' in answer:
            raise ask.Failed(f'{op.name}: eval answers {answer}')
        out = answer['out']

        def word(place, out=out, asked=asked):  # what did not change is not in the answer
            return ask.lanes(out.get(place, asked.get(place, '0')))

        if op.of == 'scc':
            found.append(int(out.get('scc', asked.get('scc', 0))))
        elif op.of in ('vcc', 'pair'):
            mask = int(out.get('vcc', asked.get('vcc', '0')), 16) if op.of == 'vcc' else word('s0')[0] | word('s1')[0] << 32
            found += [mask >> lane & 1 for lane in range(ask.LANES)]
        else:
            low = word(f'{letter}{number}')
            high = word(f'{letter}{number + 1}') if wide else [0] * ask.LANES
            values = [(a | b << 32) & ((1 << bits) - 1) for a, b in zip(low, high)]
            found += values[:1] if op.scalar else values
    return found[:len(cases)]


def modelled(work):
    """What the model makes of each input of each (operation, inputs)."""
    found = [None] * len(work)
    for mcpu in dict.fromkeys(op.mcpu for op, _ in work):
        ours = [i for i, (op, _) in enumerate(work) if op.mcpu == mcpu]
        codes = ask.assemble([instruction(work[i][0]) for i in ours], mcpu)
        asked, spans = [], []
        for i, code in zip(ours, codes):
            if code is None:
                raise ask.Failed(f'{work[i][0].name}: not assembled for {mcpu}: {instruction(work[i][0])}')
            begin = len(asked)
            asked += programs(work[i][0], code, work[i][1])
            spans.append((i, begin, len(asked)))
        answers = list(zip(ask.evaluate(asked, mcpu), (places for _, places in asked)))
        for i, begin, end in spans:
            found[i] = results(work[i][0], answers[begin:end], work[i][1])
    return found


def again(op, case):
    """The command that shows the model's result of one input."""
    where, _ = registers(op)
    text = [f'{spell(*where[i]) if kind != "i1" else flag_place(op)}={value:#x}' for i, (kind, value) in enumerate(zip(kinds(op), case))]
    text += [f'{name}={value:#x}' for name, value in op.fixed.items()] + ([f'mode={op.mode:#x}'] if op.mode != folding_ops.IEEE else [])
    return f"gcncheck eval --mcpu {op.mcpu} '{instruction(op)}' {' '.join(text)}"


class Tally:
    """How the inputs of one operation came out."""

    def __init__(self, op, cases, llvm, model):
        self.op, self.inputs = op, len(cases)
        self.equal = self.nan = self.open = 0
        self.ledger, self.differ = {}, []
        for n, (case, ours, theirs) in enumerate(zip(cases, model, llvm)):
            if theirs is None:
                self.open += 1
            elif ours == theirs:
                self.equal += 1
            elif folding_known.equal_as_nan(op.result, ours, theirs):
                self.nan += 1
            elif entry := folding_known.entry(op, case, theirs, ours):
                self.ledger[entry] = self.ledger.get(entry, 0) + 1
            else:
                self.differ.append((n, case, theirs, ours))

    @property
    def passed(self):
        return not self.differ and self.equal > 0

    def line(self):
        known = ' '.join(f'{entry}={count}' for entry, count in sorted(self.ledger.items()))
        return f'{self.op.name:28} {self.inputs:8} {self.equal:8} {self.nan:6} {self.open:6} {len(self.differ):6}  {known}'.rstrip()


def plant_fault(op, cases, llvm, model):
    """Changes one bit of one of LLVM's results, such that nothing explains it: one that is neither a NaN nor a zero."""
    bit = 1 << {'f16': 10, 'v2f16': 10, 'f32': 23, 'f64': 52}.get(op.result, 0)
    for n, (case, theirs, ours) in enumerate(zip(cases, llvm, model)):
        if theirs == ours and (ours or op.result[0] != 'f') and not folding_known.any_nan(op.result, theirs):
            wrong = theirs ^ bit
            if not folding_known.any_nan(op.result, wrong) and not folding_known.entry(op, case, wrong, ours):
                llvm[n] = wrong
                return


def compare(work, plant):
    found = []
    for (op, cases), theirs, ours in zip(work, folded(work), modelled(work)):
        if plant:
            plant_fault(op, cases, theirs, ours)
        found.append(Tally(op, cases, theirs, ours))
    return found


def batches(ops, count, seed):
    """Operations with their inputs, about MODULE inputs at a time."""
    part = []
    for op in ops:
        part.append(op)
        if len(part) * count >= MODULE:
            yield [(op, folding_inputs.inputs(op, count, seed)) for op in part]
            part = []
    if part:
        yield [(op, folding_inputs.inputs(op, count, seed)) for op in part]


def compare_all(ops, args):
    print(f'{"operation":28} {"inputs":>8} {"equal":>8} {"nan":>6} {"open":>6} {"differ":>6}  ledger')
    tallies = []
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        waiting = []

        def take(limit):
            while len(waiting) > limit:
                for tally in waiting.pop(0).result():
                    tallies.append(tally)
                    print(tally.line(), flush=True)

        for work in batches(ops, args.count, args.seed):
            waiting.append(pool.submit(compare, work, args.plant))
            take(args.jobs)
        take(0)
    return tallies


def unknown(entries):
    """Those that are not in the ledger of the program."""
    return [entry for entry in entries if not entry.startswith(folding_known.LLVM) and
            subprocess.run([ask.GCNCHECK, 'explain', entry], capture_output=True, check=False).returncode]


def report(tallies):
    """Prints what differs, and the sums; how many operations failed, and one more if entries are named that do not exist."""
    for tally in tallies:
        for _, case, theirs, ours in tally.differ[:5]:
            print(f'differs: {tally.op.name}: LLVM {theirs:#x}, model {ours:#x}: {again(tally.op, case)}')
        if not tally.equal:
            print(f'differs: {tally.op.name}: LLVM folds none of {tally.inputs} inputs as the model does')
    sums = {name: sum(getattr(tally, name) for tally in tallies) for name in ('inputs', 'equal', 'nan', 'open')}
    print(f'{sums["inputs"]} inputs of {len(tallies)} operations: {sums["equal"]} equal, {sums["nan"]} a NaN each, {sums["open"]} not folded, '
          f'{sum(sum(tally.ledger.values()) for tally in tallies)} in the ledger, {sum(len(tally.differ) for tally in tallies)} differ')
    entries = sorted({entry for tally in tallies for entry in tally.ledger})
    for entry in entries:
        count = sum(tally.ledger.get(entry, 0) for tally in tallies)
        print(f'{entry:10} {count:8}  {"; ".join(folding_known.reasons(entry))}')
    missing = unknown(entries)
    for entry in missing:
        print(f'differs: the ledger has no {entry}')
    return sum(not tally.passed for tally in tallies) + bool(missing)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('--count', type=int, default=10000)
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('--only')
    options.add_argument('--jobs', type=int, default=os.cpu_count())
    for flag in ('--list', '--intrinsics', '--no-intrinsics', '--plant'):
        options.add_argument(flag, action='store_true')
    args = options.parse_args()
    ops = [op for op in folding_ops.operations() if not args.only or args.only in op.name]
    if args.list:
        for op in ops:
            print(f'{op.name:28} {op.mcpu}  {instruction(op)}')
        return 0
    if not shutil.which(OPT):
        sys.exit(f'folding.py: {OPT} is missing (package llvm-19)')
    failed = passed = 0
    if ops and not args.intrinsics:
        tallies = compare_all(ops, args)
        failed = report(tallies)
        passed = sum(tally.passed for tally in tallies)
    if args.intrinsics or not (args.only or args.no_intrinsics):
        fine = folding_intrinsics.report(shutil.which(OPT), PASSES, [] if args.plant else folding_ops.operations(), args.only or '')
        passed, failed = passed + fine, failed + (not fine)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (ask.Failed, OSError) as failure:
        print(f'folding.py: {failure}', file=sys.stderr)
        print('0 passed, 1 failed')
        sys.exit(1)

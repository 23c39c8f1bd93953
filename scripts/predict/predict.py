#!/usr/bin/env python3
"""Checks predictions, one opcode after the other, against `gcncheck eval`.

usage: predict.py [--mcpu NAME] [--random N] [--cross N] [--seed N] [--from FILE]... [--list] [--count] [OPCODE...]

A prediction is a Python function that says what one instruction does. It is written from the manual's text, never from
the model's C and never from what eval answers. Here its inputs are crossed over the edge values of their kinds; eval is asked the same, and
what the function names must be what eval gives, and all other state must be as it was. TAP, one point per opcode; exit 1 on a
disagreement, which is shown with the eval command that repeats it.

How to add one, in the module of its encoding (sop.py, vop1.py, ...):

    @op('v_add_co_u32 d, vcc, a, b', d=U32, a=U32, b=U32)    # the manual's opcode table: VOP2, 25
    def _(a, b):
        return {'d': (a + b) & M32, 'vcc': (a + b) >> 32}

- Slots (d, a, b, ...) are words of the text; the harness puts registers there. The kind gives size, register file and edges.
  A kind of the file 'imm' is put into the text as a number. Everything else of the text is assembled as it stands, so that
  modifiers, inline constants and literals can be predicted, too. Several lines, separated by '\\n', make a program.
- Parameters are what is read: slots (a d which is a parameter is read, too), and vcc, scc, exec, m0, mode, pc, lane; those with
  a default are the rule's own. Floats come as bits. A U16 comes without the upper half of its register, where there is
  something else; a destination is whole registers.
- The result names all that is written: slots, vcc, scc, exec, m0, pc. Of a vector instruction the function is asked lane by lane,
  for active lanes only; vcc, exec and MASK slots are then one bit per lane, 0 in lanes that are off. Vector registers keep
  their value in lanes that are off. A scalar function gets and gives whole values.
- A value may be a set, or rules.Between: the results that the documents leave open. A comment says why.
- mode= is a MODE value or a list of them. wave=True: the function is asked once per wave; vector slots are lists of 64
  numbers (in a result None keeps a lane's value), exec, vcc and MASK slots 64-bit numbers, lds and mem are rules.Memory
  objects that may be changed; lds=BYTES and mem={ADDRESS: BYTES} say what they hold (random bytes). rules.Missed predicts
  an access outside.
- prepare=f: f(rng, values, places) may change the operands of a program, {slot: raw value or list of 64}, and its places, before
  it is asked: for addresses that must not meet. cells.py makes such programs for instructions that reach memory.
- mcpu='gfx906': the opcode is asked of this processor, not of --mcpu.
- also=[...] gives the same function to further opcodes, if they are really one rule; families are made with rules.bound.

If eval disagrees, read the manual and the ledger (`gcncheck explain ID`) again. What they leave open becomes a set, with the
ledger's id in a comment; what is a mistake in the model is a finding."""
import argparse
import importlib
import importlib.util
import itertools
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE / '../truth'))
import ask  # noqa: E402
import rules  # noqa: E402

LANES, M64 = 64, rules.M64
MODULES = ('sop', 'vop1', 'vop2', 'vopc', 'vop3', 'vop3conv', 'vop3p', 'consts', 'ds', 'mem')
EXECS = (M64, 0x5555aaaa0ff0c33d, M64, M64 & ~1, M64, 0x8000000000000001, M64, 0xffffffff00000000, M64, 0x00000000ffffffff)
FLUSH = 4000      # programs that are asked at once
BESIDE = 0x6b5c4d3e  # what registers beside the operands hold


class Question:
    """One program: what is in its places, what its prediction says of them."""

    def __init__(self, prediction, text, places, exec_, values):
        self.prediction, self.text, self.places, self.exec, self.values = prediction, text, places, exec_, values
        self.want = None


# ---- registers of the slots --------------------------------------------------------------------------------------------------
def file_of(prediction, kind):
    return kind.file or ('v' if prediction.vector else 's')


def registers(prediction):
    """slot: (file, first register, dwords), with a register free between two slots."""
    next_free = {'v': 9, 's': 9}
    where = {}
    for slot, kind in prediction.slots.items():
        file, size = file_of(prediction, kind), kind.dwords
        if file == 'imm':
            continue
        align = min(4, 1 << (size - 1).bit_length()) if file == 's' else 1
        first = (next_free[file] + align - 1) // align * align
        where[slot] = (file, first, size)
        next_free[file] = first + size + 1
    return where


def text_of(prediction, where, immediates):
    """The text with registers and numbers in its slots."""
    def name(match):
        slot = match.group(0)
        if slot in immediates:
            return str(prediction.slots[slot].read(immediates[slot]))
        if slot not in where:
            return slot
        file, first, size = where[slot]
        return f'{file}{first}' if size == 1 else f'{file}[{first}:{first + size - 1}]'
    lines = []
    for line in prediction.text.split('\n'):
        mnemonic, space, rest = line.partition(' ')
        lines.append(mnemonic + space + re.sub(r'(?<![\w:])[A-Za-z]\w*(?!\w|:)', name, rest))
    return '\n'.join(lines)


# ---- the values that are crossed ---------------------------------------------------------------------------------------------
def combinations(names, edges, rng, extra, cap):
    """All combinations of the edges, or cap of them, and extra random ones; edges: name -> (values, random value)."""
    if not names:
        return [{}]
    lists = [edges[name][0] for name in names]
    total = 1
    for values in lists:
        total *= len(values)
    if total <= cap:
        made = [dict(zip(names, row)) for row in itertools.product(*lists)]
    else:
        made = [{name: rng.choice(values) for name, values in zip(names, lists)} for _ in range(cap)]
    made += [{name: edges[name][1](rng) for name in names} for _ in range(extra)]
    rng.shuffle(made)
    return made


def inputs(prediction):
    """(uniform, lane): the inputs of a program and those of a lane, as name -> (edges, function for a random value)."""
    uniform, lane = {}, {}
    bit = ([0, 1], lambda rng: rng.getrandbits(1))
    for slot, kind in prediction.slots.items():
        if slot not in prediction.params:
            continue
        if kind.mask and prediction.vector:
            lane[slot] = bit
        else:
            (lane if file_of(prediction, kind) == 'v' else uniform)[slot] = (kind.edges, kind.random)
    for name in prediction.params:
        if name == 'vcc' and prediction.vector:
            lane[name] = bit
        elif name == 'scc':
            uniform[name] = bit
        elif name in ('vcc', 'm0', 'exec') and not prediction.vector or name == 'm0':
            kind = rules.U32 if name == 'm0' else rules.U64
            uniform[name] = (kind.edges, kind.random)
    return uniform, lane


# ---- programs ----------------------------------------------------------------------------------------------------------------
def questions(prediction, options):
    rng = random.Random(f'{options.seed} {prediction.text}')
    uniform, lane = inputs(prediction)
    where = registers(prediction)
    lanewise = bool(lane)
    above = combinations(list(uniform), uniform, rng, options.random // (8 if lanewise else 1), options.cross)
    above = [dict(row, mode=mode) for row in above for mode in prediction.modes]
    below = combinations(list(lane), lane, rng, options.random, options.cross) if lanewise else [{}]
    chunks = -(-len(below) // (LANES - 4))
    pairs = list(itertools.product(range(len(above)), range(chunks)))
    most = options.cross // LANES + options.random // LANES + 2 if lanewise else 2 * options.cross
    if prediction.prepare and not lanewise:
        most = options.cross // 8 + 1       # what counts is chosen anew for each
    if len(pairs) > most:
        pairs = rng.sample(pairs, most)
    for count, (u, chunk) in enumerate(pairs):
        exec_ = EXECS[count % len(EXECS)] if not prediction.full_exec else M64
        yield question(prediction, where, above[u], below, chunk * (LANES - 4), exec_, rng)
    if prediction.vector and not prediction.full_exec:
        for exec_ in (0, rng.getrandbits(64)):
            yield question(prediction, where, above[0], below, 0, exec_, rng)


def question(prediction, where, row, below, first, exec_, rng):
    """One program with the uniform values row and, in its lanes, what below has from first on."""
    exec_ = row.get('exec', exec_)
    lanes = [below[(first + i) % len(below)] for i in range(LANES)]
    places = {'exec': exec_, 'vcc': rng.getrandbits(64), 'scc': row.get('scc', rng.getrandbits(1)),
              'm0': row.get('m0', rng.getrandbits(32)), 'mode': row['mode']}
    values = {name: value for name, value in row.items() if name in prediction.slots}
    immediates = {}
    for slot, kind in prediction.slots.items():
        file = file_of(prediction, kind)
        if file == 'imm':
            immediates[slot] = row[slot] if slot in row else rng.choice(kind.edges)
            continue
        read, junk = slot in prediction.params, 32 * kind.dwords - kind.width
        if file == 's':
            if kind.mask and prediction.vector:
                raw = sum(lane[slot] << i for i, lane in enumerate(lanes)) if read else rng.getrandbits(64)
            else:
                raw = (row[slot] if read else kind.random(rng)) | rng.getrandbits(32) % (1 << junk) << kind.width
            values[slot] = raw
        else:
            raw = [lane[slot] if read else kind.random(rng) for lane in lanes]
            values[slot] = [v | rng.getrandbits(32) % (1 << junk) << kind.width for v in raw]
    if 'vcc' in row:
        places['vcc'] = row['vcc']
    elif prediction.vector and 'vcc' in prediction.params and not prediction.wave:
        places['vcc'] = sum(lane['vcc'] << i for i, lane in enumerate(lanes))
    for file, start, size in where.values():
        for beside in (start - 1, start + size):
            places.setdefault(f'{file}{beside}', [BESIDE] * LANES if file == 'v' else BESIDE)
    if prediction.lds:
        places['lds'] = {0: rng.randbytes(prediction.lds)}
    if prediction.mem:
        places['mem'] = {start: rng.randbytes(size) for start, size in prediction.mem.items()}
    if prediction.prepare:
        prediction.prepare(rng, values, places)
    for slot in where:
        split(places, where[slot], values[slot])
    made = Question(prediction, text_of(prediction, where, immediates), places, exec_, dict(values, **immediates))
    made.where = where
    return made


def split(places, where, raw):
    file, first, size = where
    for i in range(size):
        part = [v >> 32 * i & rules.M32 for v in (raw if isinstance(raw, list) else [raw])]
        places[f'{file}{first + i}'] = part if isinstance(raw, list) else part[0]


def encoded(places):
    """places as eval --jsonl takes them."""
    made = {}
    for name, value in places.items():
        if name in ('lds', 'mem'):
            made[name] = {(f'{start:x}' if name == 'mem' else str(start)): data.hex() for start, data in value.items()}
        elif name == 'scc':
            made[name] = value
        elif isinstance(value, list):
            made[name] = [f'{v:x}' for v in value]
        else:
            made[name] = f'{value:x}'
    return made


# ---- what the prediction says ------------------------------------------------------------------------------------------------
def argument(q, name, lane):
    """The value of a parameter; lane is None for scalar rules and rules of a wave."""
    p = q.prediction
    if name in p.slots:
        kind, value = p.slots[name], q.values[name]
        if kind.mask and p.vector and lane is not None:
            return value >> lane & 1
        if isinstance(value, list):
            return [kind.read(v & kind.all) for v in value] if lane is None else kind.read(value[lane] & kind.all)
        return kind.read(value & kind.all)
    if name == 'mode':
        return rules.Mode(q.places['mode'])
    if name == 'pc':
        return rules.PC
    if name == 'lane':
        return lane
    if name in ('lds', 'mem'):
        return q.memory.setdefault(name, rules.Memory(q.places[name]))
    if name == 'vcc' and p.vector and lane is not None:
        return q.places['vcc'] >> lane & 1
    return q.places[name]


def predict(q):
    """Sets q.want: place or slot -> value, or a list of 64 for a VGPR; each value is a number or a set of numbers."""
    p = q.prediction
    q.memory = {}
    q.want = {}
    try:
        if not p.vector or p.wave:
            q.want = dict(p.rule(**{name: argument(q, name, None) for name in p.params}))
        else:
            answers = [p.rule(**{name: argument(q, name, lane) for name in p.params}) if q.exec >> lane & 1 else None
                       for lane in range(LANES)]
            q.want = gathered(p, answers)
    except rules.Missed as missed:
        q.want['fault'] = missed.args[0]
    q.want.update((name, memory) for name, memory in q.memory.items())


def gathered(p, answers):
    """What 64 lanes say (None: off), place by place."""
    written = next((list(answer) for answer in answers if answer is not None), None) or p.writes
    p.writes = written
    want = {}
    for name in written:
        per_lane = [answer[name] if answer is not None else None for answer in answers]
        if name in ('vcc', 'exec') or p.slots[name].mask:
            per_lane = [0 if bit is None else bit for bit in per_lane]
            want[name] = [bit if isinstance(bit, (set, frozenset)) else {bit} for bit in per_lane]
        else:
            want[name] = per_lane
    return want


# ---- comparing ---------------------------------------------------------------------------------------------------------------
def holds(got, want, mask=~0):
    """Whether a value is the one that is wanted, or one of those."""
    if isinstance(want, rules.Between):
        return got in want
    return got in {w & mask for w in want} if isinstance(want, (set, frozenset, tuple)) else got == want & mask


def state(q, answer, place):
    """A register's value after the program; a VGPR's as a list of lanes."""
    out = answer['out']
    if place not in out:
        return q.places.get(place, 0)
    value = out[place]
    if place[0] == 'v' and place != 'vcc':
        return ask.lanes(value)
    return value if isinstance(value, int) else int(value, 16)


def differences(q, answer):
    """(lane or None, what, wanted, got) for all that is not as predicted."""
    if 'error' in answer:
        yield None, 'error', 'an answer', answer['error']
        return
    fault = answer.get('fault')
    if (fault is not None) != ('fault' in q.want) or fault is not None and int(fault, 16) != q.want['fault']:
        yield None, 'fault', q.want.get('fault', 'none'), fault
    left = dict(answer['out'])
    for name, want in q.want.items():
        if name == 'fault':
            continue
        if name in ('lds', 'mem'):
            yield from memory_differences(q, name, want, left.pop(name, {}))
        elif name in q.where:
            file, first, size = q.where[name]
            names = [f'{file}{first + i}' for i in range(size)]
            parts = [state(q, answer, place) for place in names]
            for place in names:
                left.pop(place, None)
            yield from register_differences(q, name, want, parts, q.prediction.slots[name])
        else:
            got = int(left.pop('pc'), 16) if name == 'pc' and 'pc' in left else \
                rules.PC + 4 * q.words if name == 'pc' else state(q, answer, name)
            left.pop(name, None)
            yield from place_differences(name, want, got)
    for place, value in left.items():
        yield None, place, 'unchanged', value


def place_differences(name, want, got):
    if isinstance(want, list):
        for lane in range(LANES):
            if got >> lane & 1 not in want[lane]:
                yield lane, name, want[lane], got >> lane & 1
    elif not holds(got, want):
        yield None, name, want, got


def register_differences(q, name, want, parts, kind):
    full = (1 << 32 * kind.dwords) - 1
    if not isinstance(parts[0], list):
        got = sum(part << 32 * i for i, part in enumerate(parts))
        if isinstance(want, list):
            yield from place_differences(name, want, got)
        elif not holds(got, want, full):
            yield None, name, want, got
        return
    before = [q.places[f'v{q.where[name][1] + i}'] for i in range(kind.dwords)]
    for lane in range(LANES):
        got = sum(part[lane] << 32 * i for i, part in enumerate(parts))
        wanted = want[lane]
        if wanted is None:
            wanted = sum(part[lane] << 32 * i for i, part in enumerate(before))
        if not holds(got, wanted, full):
            yield lane, name, wanted, got


def memory_differences(q, name, want, changed):
    after = rules.Memory(q.places[name]).bytes
    for start, data in changed.items():
        for i, byte in enumerate(bytes.fromhex(data)):
            after[(int(start, 16) if name == 'mem' else int(start)) + i] = byte
    for address, (size, values) in want.open.items():
        got = sum(after[address + i] << 8 * i for i in range(size))
        if got not in values:
            yield None, f'{name}[0x{address:x}]', values, got
        want.store(address, got, size)
    if after == want.bytes:
        return
    for address in sorted(set(after) | set(want.bytes)):
        if after.get(address) != want.bytes.get(address, 0 if name == 'lds' else None):
            yield None, f'{name}[0x{address:x}]', want.bytes.get(address), after.get(address)


# ---- saying it ---------------------------------------------------------------------------------------------------------------
def number(value):
    if isinstance(value, int):
        return f'0x{value:x}' if value >= 0 else f'-0x{-value:x}'
    if isinstance(value, (set, frozenset, list, tuple)):
        return ' or '.join(sorted(number(v) for v in value))
    return str(value)


def shown(q, lane):
    """The places of a question for a reader: name -> text; of VGPRs one lane or, with None, all."""
    for name, value in q.places.items():
        if name in ('lds', 'mem'):
            for start, data in value.items():
                yield f'{name}[{start:#x}]', data.hex()
        elif isinstance(value, list):
            values = sorted(set(value)) if len(set(value)) == 1 else value
            yield name, number(value[lane]) if lane is not None else ','.join(number(v) for v in values)
        else:
            yield name, number(value)


def explain(q, lane, what, want, got, mcpu):
    wave = q.prediction.wave or lane is not None and not q.exec >> lane & 1
    read = set()
    for slot in q.prediction.params:
        if slot in q.where:
            file, first, size = q.where[slot]
            read |= {f'{file}{first + i}' for i in range(size)}
    lines = [f'{q.text}    ({q.prediction.place})']
    lines += [f'inputs{"" if lane is None else f" of lane {lane}"}: '
              + ' '.join(f'{n}={v}' for n, v in shown(q, lane) if n in read or n in ('mode', 'vcc', 'scc', 'exec', 'm0'))]
    lines += [f'predicted: {what} = {number(want)}', f'got:       {what} = {number(got)}']
    places = dict(shown(q, None if wave else lane))
    lines += [f"gcncheck eval --mcpu {mcpu} '{q.text}' " + ' '.join(f'{n}={v}' for n, v in places.items())]
    return lines


# ---- the run -----------------------------------------------------------------------------------------------------------------
def known_names(mcpu):
    """The names of all opcodes that mcpu has."""
    done = subprocess.run([ask.GCNCHECK, 'list', '--mcpu', mcpu, '--format', 'tsv'], capture_output=True, text=True, check=True)
    return {line.split('\t')[2] for line in done.stdout.splitlines()[1:]}


def load(files):
    """Registers the predictions of these files, or those of all modules."""
    for name in MODULES if not files else ():
        if (HERE / f'{name}.py').exists():
            importlib.import_module(name)
    for name in files:
        spec = importlib.util.spec_from_file_location(pathlib.Path(name).stem + '_given', name)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


class Run:
    """Asks in batches and remembers what each opcode came to."""

    def __init__(self, mcpu):
        self.mcpu, self.codes, self.pending = mcpu, {}, []
        self.lanes, self.programs, self.wrong, self.first = {}, {}, {}, {}

    def add(self, q):
        p = q.prediction
        predict(q)
        self.pending.append(q)
        self.programs[p.opcode] = self.programs.get(p.opcode, 0) + 1
        self.lanes[p.opcode] = self.lanes.get(p.opcode, 0) + (rules.popcount(q.exec) if p.vector else 1)
        if len(self.pending) >= FLUSH:
            self.flush()

    def flush(self):
        texts = list(dict.fromkeys(q.text for q in self.pending if q.text not in self.codes))
        lines = [line for text in texts for line in text.split('\n')]
        words = iter(ask.assemble(lines, self.mcpu) if lines else [])
        for text in texts:
            parts = [next(words) for _ in text.split('\n')]
            self.codes[text] = None if None in parts else ' '.join(parts)
        asked = [q for q in self.pending if self.codes[q.text] is not None]
        for q in self.pending:
            if self.codes[q.text] is None:
                self.fail(q.prediction.opcode, [f'{q.text}    ({q.prediction.place})', f'{self.mcpu} cannot assemble this'])
        answers = ask.evaluate([(self.codes[q.text], encoded(q.places)) for q in asked], self.mcpu)
        for q, answer in zip(asked, answers):
            q.words = len(self.codes[q.text].split())
            for lane, what, want, got in differences(q, answer):
                self.fail(q.prediction.opcode, lambda q=q, d=(lane, what, want, got): explain(q, *d, self.mcpu))
        self.pending = []

    def fail(self, opcode, lines):
        self.wrong[opcode] = self.wrong.get(opcode, 0) + 1
        if opcode not in self.first:
            self.first[opcode] = lines if isinstance(lines, list) else lines()


def report(runs, names, look_up):
    """Prints a point per opcode; the number of those that failed. look_up: names must be opcodes."""
    print('TAP version 13')
    failed = 0
    for run in runs if look_up else ():
        for name in set(run.programs) - known_names(run.mcpu):
            run.fail(name, [f'{run.mcpu} has no such opcode'])
    for point, name in enumerate(names, 1):
        size = f'{sum(r.programs.get(name, 0) for r in runs)} programs, {sum(r.lanes.get(name, 0) for r in runs)} inputs'
        wrong = [run for run in runs if name in run.wrong]
        if wrong:
            failed += 1
            print(f'not ok {point} - {name}: {sum(run.wrong[name] for run in wrong)} differences; {size}')
            for line in wrong[0].first[name]:
                print(f'# {line}')
        else:
            print(f'ok {point} - {name}: {size}')
    print(f'1..{len(names)}')
    return failed


def main():
    parser = argparse.ArgumentParser(description='checks predictions written from the manual against gcncheck eval')
    parser.add_argument('--mcpu', default='gfx900')
    parser.add_argument('--random', type=int, default=256, metavar='N', help='random combinations beside the edges')
    parser.add_argument('--cross', type=int, default=2048, metavar='N', help='at most this many combinations of edges')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--from', action='append', default=[], dest='files', metavar='FILE', help='predictions of FILE only')
    parser.add_argument('--list', action='store_true', help='names and texts')
    parser.add_argument('--count', action='store_true', help='the number of opcodes that have a prediction')
    parser.add_argument('opcodes', nargs='*')
    options = parser.parse_args()
    load(options.files)
    chosen = [p for p in rules.PREDICTIONS if not options.opcodes or p.opcode in options.opcodes]
    names = list(dict.fromkeys(p.opcode for p in chosen))
    missing = set(options.opcodes) - set(names)
    if missing:
        parser.error(f'no prediction: {", ".join(sorted(missing))}')
    if options.list:
        for p in chosen:
            print(f'{p.opcode}\t{p.place}\t{p.text!r}')
        return 0
    if options.count:
        print(len(names))
        return 0
    runs = {}
    for p in chosen:
        p.writes = []
        run = runs.setdefault(p.mcpu or options.mcpu, Run(p.mcpu or options.mcpu))
        for q in questions(p, options):
            run.add(q)
    for run in runs.values():
        run.flush()
    return 1 if report(list(runs.values()), names, not options.files) else 0


if __name__ == '__main__':
    sys.exit(main())

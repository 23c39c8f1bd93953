#!/usr/bin/env python3
"""Whether every operand kind means to the model what LLVM's assembler says it means: scripts/truth/constants.py [OPTION]...

For each row, form and source that takes constants: LLVM 19 encodes the instruction with each kind of operand - inline integers and
floats, literals, registers, status bits, apertures -, and the model executes that code, and the same instruction with a register
in the place of the constant, which holds the bits that LLVM says the constant has (kinds.py). Both must do the same. Lanes of a
second half, or further runs where the slot is scalar, hold other numbers, those of wrong readings first: a result that none of
them changes shows nothing and is counted so. LLVM's text and the model's assembler must agree on what is legal, and on its bits.

  --mcpu NAME,...   processors (gfx900,gfx906,gfx908); of a source that an earlier one has, too, a few kinds are asked
  --count N         rows and forms, taken evenly (0: all)
  --seed N          random values of the other operands (1)
  --only WORD       rows whose name contains WORD
  --sets N          values of the other operands: waves for a vector slot, four times as many for a scalar one (1)
  --jobs N          processes (the machine's processors)
  --list            names what is not shown and what no register can stand for
  --plant KIND      a planted fault: KIND is taken to stand for other bits

Exit code 1 if anything differs that the ledger does not name. The last line is "N passed, M failed"."""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys

import ask
import kinds
import mc

CHUNK = 24  # slots a run
REGISTER = re.compile(r'([vs])(?:(\d+)|\[(\d+):(\d+)\])$')
SIGNED = ('0', '1', '-16', '1.0', '-4.0', '0.15915494', 's70', 's[70:71]', 'v128', 'scc = 1')  # what is asked beside signs and halves
REPEATED = ('-16', '1.0', '0.15915494', '0x12345678', 'vcc_hi', 'vcc', 'm0', 'shared_base')  # what is asked of a source that an earlier processor has
SDWA_PLAIN = {'dst_sel': 'DWORD', 'dst_unused': 'UNUSED_PAD', 'src0_sel': 'DWORD', 'src1_sel': 'DWORD'}
# K: (row, operands, which is K, the same with a register in its place).
FIELDS = tuple((f'v_mad{form}_{size}', operands, index, f'v_mad_{size} {", ".join(operands[:index] + ["v200"] + operands[index + 1:])}')
               for size in ('f16', 'f32') for form, operands, index in (('mk', ['v10', 'v20', '', 'v40'], 2), ('ak', ['v10', 'v20', 'v30', ''], 3))) + \
         (('s_setreg_imm32_b32', ['hwreg(1, 0, 10)', ''], 1, 's_setreg_b32 hwreg(1, 0, 10), s60'),)
# What LLVM and the model do not both take: (rows, kinds, reason); regular expressions over the whole of each.
KNOWN = (
    (r'v_\w+_[iub]16_e32', r'1\.5|-3\.25', 'LLVM takes the f32, of which a 16-bit integer reads nothing but zeros'),
    (r'v_\w+_[iub]16_sdwa|v_ldexp_f16_sdwa', r'0\.15915494', 'LLVM has no text for it, but takes the other floats'),
    (r'v_accvgpr_write_b32', r'lds_direct', 'MAI-U08: vector registers and small constants only'),
    (r's_swappc_b64', r'.*', 'LLVM takes constants, which are no addresses'),
    (r'v_\w*rev_?\w*', r'lds_direct', 'LLVM lets no opcode of reversed operands read it; no manual says so'),
    (r'v_div_scale_f\d\d', r'\|.*\|', 'LLVM takes an absolute value, for which there is no bit'),
    (r's_setreg_imm32_b32', r'-?[\d.]+', 'LLVM encodes other bits than those of the float'),
    (r'v_pk_\w+|v_mad_mix\w*|v_fma_mix\w*|v_dot\w+', r'lds_direct', 'DS-U18: not in pairs of halves'),
)
# Results that no operand changes.
NOTHING = re.compile(r'v_cmpx?_(f|t|tru)_')


def options():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('--mcpu', default='gfx900,gfx906,gfx908')
    p.add_argument('--count', type=int, default=0)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--only', default='')
    p.add_argument('--sets', type=int, default=1)
    p.add_argument('--jobs', type=int, default=os.cpu_count())
    p.add_argument('--list', action='store_true')
    p.add_argument('--plant', default='')
    return p.parse_args()


# ---- rows and slots ----

def split(text):
    """Name, operands without signs, modifiers."""
    name, _, rest = text.partition(' ')
    operands = re.split(r', (?![^\[(]*[\])])', rest)
    operands[-1], _, suffix = operands[-1].partition(' ')
    bare = [re.sub(r'^(?:sext|neg)\((.*)\)$', r'\1', o).lstrip('-').strip('|') if REGISTER.search(o.strip('-|()')) else o for o in operands]
    return name, bare, suffix


def rows(mcpu, only, count):
    """(name, operands, modifiers) of every row and form, or of count, taken evenly: the first sample of each, without its modifiers."""
    lister = subprocess.Popen([ask.GCNCHECK, 'list', '--mcpu', mcpu, '--format', 'samples', '-'], stdout=subprocess.PIPE, text=True)
    seen = {}
    for line in lister.stdout:
        name = line[line.index('\t') + 1:].partition(' ')[0]
        if name not in seen and only in name and not name.endswith(('_dpp', '\n')):
            seen[name] = line[line.index('\t') + 1:].rstrip()
    if lister.wait():
        raise ask.Failed('list')
    texts = list(seen.values())
    for text in texts[::max(1, len(texts) // count)] if count else texts:
        name, tokens, suffix = split(text)
        if name.endswith('_sdwa'):
            present = [m.split(':')[0] for m in suffix.split()]
            suffix = ' '.join(f'{key}:{plain}' for key, plain in SDWA_PLAIN.items() if key in present)
        elif name.startswith('v_'):
            suffix = ''
        elif name.startswith('tbuffer'):
            suffix = 'format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT]'
        yield name, tokens, suffix


def canonical(index, token):
    """The register of its own that an operand gets, by its place: v10, v20, s16, ..."""
    m = REGISTER.match(token)
    if not m:
        return token
    first, last = int(m[2] or m[3]), int(m[2] or m[4])
    start = 10 + 10 * index if m[1] == 'v' else 8 + 8 * index
    return f'{m[1]}{start}' if m[2] else f'{m[1]}[{start}:{start + last - first}]'


def width(token):
    m = REGISTER.match(token)
    return int(m[4]) - int(m[3]) + 1 if m and m[3] else 1


def named(file, first, count):
    return f'{file}{first}' if count == 1 else f'{file}[{first}:{first + count - 1}]'


def variants(name, suffix, sources):
    """(text around the constant, modifiers) of a row: bare; with signs; with the other halves of packed operands."""
    bare = [('{}', suffix)]
    if name.endswith('_e64') or (name.startswith('v_') and not suffix):
        bare += [('neg({})', suffix), ('|{}|', suffix)]
        bits = lambda bit: ','.join([bit] * sources)
        bare += [('{}', f'op_sel:[{bits("1")}] op_sel_hi:[{bits("0")}]'), ('{}', f'neg_lo:[{bits("1")}] neg_hi:[{bits("0")}]')]
        bare += [('{}', f'op_sel_hi:[{bits("1")}]')] if '_mix' in name else []
    return bare


def slots(mcpu, o):
    """The slots of every row that LLVM lets have a constant; what the assembler says of each is learnt on the way. Beside them
    lines with a constant that LLVM refuses and the model's assembler takes."""
    found = []
    for name, tokens, suffix in rows(mcpu, o.only, o.count):
        own = [canonical(i, token) for i, token in enumerate(tokens)]
        for i, token in enumerate(tokens):
            if width(token) <= 2 and (REGISTER.match(token) or re.match(r'-?\d', token)):
                found += [kinds.Slot(name, own, modifiers, i, width(token), around) for around, modifiers in variants(name, suffix, len(tokens) - 1)]
    theirs, ours = ([assemble([slot.text(c) for slot in found], mcpu) for c in ('1', '1.0')] for assemble in (mc.assemble, ask.assemble))
    refused = [slot.text('1.0') for k, slot in enumerate(found) if ours[0][k] and ours[1][k] and not theirs[1][k]]
    found = [slot for k, slot in enumerate(found) if theirs[0][k] and theirs[1][k]]  # an offset takes the integer only: it is no operand kind
    vector = mc.assemble([slot.text(named('v', 200, slot.width)) for slot in found], mcpu)
    scalar = mc.assemble([slot.text(named('s', 60, slot.width)) for slot in found], mcpu)
    for slot, v, s in zip(found, vector, scalar):
        slot.spare = ('v', v) if v else ('s', s) if s else None
    found = [slot for slot in found if slot.spare]
    learn(found, mcpu)
    return found + literals(mcpu, o), refused


def literals(mcpu, o):
    """Literals that are operands of their own, K: a second opcode has a register in their place."""
    fields = [f for f in FIELDS if o.only in f[0]]
    found = [kinds.Slot(name, tokens, '', index, 1, '{}') for name, tokens, index, _ in fields]
    spare = mc.assemble([line for _, _, _, line in fields], mcpu)
    for slot, code, (_, _, _, line) in zip(found, spare, fields):
        slot.spare, slot.is_field = code and ('v' if 'v200' in line else 's', code), True
    return [slot for slot in found if slot.spare]


def learn(found, mcpu):
    """Formats, from the lines of Slot.questions; their codes are compared with those of the inline constants themselves."""
    lines, wanted = [], []
    for slot in found:
        asked = slot.questions()
        lines += [line for _, _, line in asked]
        inline = {f.code: f.text64 if slot.width == 2 else f.text for f in kinds.INLINE} | {208: '-16'}
        wanted += [slot.text(inline[code]) for _, code, _ in asked]
    lines += [slot.text('1.5') for slot in found if slot.width == 2]
    answers, codes = mc.assemble(lines, mcpu), mc.assemble(wanted, mcpu)
    at = 0
    for slot in found:
        asked = slot.questions()
        part = [code if answers[at + k] and answers[at + k] == codes[at + k] else None for k, (_, code, _) in enumerate(asked)]
        if not slot.learn(part):
            raise mc.Failed(f'{slot.text("?")}: {part}: no format')
        at += len(asked)
    for slot, answer in zip((slot for slot in found if slot.width == 2), answers[at:]):
        slot.float_literals = answer is not None


# ---- what the model does ----

class Question:
    """A kind in a slot: the code that LLVM gives it, the bits that it should have, and how the model can be asked."""

    def __init__(self, slot, kind, code, readings, rng):
        self.slot, self.kind, self.code, self.readings = slot, kind, code, readings
        self.bits = readings[0][1]
        self.others = kinds.otherwise(kind, slot, self.bits, rng)
        self.vector = slot.spare[0] == 'v'

    def spare_places(self, bits):
        """The spare register with bits: a number, or one a lane."""
        first = 200 if self.vector else 60
        many = bits if isinstance(bits, list) else [bits]
        halves = [['%x' % (b >> 32 * k & kinds.M32) for b in many] for k in range(self.slot.width)]
        return {f'{self.slot.spare[0]}{first + k}': half if len(half) > 1 else half[0] for k, half in enumerate(halves)}

    def lanes_of(self, bits):
        return bits if isinstance(bits, list) else [bits] * kinds.LANES

    def halves(self):
        """What the spare vector register holds: the bits in lanes 0 to 31, others in lanes 32 to 63."""
        right = self.lanes_of(self.bits)
        return right[:32] + [self.others[lane % len(self.others)] for lane in range(32)]

    def programs(self, rng, sets):
        """For a vector slot two programs a set: constant, register. For a scalar one the others besides, each in a program."""
        out = []
        for k in range(sets if self.vector else 4 * sets):
            places = self.inputs(rng, k)
            out.append((self.code, places))
            if self.vector:
                out.append((self.slot.spare[1], places | self.spare_places(self.halves())))
                continue
            out += [(self.slot.spare[1], places | self.spare_places(bits)) for bits in [self.bits, *self.others]]
        return out

    def inputs(self, rng, k):
        """Places of set k: values of the slot's own, and where they have to be near what the slot reads, new ones."""
        same, places = self.lanes_of(self.bits), {}
        if self.vector:  # some equal the other number: what is equal to nothing is told apart so
            same = [other if lane > 32 and lane % 6 == 3 else right for lane, (right, other) in enumerate(zip(same, self.halves()))]
        if self.slot.around.startswith('neg'):  # what counts is the number with the other sign
            same = [v ^ (1 << 63 if self.slot.width == 2 else 0x8000 if self.slot.floats == 'f16' else 1 << 31) for v in same]
        for file, first, count, styles, values in self.slot.operands[k]:
            values = [kinds.value(rng, style, count == 2, same[lane]) if style in ('same', 'equal') else v
                      for lane, (style, v) in enumerate(zip(styles, values))]
            for half in range(count):
                texts = ['%x' % (v >> 32 * half % 64 & kinds.M32) for v in values]
                places[f'{file}{first + half}'] = texts if file == 'v' else texts[0]
        if 'buffer_' in self.slot.name:  # a descriptor of everything: the address that is missed shows the offset
            first = [f for file, f, count, _, _ in self.slot.operands[k] if file == 's' and count == 4][0]
            places |= {f's{first + 1}': '0', f's{first + 2}': 'ffffffff', f's{first + 3}': '27fac'}
        lanes = kinds.M64 if self.slot.name[0] == 'v' else rng.getrandbits(64)
        return {'vcc': '%x' % rng.getrandbits(64), 'exec': '%x' % lanes, 'scc': k & 1, 'm0': '2', 'mode': '3f0'} | places | self.kind.places


def operands(slot, rng, sets):
    """Values of the operands beside a slot, for each set: (file, first, dwords, style and value of each lane)."""
    out = []
    for k in range(sets if slot.spare[0] == 'v' else 4 * sets):
        out.append([])
        for i, token in enumerate(slot.tokens):
            m = REGISTER.match(token)
            if m and i != slot.index:
                styles = [rng.choice(kinds.STYLES) for _ in range(kinds.LANES if m[1] == 'v' else 1)]
                styles = ['equal' if k == 0 and lane % 3 == 0 else style for lane, style in enumerate(styles)]
                values = [kinds.value(rng, style, width(token) >= 2, 0) for style in styles]
                out[-1].append((m[1], int(m[2] or m[3]), width(token), styles, values))
    return out


MASKS = re.compile(r's\d+$')


def lanes_of(place, value):
    """A place as 64 numbers: lanes of a vector or accumulation register, bits of a lane mask (vcc, exec, a scalar register as half of one); or None."""
    if re.match(r'[va]\d', place):
        return ask.lanes(value)
    if place in ('vcc', 'exec'):
        return [int(value, 16) >> lane & 1 for lane in range(kinds.LANES)]
    if MASKS.match(place):
        bits, odd = int(value, 16), int(place[1:]) & 1
        return [bits >> lane % 32 & 1 if lane // 32 == odd else 0 for lane in range(kinds.LANES)]
    return None


def differing(a, b, places, spare):
    """Lanes in which two answers differ; all of them for what has no lanes. places: what both began with; spare: not looked at."""
    if a.get('fault') != b.get('fault'):
        return set(range(kinds.LANES))
    lanes = set()
    for place in a['out'].keys() | b['out'].keys():
        before = places.get(place, '0')
        one, two = (answer['out'].get(place, before) for answer in (a, b))
        if one == two or place in spare:
            continue
        split_one = lanes_of(place, one)
        if split_one is None:
            return set(range(kinds.LANES))
        lanes |= {lane for lane, (x, y) in enumerate(zip(split_one, lanes_of(place, two))) if x != y}
    return lanes


class Outcome:
    """What a question came to: wrong (a set's places and a lane) or None, told (others that change the result), error (reason) or None."""

    def __init__(self):
        self.wrong, self.told, self.error = None, set(), None


def judge(question, programs, answers):
    outcome, at = Outcome(), 0
    while at < len(answers):
        code, places = programs[at]
        constant = answers[at]
        size = 1
        while at + size < len(answers) and programs[at + size][0] is not code:
            size += 1
        error = [answer['error'] for answer in answers[at:at + 2] if 'error' in answer]
        if error:
            outcome.error = ('both: ' if len(error) == 2 else 'the constant: ' if 'error' in constant else 'the register: ') + error[0]
            return outcome
        spare = question.spare_places(0)
        lanes = differing(constant, answers[at + 1], places, spare)
        wrong = {lane for lane in lanes if lane < 32} if question.vector else lanes
        if wrong and outcome.wrong is None:
            outcome.wrong = places, min(wrong)
        if question.vector:
            outcome.told |= {(lane - 32) % len(question.others) for lane in lanes if lane >= 32}
        else:
            outcome.told |= {k for k in range(size - 2) if 'error' in answers[at + 2 + k] or
                             differing(constant, answers[at + 2 + k], places, spare)}
        at += size
    return outcome


def ask_all(questions, mcpu, seed, sets):
    """An Outcome for each; questions that are wrong are asked again with what the ledger says, and then carry its entry."""
    programs = [q.programs(kinds.generator(seed, q.slot.name, q.slot.index, q.kind.name), sets) for q in questions]
    answers = ask.evaluate([p for part in programs for p in part], mcpu)
    outcomes, at = [], 0
    for q, part in zip(questions, programs):
        outcomes.append(judge(q, part, answers[at:at + len(part)]))
        at += len(part)
    return outcomes


# ---- the table ----

class Table:
    """Counts by group of kinds, and what is to be named."""

    COLUMNS = ('asked', 'equal', 'ledger', 'differ', 'not shown', 'by nature', 'readings', 'told apart', 'not run', 'known', 'legality')

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.sources, self.known, self.notes, self.failures = collections.Counter(), collections.Counter(), [], []

    def add(self, group, column, n=1):
        self.counts[group][column] += n

    def join(self, other):
        for group, counts in other.counts.items():
            self.counts[group] += counts
        self.sources += other.sources
        self.known += other.known
        self.notes += other.notes
        self.failures += other.failures

    def is_known(self, slot, kind):
        for rows_, kinds_, reason in KNOWN:
            if re.fullmatch(rows_, slot.name) and re.fullmatch(kinds_, slot.around.format(kind.name)):
                self.known[reason] += 1
                self.add(kind.group, 'known')
                return True
        return False

    def show(self, title):
        print(f'{title:20}' + ''.join(f'{c:>12}' for c in self.COLUMNS))
        total = collections.Counter()
        for group, counts in self.counts.items():
            print(f'{group:20}' + ''.join(f'{counts[c]:12}' for c in self.COLUMNS))
            total += counts
        print(f'{"all":20}' + ''.join(f'{total[c]:12}' for c in self.COLUMNS))
        return total


def reproduction(mcpu, q, outcome):
    places, lane = outcome.wrong
    shown = ' '.join(f"'{p}'" if '[' in p else p for p in (
        f'{p}.lane{lane}=0x{v[lane]}' if isinstance(v, list) else f'{p}=0x{v}' for p, v in places.items() if not isinstance(v, dict)))
    memory = ''.join(f" '{p}[{a}]={b}'" for p, v in places.items() if isinstance(v, dict) for a, b in v.items())
    bits = q.lanes_of(q.bits)[lane]
    return (f"{q.slot.text(q.kind.texts[q.slot.width])}: not {bits:#x} ({q.readings[0][0]})\n"
            f"    gcncheck eval --mcpu {mcpu} '{q.slot.text(q.kind.texts[q.slot.width])}' {shown}{memory}")


def enter(table, mcpu, q, outcome):
    """One answered question into the table."""
    group = q.kind.group
    if outcome.error:
        if outcome.error.startswith('both'):
            table.add(group, 'not run')
            table.notes.append(f'{mcpu}: {q.slot.text(q.kind.texts[q.slot.width])}: {outcome.error}')
        elif not table.is_known(q.slot, q.kind):
            table.add(group, 'legality')
            table.failures.append(f'{mcpu}: {q.slot.text(q.kind.texts[q.slot.width])}: {outcome.error}')
        return
    table.add(group, 'asked')
    table.add(group, 'readings', len(q.others))
    table.add(group, 'told apart', len(outcome.told))
    if outcome.wrong:
        table.add(group, 'differ')
        table.failures.append(f'{mcpu}: {reproduction(mcpu, q, outcome)}')
    else:
        table.add(group, 'equal')
        table.sources[q.readings[0][0]] += 1
    if NOTHING.match(q.slot.name):
        table.add(group, 'by nature')
    elif not outcome.told:
        table.add(group, 'not shown')
        table.notes.append(f'{mcpu}: {q.slot.text(q.kind.texts[q.slot.width])}: not shown')


def settle(table, mcpu, asked, seed, sets):
    """Asks and enters; what differs from LLVM's meaning is asked again as the ledger's, where it has another."""
    again = []
    for q, outcome in zip(asked, ask_all(asked, mcpu, seed, sets)):
        if outcome.wrong and len(q.readings) > 1:
            again.append((q, outcome))
        else:
            enter(table, mcpu, q, outcome)
    seconds = [Question(q.slot, q.kind, q.code, q.readings[1:], kinds.generator(seed)) for q, _ in again]
    for (q, first), second, outcome in zip(again, seconds, ask_all(seconds, mcpu, seed, sets)):
        if outcome.wrong or outcome.error:
            enter(table, mcpu, q, first)
            continue
        table.add(q.kind.group, 'asked')
        table.add(q.kind.group, 'ledger')
        table.add(q.kind.group, 'readings', len(second.others))
        table.add(q.kind.group, 'told apart', len(outcome.told))
        table.sources[f'{second.readings[0][0]}, not LLVM'] += 1
        table.notes.append(f'{mcpu}: {q.slot.text(q.kind.texts[q.slot.width])}: {second.readings[0][1]:#x} ({second.readings[0][0]}), '
                           f'not {q.bits:#x} ({q.readings[0][0]})')


def legality(table, mcpu, lines, theirs):
    """LLVM's codes and the model's assembler's, of (slot, kind, line)."""
    ours = ask.assemble([line for _, _, line in lines], mcpu)
    for (slot, kind, line), one, two in zip(lines, theirs, ours):
        two = two and two.strip()
        if one == two or table.is_known(slot, kind):
            continue
        table.add(kind.group, 'legality')
        table.failures.append(f'{mcpu}: {line}: LLVM: {one or "refused"}, model: {two or "refused"}')


def check(mcpu, o, seen):
    """The table of a processor. seen: slots of earlier ones, which are not asked everything again; those of this one are added."""
    found, refused = slots(mcpu, o)
    for slot in found:
        slot.is_repeated = slot.text('?') in seen
    seen |= {slot.text('?') for slot in found}
    table, apertures = Table(), bases(mcpu)
    table.failures += [f'{mcpu}: {line}: LLVM refuses it' for line in refused]
    table.add('legality of all', 'legality', len(refused))
    parts = [found[start:start + CHUNK] for start in range(0, len(found), CHUNK)]
    with concurrent.futures.ProcessPoolExecutor(o.jobs) as pool:
        for one in pool.map(chunk, [mcpu] * len(parts), parts, [apertures] * len(parts), [o] * len(parts)):
            table.join(one)
    return table, found


def kinds_of(slot, rng, apertures):
    own = kinds.constants() + ([] if slot.is_field else kinds.registers(rng, apertures))
    if slot.is_variant() or slot.is_repeated:
        own = [kind for kind in own if kind.name in (SIGNED if slot.is_variant() else REPEATED)]
    return [kind for kind in own if kind.texts[slot.width] and (kind.name != 'execz = 1' or slot.name[0] == 's')]


def chunk(mcpu, part, apertures, o):
    """A Table of some slots."""
    table, lines = Table(), []
    for slot in part:
        rng = kinds.generator(o.seed, slot.name, slot.index)
        slot.operands = operands(slot, rng, o.sets)
        lines += [(slot, kind, slot.text(kind.texts[slot.width])) for kind in kinds_of(slot, rng, apertures)]
    theirs = mc.assemble([line for _, _, line in lines], mcpu)
    legality(table, mcpu, lines, theirs)
    asked = []
    for (slot, kind, line), code in zip(lines, theirs):
        if code is None:
            continue
        has_literal = slot.is_field or (kind.group == 'literal' and len(code) > len(slot.spare[1]))
        readings = kinds.stands_for(kind, slot, int(code.split()[-1], 16) if has_literal else None)
        if kind.name == o.plant:
            readings = [(source, [b ^ 1 for b in bits] if isinstance(bits, list) else bits ^ 1) for source, bits in readings[:1]]
        asked.append(Question(slot, kind, code, readings, kinds.generator(o.seed, line)))
    settle(table, mcpu, asked, o.seed, o.sets)
    return table


def bases(mcpu):
    """Upper halves of the addresses of shared and private memory, from SH_MEM_BASES."""
    code = ask.assemble(['s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES)'], mcpu)[0]
    value = int(ask.evaluate([(code, {})], mcpu)[0]['out']['s0'], 16)
    return value >> 16 << 16, (value & 0xffff) << 16


def main():
    o = options()
    if not mc.found():
        print(f'1..0 # SKIP {mc.LLVM_MC} is not installed')
        return 0
    passed = failed = 0
    seen, explained = set(), set()
    for mcpu in o.mcpu.split(','):
        table, found = check(mcpu, o, seen)
        names = {slot.name for slot in found}
        print(f'{mcpu}: {len(names)} rows and forms, {len(found)} sources')
        total = table.show(mcpu)
        print('  bits from: ' + ', '.join(f'{source}: {n}' for source, n in sorted(table.sources.items())))
        for reason, n in sorted(table.known.items()):
            print(f'  known: {n}: {reason}')
        for line in table.failures + (table.notes if o.list else []):
            print(line)
        explained |= set(table.known)
        failed += len(table.failures)
        passed += total['equal'] + total['ledger']
    for _, _, reason in KNOWN:
        if not (o.only or o.count or reason in explained):
            failed += 1
            print(f'KNOWN explains nothing: {reason}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())

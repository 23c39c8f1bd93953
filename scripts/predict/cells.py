"""Predictions of instructions that reach memory: @cell registers a rule of one lane (or of a scalar instruction) with the cells
that it reaches.

Cells say which bytes: the formula is the manual's address computation, from the operands of the lane to a list of addresses;
None is an address outside, which reads as 0 and keeps nothing. `uniform` and `lane` choose operands, such that no two lanes
share a byte: the order of lanes is not specified. The rule gets what the cells hold as m (a tuple if there are several) and
gives what they become as m."""
import rules
from rules import LANES, M32, U128, U32, U64, op

MARGIN = 8      # bytes beside each cell that must stay
TRIES = 24
GAP = 256        # what lies between two cells is given, too, if it is not more
OUTSIDE = 0x10000


class Cells:
    """space: 'lds' or 'mem'. size: bytes of a cell. formula(operands) gives addresses. reads: the operands it takes.

    uniform(rng): values of scalar operands, of places, and, with _ before the name, notes for lane. lane(rng, operands): values
    of the lane's operands, tried until the cells are free. last(rng, operands): what a lane gets if nothing is free. values: the
    kind of what memory holds."""

    def __init__(self, space, size, formula, reads, lane, uniform=None, last=None, values=None):
        self.space, self.size, self.formula, self.reads = space, size, formula, tuple(reads)
        self.lane, self.uniform, self.last = lane, uniform or (lambda rng: {}), last
        self.values = values or {1: rules.U8, 2: rules.U16, 4: U32, 8: U64}.get(size, U128)

    def prepare(self, rng, values, places, vector):
        """Sets the operands of the formula and the memory under and beside the cells."""
        fixed = self.uniform(rng)
        used, cells = set(), []
        for lane in range(LANES if vector else 1):
            row, addresses = self.choose(rng, dict(fixed, lane=lane), used)
            for name, value in row.items():
                if name in fixed or name == 'lane':
                    continue
                if name not in values:
                    places[name] = value
                elif isinstance(values[name], list):
                    values[name][lane] = value
                else:
                    values[name] = value
            for address in addresses:
                if address is not None:
                    used.update(range(address, address + self.size))
                    cells.append((address, lane))
        for name, value in fixed.items():
            if name in values:
                values[name] = value
            elif name[0] != '_':
                places[name] = value
        memory = {}
        for address, lane in cells:
            for beside in range(max(0, address - MARGIN), address + self.size + MARGIN):
                if self.space == 'mem' or beside < OUTSIDE:
                    memory.setdefault(beside, rng.getrandbits(8))
        for address, lane in cells:
            content = self.content(rng, values, lane)
            for i in range(self.size):
                memory[address + i] = content >> 8 * i & 0xff
        known = sorted(memory)
        for low, high in zip(known, known[1:]):
            if high - low <= GAP:       # eval takes 64 regions at most
                memory.update((address, rng.getrandbits(8)) for address in range(low + 1, high))
        places[self.space] = regions(memory)

    def choose(self, rng, row, used):
        for _ in range(TRIES):
            made = dict(row, **self.lane(rng, row))
            addresses = self.formula(made)
            span = [a + i for a in addresses if a is not None for i in range(self.size)]
            if len(span) == len(set(span)) and not used.intersection(span):
                return made, addresses
        made = dict(row, **self.last(rng, row))
        return made, self.formula(made)

    def content(self, rng, values, lane):
        """What a cell holds: an edge, anything, or about what the instruction brings."""
        kind = rng.randrange(3)
        if kind == 0 and self.values.edges:
            return rng.choice(self.values.edges)
        brought = [value[lane] if isinstance(value, list) else value for name, value in values.items() if name in ('a', 'b')]
        if kind == 1 and brought:
            return (rng.choice(brought) + rng.choice((-1, 0, 0, 1))) & ((1 << 8 * self.size) - 1)
        return rng.getrandbits(8 * self.size)


def regions(memory):
    """{address: byte} as {start: bytes}."""
    made, start = {}, None
    for address in sorted(memory):
        if start is None or address != start + len(made[start]):
            start = address
            made[start] = bytearray()
        made[start].append(memory[address])
    return {start: bytes(data) for start, data in made.items()}


def cell(text, where, **given):
    """Registers the decorated rule for text; where: its Cells. Other keywords as for op."""
    def register(rule):
        code = getattr(rule, '__wrapped__', rule).__code__
        own = code.co_varnames[:code.co_argcount - len(rule.__defaults__ or ())]
        vector = not text.startswith('s_')
        needed = [name for name in own if name != 'm'] + list(where.reads) + [where.space] + ['exec'] * vector
        needed = list(dict.fromkeys(needed))

        def predict(**values):
            memory = values[where.space]
            result = {}
            for lane in range(LANES) if vector else [None]:
                if vector and not values['exec'] >> lane & 1:
                    continue
                one = {name: value[lane] if isinstance(value, list) else value for name, value in values.items()}
                one['lane'] = lane
                for name, value in reached(rule, own, where, memory, one).items():
                    if lane is None:
                        result[name] = value
                    else:
                        result.setdefault(name, [None] * LANES)[lane] = value
            return result

        predict.__wrapped__ = rules.Visible(needed, code)
        op(text, wave=vector, prepare=lambda *given: where.prepare(*given, vector), **given)(predict)
        return rule
    return register


def reached(rule, own, where, memory, one):
    """One lane: reads its cells, asks the rule, writes the cells."""
    addresses = where.formula(one)
    held = [0 if address is None else memory.load(address, where.size) for address in addresses]
    arguments = {name: one[name] for name in own if name != 'm'}
    if 'm' in own:
        arguments['m'] = held[0] if len(held) == 1 else tuple(held)
    result = dict(rule(**arguments))
    if 'm' in result:
        new = result.pop('m')
        for address, value in zip(addresses, [new] if len(addresses) == 1 else new):
            if address is not None:
                store(memory, address, value, where.size)
    return result


def store(memory, address, value, size):
    if isinstance(value, (set, frozenset)):
        memory.allow(address, value, size)
    else:
        memory.store(address, value, size)


# ---- LDS ---------------------------------------------------------------------------------------------------------------------
def inside(address):
    return address if address < OUTSIDE else None


def outside(rng):
    """An address register that misses the LDS."""
    return rng.choice((OUTSIDE, OUTSIDE + 4 * rng.getrandbits(20), 0x80000000, 0xfffe0000))


def LDS(size, *at, values=None):
    """Cells at register p plus each byte offset of at; the sum has 32 bits."""
    def lane(rng, _):
        if rng.random() < 0.1:
            return {'p': outside(rng)}
        step = 16 if size > 8 else size
        top = (OUTSIDE - at[0]) // step
        return {'p': rng.choice((top - 1, rng.randrange(top), rng.randrange(min(top, 512)))) * step - at[0] % step}

    def formula(v):
        return [inside((v['p'] + offset) & M32) for offset in at]
    return Cells('lds', size, formula, ['p'], lane, last=lambda rng, _: {'p': outside(rng)}, values=values)


def LDS_SRC2():
    """The distance to the second cell comes from bits 31:17 of the address register, signed, in dwords."""
    def lane(rng, _):
        first, second = 4 * rng.randrange(1024), 4 * rng.randrange(1024)
        return {'p': first | (second - first) // 4 % (1 << 15) << 17}

    def formula(v):
        first = v['p'] & 0x1ffff
        return [inside(first), inside((first + 4 * rules.signed(v['p'] >> 17, 15)) & M32)]
    return Cells('lds', 4, formula, ['p'], lane, last=lambda rng, _: {'p': OUTSIDE})


def LDS_TID(offset):
    """M0[15:0] + offset + 4 * lane."""
    return Cells('lds', 4, lambda v: [inside((v['m0'] & 0xffff) + offset + 4 * v['lane'])], ['m0'], lambda rng, _: {},
                 lambda rng: {'m0': 4 * rng.choice((0, 1, rng.randrange(4096), 16300)) | rng.getrandbits(16) << 16},
                 lambda rng, _: {})

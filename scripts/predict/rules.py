"""What a prediction module imports: `op` registers a prediction, kinds say what an operand is and which values are its edges,
the rest are small helpers on integers. Floats and their arithmetic: floats.py. How to add a prediction: predict.py."""
import functools

M8, M16, M24, M32, M64 = (1 << 8) - 1, (1 << 16) - 1, (1 << 24) - 1, (1 << 32) - 1, (1 << 64) - 1
LANES = 64
PC = 0x10000     # of the first instruction
MODE = 0x3f0     # round to nearest even, subnormals kept, DX10_CLAMP, IEEE


# ---- integers ----------------------------------------------------------------------------------------------------------------
def bits(value, high, low):
    """The field value[high:low]."""
    return (value >> low) & ((1 << (high - low + 1)) - 1)


def signed(value, width):
    """The low width bits read as two's complement."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def clamp(value, low, high):
    return max(low, min(high, value))


def popcount(value):
    return bin(value).count('1')


# ---- kinds of operands -------------------------------------------------------------------------------------------------------
class Kind:
    """An operand: its width in bits, how a function gets it, its register file and its edge values.

    width: a source narrower than its dwords has other bits above, which nobody may read; a destination fills its dwords.
    signed: the function gets a two's complement number instead of an unsigned one. file: 'v', 's', 'imm' (the value is
    written into the text), or None: vector registers for a vector instruction, scalar registers else. mask: a pair of scalar
    registers that holds a bit per lane; the function gets and gives the bit of its lane."""

    def __init__(self, name, width, edges, signed=False, file=None, mask=False):
        self.name, self.width, self.signed, self.file, self.mask = name, width, signed, file, mask
        self.edges = list(dict.fromkeys(e & self.all for e in edges))

    @property
    def all(self):
        return (1 << self.width) - 1

    @property
    def dwords(self):
        return (self.width + 31) // 32

    def read(self, raw):
        return signed(raw, self.width) if self.signed else raw

    def with_edges(self, *edges):
        """The same kind with these values only, also as random ones: for addresses, selectors, shift counts."""
        kind = Kind(self.name, self.width, edges, self.signed, self.file, self.mask)
        kind.random = lambda rng: rng.choice(kind.edges)
        return kind

    def plus(self, *edges):
        """The same kind with more edge values."""
        return Kind(self.name, self.width, self.edges + list(edges), self.signed, self.file, self.mask)

    def in_file(self, file):
        """The same kind in another register file."""
        kind = Kind(self.name, self.width, self.edges, self.signed, file, self.mask)
        kind.random = self.random
        return kind

    def random(self, rng):
        """Any value; one in four differs from an edge in one bit."""
        if self.edges and rng.random() < 0.25:
            return rng.choice(self.edges) ^ 1 << rng.randrange(self.width)
        return rng.getrandbits(self.width)

    def __repr__(self):
        return self.name


def _edges(width):
    top = 1 << (width - 1)
    shifts = [w for w in (15, 16, 24, 31, 32, 33, 63, 64) if w <= width]
    return [0, 1, 2, 3, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1, 0x5a5aa5a5f00f3cc3 >> (64 - width), *shifts]


_FIELDS = [0x00100000, 0x00080008, 0x00200000, 0x00010000, 0x0010001f, 0x001f0001, 0x00ff8000, 0x7f80ff00, 0x8000ffff, 0x00800000]
U8 = Kind('U8', 8, _edges(8))
U16, I16 = Kind('U16', 16, _edges(16)), Kind('I16', 16, _edges(16), signed=True)
U24, I24 = Kind('U24', 24, _edges(24)), Kind('I24', 24, _edges(24), signed=True)
U32, I32 = Kind('U32', 32, _edges(32) + _FIELDS), Kind('I32', 32, _edges(32) + _FIELDS, signed=True)
U64, I64 = Kind('U64', 64, _edges(64) + [M32, M32 + 1, 1 << 31]), Kind('I64', 64, _edges(64) + [M32, M32 + 1], signed=True)
U96 = Kind('U96', 96, [0, (1 << 96) - 1, 0x0123456789abcdeffedcba98])
U128 = Kind('U128', 128, _edges(64) + [0x0123456789abcdeffedcba9876543210, (1 << 128) - 1])
MASK = Kind('MASK', 64, [], file='s', mask=True)
S32, S64 = U32.in_file('s'), U64.in_file('s')
SIMM16, UIMM16 = I16.in_file('imm'), U16.in_file('imm')


# ---- predictions -------------------------------------------------------------------------------------------------------------
SCALAR_INPUTS = ('scc', 'm0', 'exec', 'mode', 'pc', 'lane', 'vcc', 'lds', 'mem', 'trapsts', 'flat_scratch')
PREDICTIONS = []


class Prediction:
    """One text with its slots and the function that predicts it."""

    def __init__(self, text, rule, slots, options):
        self.text, self.rule, self.slots = text, rule, slots
        self.opcode = text.split('\n')[-1].split()[0]        # of a program: its last line
        for suffix in ('_e32', '_e64', '_sdwa', '_dpp'):
            self.opcode = self.opcode.removesuffix(suffix)
        code = getattr(rule, '__wrapped__', rule).__code__
        self.params = code.co_varnames[:code.co_argcount - len(getattr(rule, '__defaults__', None) or ())]
        modes = options.pop('mode', MODE)
        self.modes = modes if isinstance(modes, (list, tuple)) else [modes]
        self.wave = options.pop('wave', False)
        self.lds = options.pop('lds', 0)
        self.mem = options.pop('mem', {})
        self.vector = options.pop('vector', not text.startswith('s_'))
        self.full_exec = options.pop('full_exec', False)
        self.mcpu = options.pop('mcpu', None)
        self.prepare = options.pop('prepare', None)
        self.place = f'{code.co_filename.rsplit("/", 1)[-1]}:{code.co_firstlineno}'
        for name in self.params:
            if name not in slots and name not in SCALAR_INPUTS:
                raise ValueError(f'{self.place}: {text}: what is {name}?')
        if options:
            raise ValueError(f'{self.place}: {text}: {", ".join(options)}: neither a kind nor an option')


def op(text, also=(), **given):
    """Registers the decorated function as prediction of text, and of the same text with each name of also in the first's place.

    Keywords with a Kind are slots, words of the text. Options: mode (a MODE or a list of them), wave (the function predicts all
    lanes at once), lds (bytes of LDS that get random values), mem ({address: bytes}, likewise), vector (False: not lane by
    lane; default by the name), full_exec (never with lanes off: a rule that holds only so), mcpu (the processor
    that has it), prepare (chooses operands). See predict.py."""
    slots = {name: kind for name, kind in given.items() if isinstance(kind, Kind)}
    options = {name: value for name, value in given.items() if name not in slots}
    first, _, rest = text.partition(' ')

    def register(rule):
        for name in (first, *also):
            PREDICTIONS.append(Prediction(f'{name} {rest}'.rstrip(), rule, slots, dict(options)))
        return rule
    return register


def bound(rule, /, **fixed):
    """The rule with some parameters given, for families of opcodes: op(...)(bound(rule, relation=...)). They come last."""
    made = functools.partial(rule, **fixed)
    code = rule.__code__
    made.__wrapped__ = Visible(code.co_varnames[:code.co_argcount - len(fixed)], code)
    return made


class Visible:
    """The code of a bound rule, as Prediction reads it: without the parameters that are given."""

    def __init__(self, names, code):
        self.__code__ = self
        self.co_varnames, self.co_argcount = names, len(names)
        self.co_filename, self.co_firstlineno = code.co_filename, code.co_firstlineno


class Mode(int):
    """MODE as a parameter: a number that knows its fields."""
    round32 = property(lambda m: m & 3)
    round64 = property(lambda m: m >> 2 & 3)        # f64 and f16
    keep_in32 = property(lambda m: bool(m & 0x10))
    keep_out32 = property(lambda m: bool(m & 0x20))
    keep_in64 = property(lambda m: bool(m & 0x40))
    keep_out64 = property(lambda m: bool(m & 0x80))
    dx10_clamp = property(lambda m: bool(m & 0x100))
    ieee = property(lambda m: bool(m & 0x200))
    fp16_ovfl = property(lambda m: bool(m & 1 << 23))


class Between:
    """All patterns from low to high: a result with an error bound that is too wide for a set."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __contains__(self, pattern):
        return self.low <= pattern <= self.high

    def __repr__(self):
        return f'{self.low:#x}..{self.high:#x}'


class Missed(Exception):
    """An access outside memory, at this address."""


class Memory:
    """Memory or LDS for a rule of a whole wave: little endian, bytes that were not given do not exist."""

    def __init__(self, regions):
        self.bytes = {start + i: byte for start, data in regions.items() for i, byte in enumerate(data)}
        self.open = {}      # address: (size, set of values), where the documents leave a result open

    def load(self, address, size):
        """size bytes from address, as a number."""
        try:
            return sum(self.bytes[address + i] << 8 * i for i in range(size))
        except KeyError as missing:
            raise Missed(missing.args[0]) from None

    def store(self, address, value, size):
        for i in range(size):
            if address + i not in self.bytes:
                raise Missed(address + i)
            self.bytes[address + i] = value >> 8 * i & 0xff

    def allow(self, address, values, size):
        """What is at address becomes one of values."""
        self.store(address, min(values), size)
        self.open[address] = (size, values)

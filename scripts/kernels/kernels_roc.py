"""The work of kernels-roc.sh (which see). What the kernels must compute is worked out here, from the published algorithms:
Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (Philox); Marsaglia, "Xorshift RNGs" (XORWOW); L'Ecuyer, "Good
parameters and implementations for combined multiple recursive random number generators" (MRG32k3a); Joe and Kuo's Sobol
numbers. What is rocRAND's own is how a seed becomes a state and how far apart engines begin: 2^67 numbers, of MRG32k3a 2^76."""
import argparse
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from tap import Tap

RAND = "/usr/lib/x86_64-linux-gnu/librocrand.so.1"
SPARSE = "/usr/lib/x86_64-linux-gnu/librocsparse.so.0"
PRIM = "/usr/include/rocprim/rocprim.hpp"
DEVICE_LIBS = os.environ.get("ROCM_DEVICE_LIBS", "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
M32 = 0xffffffff


def words(values):
    return struct.pack("<%dI" % len(values), *(v & M32 for v in values))


def floats(values):
    return b"".join(struct.pack("<f", v) for v in values)


def doubles(values):
    return b"".join(struct.pack("<d", v) for v in values)


# --- the generators -------------------------------------------------------------------------------------------------

def philox(counter, key):
    """Ten rounds of Philox4x32 on four words, with two words of key."""
    x, (k0, k1) = list(counter), key
    for _ in range(10):
        a, b = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [b >> 32 ^ x[1] ^ k0, b & M32, a >> 32 ^ x[3] ^ k1, a & M32]
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return x


def philox_stream(seed, count):
    """The numbers of one sequence: the counter counts blocks of four."""
    key = seed & M32, seed >> 32
    return [v for i in range((count + 3) // 4) for v in philox((i & M32, i >> 32, 0, 0), key)][:count]


class Xorwow:
    """Five words of xorshift, and a Weyl sequence that is added."""
    WEYL = 362437

    def __init__(self, x, d):
        self.x, self.d = list(x), d

    def next(self):
        t = self.x[0] ^ self.x[0] >> 2
        last = self.x[4]
        self.x = self.x[1:] + [(last ^ last << 4 ^ t ^ t << 1) & M32]
        self.d = self.d + self.WEYL & M32
        return self.x[4] + self.d & M32

    def bits(self):
        return sum(v << 32 * i for i, v in enumerate(self.x))

    def set_bits(self, bits):
        self.x = [bits >> 32 * i & M32 for i in range(5)]

    def bytes(self):
        return words([self.d] + self.x)


def times(matrix, vector):
    """Of GF(2); a matrix is the images of the 160 unit vectors."""
    result = 0
    for column in matrix:
        if vector & 1:
            result ^= column
        vector >>= 1
    return result


def xorwow_leap():
    """2^67 steps of the five words, which are linear over GF(2)."""
    matrix = []
    for i in range(160):
        one = Xorwow([0] * 5, 0)
        one.set_bits(1 << i)
        one.next()
        matrix.append(one.bits())
    for _ in range(67):
        matrix = [times(matrix, column) for column in matrix]
    return matrix


def xorwow_engines(seed, count, offset):
    """rocRAND's: Marsaglia's constants changed by the seed; the Weyl sequence has period 2^32, so a leap leaves it."""
    t0 = 1228688033 * (seed & M32 ^ 0x2c7f967f) & M32
    t1 = 2073658381 * (seed >> 32 ^ 0xa03697cb) & M32
    x = [123456789 + t0 & M32, 362436069 ^ t0, 521288629 + t1 & M32, 88675123 ^ t1, 5783321 + t0 & M32]
    start, leap, engines = Xorwow(x, 6615241 + t0 + t1 & M32), xorwow_leap(), []
    for _ in range(count):
        engine = Xorwow(start.x, start.d)
        for _ in range(offset):
            engine.next()
        engines.append(engine)
        start.set_bits(times(leap, start.bits()))
    return engines


class Mrg32k3a:
    """Two recurrences of order three modulo two primes."""
    P1, P2 = 4294967087, 4294944443
    A1 = [[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]]
    A2 = [[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]]

    def __init__(self, g1, g2):
        self.g1, self.g2 = list(g1), list(g2)

    def leap(self, a1, a2):
        self.g1 = [sum(a * g for a, g in zip(row, self.g1)) % self.P1 for row in a1]
        self.g2 = [sum(a * g for a, g in zip(row, self.g2)) % self.P2 for row in a2]

    def next(self):
        self.leap(self.A1, self.A2)
        return (self.g1[2] - self.g2[2] - 1) % self.P1 + 1

    def bytes(self):
        return words(self.g1 + self.g2)


def power_of_two(matrix, log, modulus):
    for _ in range(log):
        matrix = [[sum(matrix[i][k] * matrix[k][j] for k in range(3)) % modulus for j in range(3)] for i in range(3)]
    return matrix


def mrg_engines(seed, count, offset):
    """rocRAND's: the six words are multiples of the seed, engines are L'Ecuyer's sub-streams."""
    x, y = seed & M32 ^ 0x55555555, seed >> 32 ^ 0xAAAAAAAA
    start = Mrg32k3a([v * seed % Mrg32k3a.P1 for v in (x, y, x)], [v * seed % Mrg32k3a.P2 for v in (y, x, y)])
    a1, a2 = power_of_two(Mrg32k3a.A1, 76, Mrg32k3a.P1), power_of_two(Mrg32k3a.A2, 76, Mrg32k3a.P2)
    engines = []
    for _ in range(count):
        engine = Mrg32k3a(start.g1, start.g2)
        for _ in range(offset):
            engine.next()
        engines.append(engine)
        start.leap(a1, a2)
    return engines


def sobol_vectors():
    """Direction numbers of the first two dimensions: van der Corput's, and those of the polynomial x + 1."""
    first = [1 << 31 - i for i in range(32)]
    second = [1 << 31]
    for _ in range(31):
        second.append(second[-1] ^ second[-1] >> 1)
    return first, second


def sobol(vectors, index):
    gray = index ^ index >> 1
    result = 0
    for i, v in enumerate(vectors):
        result ^= v if gray >> i & 1 else 0
    return result


def box_muller(x, y, bits):
    """Two normal numbers from two of 1 to 2^bits."""
    u, v = x * 2.0 ** -bits, y * 2.0 ** -bits * 2 * math.pi
    s = math.sqrt(-2 * math.log(u))
    return [math.sin(v) * s, math.cos(v) * s]


# --- launching ------------------------------------------------------------------------------------------------------

class Launcher:
    def __init__(self, tap, gcncheck, mcpu, folder, ways):
        self.tap, self.gcncheck, self.mcpu, self.folder, self.ways = tap, gcncheck, mcpu, folder, ways

    def file(self, number, bytes_):
        name = "%d.bin" % number
        with open(os.path.join(self.folder, name), "wb") as f:
            f.write(bytes_)
        return name

    def run(self, title, library, kernel, grid, group, *items):
        """Items: ("buf", bytes), ("out", bytes, check), ("inout", before, after, check), or a line as it stands. What
        begins with "aside" is no argument."""
        lines, files = ["kernel " + kernel, "grid %d %d 1" % grid, "workgroup %d 1 1" % group], 0
        for item in items:
            if isinstance(item, str):
                lines.append(item)
                continue
            contents = [i for i in item[1:] if isinstance(i, bytes)]
            names = [self.file(files + i, c) for i, c in enumerate(contents)]
            files += len(names)
            if item[0].endswith("inout") or not item[0].endswith("out"):
                lines.append(" ".join([item[0]] + names + list(item[1 + len(names):])))
            else:
                lines.append("%s %s %d %s" % (item[0], names[0], len(contents[0]), item[2]))
        path = os.path.join(self.folder, "launch.txt")
        with open(path, "w") as f:
            f.write("\n".join(lines) + "\n")
        for way in self.ways:
            command = [self.gcncheck, "launch", *way.split(), "--mcpu", self.mcpu, library, path]
            run = subprocess.run(command, capture_output=True, text=True)
            for line in (run.stdout + run.stderr).splitlines():
                print("# " + line)
            self.tap.point(run.returncode == 0, " ".join([title, self.mcpu, way]).strip())


# --- librocrand -----------------------------------------------------------------------------------------------------

SEED, ENGINES, OFFSET = 0x123456789abcdef5, 512, 5


def generate(distribution, element, engine, suffix=""):
    return "_ZN12rocrand_host6detailL15generate_kernelI%s%d%sI%sEEEv%sPT_mT0_" % (
        element, len(distribution), distribution, "S2_" if len(element) > 1 else element, engine)


def check_known_answers(tap):
    tap.point(philox((0, 0, 0, 0), (0, 0)) == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8] and
              philox((0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), (0xa4093822, 0x299f31d0)) ==
              [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1], "Philox4x32-10 as published with Random123")
    tap.point(Xorwow([123456789, 362436069, 521288629, 88675123, 5783321], 6615241).next() == 246875399,
              "XORWOW as published by Marsaglia")
    mrg = Mrg32k3a([12345] * 3, [12345] * 3)
    tap.point(abs(mrg.next() / 4294967088 - 0.127011122046577) < 1e-15, "MRG32k3a as published by L'Ecuyer")
    tap.point([sobol(sobol_vectors()[1], i) >> 29 for i in range(8)] == [0, 4, 2, 6, 3, 7, 1, 5],
              "the second Sobol dimension as published by Joe and Kuo")


def check_philox(launch):
    engine = "NS0_27philox4x32_10_device_engineE"
    state = words([0] * 4 + philox((0,) * 4, (SEED & M32, SEED >> 32)) + [SEED & M32, SEED >> 32, 0, 0])
    numbers = philox_stream(SEED, 10000)
    raw = words(numbers)
    pairs, fours = list(zip(numbers[::2], numbers[1::2])), list(zip(*[iter(numbers)] * 4))
    normal = [10 + 3 * z for x, y in pairs for z in box_muller(x + 1, y + 1, 32)]
    normal64 = [10 + 3 * z for x, y, z, w in fours for z in box_muller((x ^ y << 21) + 1, (z ^ w << 21) + 1, 53)]
    for distribution, element, want, size, check, last in (
            ("uniform", "j", raw, 4, "exact", "u8 0"),
            ("uniform", "h", raw, 1, "exact", "u8 0"),
            ("uniform", "t", raw, 2, "exact", "u8 0"),
            ("uniform", "f", floats((v + 1) * 2.0 ** -32 for v in numbers), 4, "f32 2e-7 0", "u8 0"),
            ("uniform", "6__half", struct.pack("<%de" % (len(raw) // 2), *(
                (v + 1) * 2.0 ** -16 for v in struct.unpack("<%dH" % (len(raw) // 2), raw))), 2, "exact", "u8 0"),
            ("uniform", "d", doubles(((x | y >> 11 << 32) + 1) * 2.0 ** -53 for x, y in pairs), 8, "f64 3e-16 0", "u8 0"),
            ("normal", "f", floats(normal), 4, "f32 0 1e-4", "f32 10 3"),
            ("normal", "d", doubles(normal64), 8, "f64 0 1e-13", "f64 10 3"),
            ("log_normal", "f", floats(math.exp(z / 10) for z in normal), 4, "f32 2e-5 0", "f32 1 0.3"),
            ("log_normal", "d", doubles(math.exp(z / 10) for z in normal64), 8, "f64 1e-13 0", "f64 1 0.3")):
        launch.run("Philox %s of %d bytes each" % (distribution, size), RAND, generate(distribution + "_distribution", element, engine),
                   (1024, 1), 256, ("struct", state), ("out", want, check), "u64 %d" % (len(want) // size), last)


def check_engines(launch, name, seed, engines, generated):
    """Engines are set up, and each in turn makes every 512th number."""
    kind = "PN14rocrand_device%d%s_engineE" % (len(name) + 7, name)
    before = b"".join(e.bytes() for e in engines)
    launch.run("%s: engines" % name, RAND, "_ZN12rocrand_host6detailL19init_engines_kernelE%sjyy" % kind, (ENGINES, 1), 256,
               ("out", before, "exact"), "u32 0", "u64 %d" % seed, "u64 %d" % OFFSET)
    count = 7 * ENGINES - 100
    numbers = [engines[i % ENGINES].next() for i in range(count)]
    after = b"".join(e.bytes() for e in engines)
    for kernel, want, check in generated(kind, numbers):
        launch.run("%s: numbers" % name, RAND, kernel, (ENGINES, 1), 256, ("inout", before, after, "exact"), "u32 0",
                   ("out", want, check), "u64 %d" % count, "u8 0")


def check_sobol(launch):
    count, offset = 3000, 77
    vectors = sobol_vectors()
    want = [sobol(v, offset + i) for v in vectors for i in range(count)]
    launch.run("Sobol numbers of two dimensions", RAND,
               "_ZN12rocrand_host6detailL15generate_kernelILj1Ej26sobol_uniform_distributionIjEEEvPT0_mPKjjT1_", (1024, 2), 256,
               ("out", words(want), "exact"), "u64 %d" % count, ("buf", words(vectors[0] + vectors[1])), "u32 %d" % offset,
               "u8 0")


def check_rand(launch):
    check_philox(launch)
    check_engines(launch, "xorwow", SEED, xorwow_engines(SEED, ENGINES, OFFSET), lambda kind, numbers: [
        (generate("uniform_distribution", "j", kind + "j"), words(numbers), "exact"),
        (generate("uniform_distribution", "f", kind + "j"), floats([(v + 1) * 2.0 ** -32 for v in numbers]), "f32 2e-7 0")])
    check_engines(launch, "mrg32k3a", SEED & M32, mrg_engines(SEED & M32, ENGINES, OFFSET), lambda kind, numbers: [
        (generate("mrg_uniform_distribution", "j", kind + "j"), words([int((v - 1) * 1.000000048661607) for v in numbers]),
         "exact")])
    check_sobol(launch)


# --- rocPRIM in librocsparse ----------------------------------------------------------------------------------------

SCAN_GROUP, SCAN_ITEMS = 256, 16  # of a work-group, and of each work-item
SORT_GROUP, SORT_ITEMS = 256, 15


def rocprim(name, rest):
    return "_ZN7rocprim6detail%d%s%s" % (len(name), name, rest)


def check_scan(launch, rng):
    """Sums of all numbers so far, by one work-group, and by several that look back at each other's sums."""
    config = "NS0_19default_scan_configILj0EiEEPiS4_NS_4plusIiEEi"
    values = [rng.getrandbits(32) for _ in range(30000)]
    sums, total = [], 0
    for v in values:
        total = total + v & M32
        sums.append(total)
    launch.run("scan of one work-group", SPARSE, rocprim("single_scan_kernel", "ILb0E%sEEvT1_mT4_T2_T3_" % config),
               (SCAN_GROUP, 1), SCAN_GROUP, ("buf", words(values[:4000])), "u64 4000", "i32 0",
               ("out", words(sums[:4000]), "exact"), "u8 0")
    groups = -(-len(values) // (SCAN_GROUP * SCAN_ITEMS))
    for sleeps in "01":
        state = "NS0_19lookback_scan_stateIiLb%sELb1EEEEEv" % sleeps
        scan = rocprim("lookback_scan_kernel", "ILb0E%s%sT1_T2_mT4_T3_T5_jNS0_16ordered_block_idIjEEPN"
                       "S0_18input_value_traitsISB_E10value_typeESJ_bb" % (config, state))
        launch.run("look-back scan, after its states", SPARSE, rocprim("init_lookback_scan_state_kernel", "I" + state +
                   "T_jNS0_16ordered_block_idIjEEjPNS4_10value_typeE"), (256, 1), 256, "ptr 5", "u32 %d" % groups, "ptr 6",
                   "u32 0", "u64 0", "aside tmp %d" % (8 * (64 + groups)), ("aside inout", words([77]), words([groups]), "exact"),
                   ("expect 6", words([0]), "exact"),
                   "kernel " + scan, "grid %d 1 1" % (groups * SCAN_GROUP), "workgroup %d 1 1" % SCAN_GROUP,
                   ("buf", words(values)), ("out", words(sums), "exact"), "u64 %d" % len(values), "i32 0", "u8 0", "ptr 5",
                   "u32 %d" % groups, "ptr 6", "u64 0", "u64 0", "u8 0", "u8 0")


def check_product(launch, rng):
    """Products of a sparse matrix and a vector, by 2 to 64 lanes for each row. Small integers, so that the order in which
    a row is added up does not matter."""
    rows, columns, alpha, beta = 600, 450, 3.0, -2.0
    x, y = [float(rng.randrange(-50, 50)) for _ in range(columns)], [float(rng.randrange(-9, 9)) for _ in range(rows)]
    matrix = [sorted(rng.sample(range(columns), rng.choice((0, 1, 5, 30, 70)))) for _ in range(rows)]
    values = [[float(rng.randrange(-99, 99)) for _ in row] for row in matrix]
    want = [alpha * sum(v * x[c] for v, c in zip(*pair)) + beta * before for *pair, before in zip(values, matrix, y)]
    starts = [1 + sum(map(len, matrix[:i])) for i in range(rows + 1)]  # indices count from 1
    for element, scalar, pack in (("f", "f32", floats), ("d", "f64", doubles)):
        for lanes in (2, 4, 8, 16, 32, 64):
            launch.run("sparse matrix by vector, %s, %d lanes a row" % (scalar, lanes), SPARSE,
                       "_ZL21csrmvn_general_kernelILj512ELj%dEii%s%sEvbT2_T4_PKT1_PKS0_PKT3_S9_S1_PS7_21rocsparse_index_base_"
                       % (lanes, element, element), (4 * 512, 1), 512, "u8 0", "i32 %d" % rows, "%s %d" % (scalar, alpha),
                       ("buf", words(starts)), ("buf", words([c + 1 for row in matrix for c in row])),
                       ("buf", pack(v for row in values for v in row)), ("buf", pack(x)), "%s %d" % (scalar, beta),
                       ("inout", pack(y), pack(want), "exact"), "u32 1")


class Parts:
    """What a pass of the radix sort leaves, by its definition."""

    def __init__(self, pairs, bit, bits):
        group = SORT_GROUP * SORT_ITEMS
        self.size = 1 << bits
        digits = [(key ^ 1 << 31) >> bit & self.size - 1 for key, _ in pairs]
        batches = [digits[i:i + group] for i in range(0, len(digits), group)]
        self.counts = [[batch.count(d) for d in range(self.size)] for batch in batches]
        self.starts = [[sum(c[d] for c in self.counts[:i]) for d in range(self.size)] for i in range(len(batches))]
        self.totals = [sum(c[d] for c in self.counts) for d in range(self.size)]
        self.digit_starts = [sum(self.totals[:d]) for d in range(self.size)]
        self.pairs = [p for _, p in sorted(zip(digits, pairs), key=lambda t: t[0])]


def check_sort(launch, rng):
    """Pairs sorted by signed keys, the four kernels of each of five passes; what each leaves is compared."""
    pairs = [(rng.getrandbits(32) >> (i % 3 * 9), i) for i in range(9000)]
    want = sorted(pairs, key=lambda p: p[0] - (p[0] >> 31 << 32))
    bit = 0
    for bits in (7, 7, 6, 6, 6):
        p = Parts(pairs, bit, bits)
        batches = len(p.counts)
        keys, values = words([k for k, _ in pairs]), words([v for _, v in pairs])
        flat = lambda table: words([v for row in table for v in row])
        template = "ILj256ELj15ELj%dELb0E" % bits
        rest = ["u32 %d" % bit, "u32 %d" % bits, "u32 1", "u32 %d" % batches]
        launch.run("radix sort, bit %d: digits counted" % bit, SPARSE,
                   rocprim("fill_digit_counts_kernel", template + "PijEEvT3_T4_PS4_jjjj"), (batches * 256, 1), 256,
                   ("buf", keys), "u32 %d" % len(pairs), ("out", flat(p.counts), "exact"), *rest)
        launch.run("radix sort, bit %d: batches" % bit, SPARSE,
                   rocprim("scan_batches_kernel", "ILj256ELj2ELj%dEjEEvPT2_S3_j" % bits), (p.size * 256, 1), 256,
                   ("inout", flat(p.counts), flat(p.starts), "exact"), ("out", words(p.totals), "exact"),
                   "u32 %d" % batches)
        launch.run("radix sort, bit %d: digits" % bit, SPARSE, rocprim("scan_digits_kernel", "ILj%dEjEEvPT0_" % bits),
                   (p.size, 1), p.size, ("inout", words(p.totals), words(p.digit_starts), "exact"))
        launch.run("radix sort, bit %d: pairs" % bit, SPARSE, rocprim(
            "sort_and_scatter_kernel", template + "PiS2_S2_S2_jEEvT3_T4_T5_T6_T7_PKS7_S9_jjjj"), (batches * 256, 1), 256,
            ("buf", keys), ("out", words([k for k, _ in p.pairs]), "exact"),
            ("buf", values), ("out", words([v for _, v in p.pairs]), "exact"), "u32 %d" % len(pairs),
            ("buf", flat(p.starts)), ("buf", words(p.digit_starts)), *rest)
        pairs = p.pairs
        bit += bits
    launch.tap.point(pairs == want, "five passes sort")
    few = pairs[:]
    rng.shuffle(few)
    few = few[:4000]
    few_sorted = sorted(few, key=lambda p: p[0] - (p[0] >> 31 << 32))
    launch.run("sort of one work-group", SPARSE,
               rocprim("sort_single_kernel", "ILj256ELj16ELb0EPiS2_S2_S2_EEvT2_T3_T4_T5_jjj"), (256, 1), 256,
               ("buf", words([k for k, _ in few])), ("out", words([k for k, _ in few_sorted]), "exact"),
               ("buf", words([v for _, v in few])), ("out", words([v for _, v in few_sorted]), "exact"),
               "u32 %d" % len(few), "u32 0", "u32 32")


# --- rocPRIM's headers ----------------------------------------------------------------------------------------------

def check_block(launch, rng):
    """Sort, scan and reduction of each of three work-groups, compiled by clang."""
    pairs = [(rng.getrandbits(32) >> i % 3 * 8, rng.getrandbits(32)) for i in range(3 * 1024)]
    done, sums, totals = [], [], []
    for at in range(0, len(pairs), 1024):
        done += sorted(pairs[at:at + 1024], key=lambda p: p[0])
        total = 0
        for _, value in done[at::4]:
            total = total + value & M32
            sums.append(total)
        totals.append(total)
    for level in "O0", "O3":
        title = "rocPRIM's headers, -%s," % level
        code = os.path.join(launch.folder, "block.co")
        run = subprocess.run(["clang-19", "-x", "hip", "--cuda-device-only", "--offload-arch=" + launch.mcpu, "-" + level, "-w",
                              "-D__HIP_PLATFORM_AMD__", "--rocm-device-lib-path=" + DEVICE_LIBS, "-o", code,
                              "cases/kernels/roc/block.hip"], capture_output=True, text=True)
        if run.returncode:
            print("".join("# %s\n" % line for line in run.stderr.splitlines()[:10]), end="")
            launch.tap.point(False, "%s compiles for %s" % (title, launch.mcpu))
            continue
        launch.run(title, code, "block", (768, 1), 256, ("buf", words([k for k, _ in pairs])), ("buf", words([v for _, v in pairs])),
                   ("out", words([k for k, _ in done]), "exact"), ("out", words([v for _, v in done]), "exact"),
                   ("out", words(sums), "exact"), ("out", words(totals), "exact"))


def main():
    parser = argparse.ArgumentParser(prog="kernels-roc.sh")
    parser.add_argument("--gcncheck", default=os.environ.get("GCNCHECK", "build/gcncheck"))
    parser.add_argument("--mcpu", default="gfx900,gfx906,gfx908")
    parser.add_argument("--checks", action="store_true")
    args = parser.parse_args()
    ways = ["", "--check-hazards --check-memory --check-races", "--delay-memory max", "--memory weak"]
    tap = Tap()
    check_known_answers(tap)
    with tempfile.TemporaryDirectory() as folder:
        for mcpu in args.mcpu.split(","):
            launch = Launcher(tap, args.gcncheck, mcpu, folder, ways if args.checks else ways[:1])
            for library, check in ((RAND, lambda: check_rand(launch)),
                                   (SPARSE, lambda: (check_scan(launch, random.Random(1)), check_sort(launch, random.Random(2)),
                                                     check_product(launch, random.Random(3))))):
                if os.path.exists(library):
                    check()
                else:
                    tap.point(True, "%s # SKIP %s is not installed (scripts/deps.sh long)" % (mcpu, library))
            lacking = [p for p in (PRIM, DEVICE_LIBS) if not os.path.exists(p)] + ["clang-19"] * (not shutil.which("clang-19"))
            if lacking:
                tap.point(True, "%s # SKIP %s is not installed (scripts/deps.sh long)" % (mcpu, lacking[0]))
            else:
                check_block(launch, random.Random(4))
    print("1..%d" % tap.number)
    sys.exit(tap.failed > 0)


main()

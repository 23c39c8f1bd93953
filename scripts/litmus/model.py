"""Whether a memory model forbids an outcome: executions of a few accesses, tried one by one. The model is C11's as repaired by Lahav and
others (PLDI 2017), over one happens-before relation for all address spaces, as HSA's; all accesses are in one instance of their
scope. Plain accesses are judged as if the program looked at them only where it may: a race with them forbids nothing and allows nothing.

An event is (thread, kind, location, order, value): kind R, W, U (reads and writes) or F (a fence, without location); value is
what R must read, what W writes; of U a pair, what it reads (None: anything) and what it writes (None: what it has read)."""
import functools
import itertools

ACQUIRES = ("acquire", "acq_rel", "seq_cst")
RELEASES = ("release", "acq_rel", "seq_cst")


def close(pairs, n):
    """The transitive closure, as a list of sets of successors."""
    reach = [set() for _ in range(n)]
    for a, b in pairs:
        reach[a].add(b)
    for k in range(n):
        for a in range(n):
            if k in reach[a]:
                reach[a] |= reach[k]
    return reach


def join(first, second):
    by = {}
    for a, b in second:
        by.setdefault(a, []).append(b)
    return {(a, c) for a, b in first for c in by.get(b, ())}


def is_cyclic(pairs, n):
    return any(a in after for a, after in enumerate(close(pairs, n)))


def synchronises(events, sb, rf):
    """Pairs of a release and an acquire: the write of either may stand behind a fence, the read before one."""
    found = set()
    n = len(events)
    chain = set(rf)  # a release sequence goes on over atomics that read and write
    while True:
        more = {(a, c) for a, b in chain for b2, c in rf if b == b2 and events[b][1] == "U"} - chain
        if not more:
            break
        chain |= more
    for w, r in chain:
        if events[w][3] == "none" or events[r][3] == "none":
            continue
        heads = [w] if events[w][3] in RELEASES else []
        heads += [f for f in range(n) if events[f][1] == "F" and events[f][3] in RELEASES and (f, w) in sb]
        tails = [r] if events[r][3] in ACQUIRES else []
        tails += [f for f in range(n) if events[f][1] == "F" and events[f][3] in ACQUIRES and (r, f) in sb]
        found |= {(a, b) for a in heads for b in tails if events[a][0] != events[b][0]}
    return found


def is_consistent(events, sb, rf, co):
    n = len(events)
    hb = {(a, b) for a, after in enumerate(close(sb | synchronises(events, sb, rf), n)) for b in after}
    fr = {(r, later) for w, r in rf for w2, later in co if w2 == w and later != r}
    eco = {(a, b) for a, after in enumerate(close(rf | co | fr, n)) for b in after}
    if any((a, a) in hb for a in range(n)) or any((b, a) in eco for a, b in hb):
        return False
    for w, r in rf:  # nothing comes between the two halves of an atomic
        if events[r][1] == "U" and any((w, x) in co and (x, r) in co for x in range(n)):
            return False
    order = [e[3] for e in events]
    fences = [i for i in range(n) if events[i][1] == "F" and order[i] == "seq_cst"]
    accesses = [i for i in range(n) if events[i][1] != "F" and order[i] == "seq_cst"]
    here = {(a, b) for a, b in sb if events[a][2] == events[b][2] and events[a][2]}
    away = sb - here
    scb = sb | join(join(away, hb), away) | {(a, b) for a, b in hb if events[a][2] == events[b][2]} | co | fr
    left = {(a, a) for a in accesses + fences} | {(f, b) for f, b in hb if f in fences}
    right = {(a, a) for a in accesses + fences} | {(a, f) for a, f in hb if f in fences}
    psc = join(join(left, scb), right)
    between = hb | join(join(hb, eco), hb)
    psc |= {(a, b) for a, b in between if a in fences and b in fences}
    return not is_cyclic(psc, n)


def choices(events, locations):
    """Every (rf, co) that gives the values that are asked for; events of initial values come first."""
    writes = {x: [i for i, e in enumerate(events) if e[2] == x and e[1] in "WU"] for x in locations}
    reads = [i for i, e in enumerate(events) if e[1] in "RU"]
    for sources in itertools.product(*[writes[events[r][2]] for r in reads]):
        rf = dict(zip(reads, sources))

        def value(w, seen=()):
            kind, given = events[w][1], events[w][4]
            if kind == "W":
                return given
            if given[1] is not None:
                return given[1]
            return None if w in seen else value(rf[w], seen + (w,))

        def wanted(r):
            return events[r][4] if events[r][1] == "R" else events[r][4][0]

        if any(rf[r] == r or (wanted(r) is not None and value(rf[r]) != wanted(r)) for r in reads):
            continue
        orders = [[(w[0],) + p for p in itertools.permutations(w[1:])] for w in writes.values()]
        for chosen in itertools.product(*orders):
            co = {(a, b) for one in chosen for i, a in enumerate(one) for b in one[i + 1:]}
            yield {(w, r) for r, w in rf.items()}, co


@functools.lru_cache(maxsize=None)
def is_forbidden(program):
    """program: a tuple of events in program order. True if no consistent execution gives its values."""
    locations = sorted({e[2] for e in program if e[2]})
    events = [(-1, "W", x, "none", 0) for x in locations] + list(program)
    n, first = len(events), len(locations)
    sb = {(a, b) for a in range(first) for b in range(first, n)}
    sb |= {(a, b) for a in range(first, n) for b in range(a + 1, n) if events[a][0] == events[b][0]}
    return not any(is_consistent(events, sb, rf, co) for rf, co in choices(events, locations))

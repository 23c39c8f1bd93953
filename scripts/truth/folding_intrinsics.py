"""Which llvm.amdgcn intrinsics LLVM folds: every one that its library knows is tried, for folding.py.

The names are the strings of the library. The types of an intrinsic come from the verifier: it tells a wrong type of the
result or of an operand from a call that is right so far but has too few operands, so that types are found one by one."""
import re
import subprocess

# Types and constants to try, in order of preference. Masks, conditions and selectors are among the integers.
TYPES = {
    'i32': ('0', '33', '1', '516', '2', '32'), 'float': ('1.5', '0.0', '-3.0', '0.25', '1.0', '8.0'), 'i64': ('0', '1', '33', '5', '2', '8'),
    'half': ('1.5', '0.0', '-3.0', '0.25', '1.0', '8.0'), 'double': ('1.5', '0.0', '-3.0', '0.25', '1.0', '8.0'), 'i1': ('true', 'false') * 3,
    'i16': ('0', '1', '33', '5', '2', '8'), '<2 x i16>': ('<i16 1, i16 2>', 'zeroinitializer') * 3,
    '<2 x half>': ('<half 1.5, half -2.0>', 'zeroinitializer') * 3, 'bfloat': ('1.5', '0.0', '-3.0', '0.25', '1.0', '8.0'),
    '<2 x bfloat>': ('<bfloat 1.5, bfloat -2.0>', 'zeroinitializer') * 3, '<2 x float>': ('<float 1.5, float -2.0>', 'zeroinitializer') * 3,
    '<2 x i32>': ('<i32 1, i32 2>', 'zeroinitializer') * 3, '<4 x i32>': ('<i32 1, i32 2, i32 3, i32 4>', 'zeroinitializer') * 3,
}
TRIES = 6
OPERANDS = 6
WAYS = 3  # types at most with which an overloaded intrinsic goes on
ACCESS = re.compile(r'llvm\.amdgcn\.(image|raw|struct|s\.buffer|t?buffer|global|flat|ds\.(?!swizzle|permute|bpermute)[a-z.]*|mfma|smfmac|s?wmma'
                    r'|swmmac|atomic|make|load|exp|interp|cs|kernel|lds)(\.|$)')
# Folded, but compared under no name of an operation: why.
ELSEWHERE = {
    'llvm.amdgcn.ballot': 'the mask of a wave, which folds only for false', 'llvm.amdgcn.ballot.i64': 'another name of it',
    'llvm.amdgcn.icmp': 'the same of a compare; v_cmp is compared with icmp', 'llvm.amdgcn.fcmp': 'the same of a compare; v_cmp is compared with fcmp',
    'llvm.amdgcn.fma.legacy': 'no instruction before gfx10.3', 'llvm.amdgcn.permlane64': 'no instruction before gfx11',
    'llvm.amdgcn.wave.reduce.umin': 'no instruction: a loop', 'llvm.amdgcn.wave.reduce.umax': 'no instruction: a loop',
    'llvm.amdgcn.wqm.vote': 'no instruction: depends on EXEC',
}


def library_names(opt):
    """The names of intrinsics among the strings of the library that opt is linked with, but for accesses to memory."""
    linked = subprocess.run(['ldd', opt], capture_output=True, text=True, check=True).stdout
    path = re.search(r'=> (\S*libLLVM\S*)', linked)
    with open(path[1] if path else opt, 'rb') as file:
        found = set(re.findall(rb'\0(llvm\.amdgcn\.[a-z0-9._]*[a-z0-9])(?=\0)', file.read()))
    return sorted(name.decode() for name in found)


def modules(candidates):
    """Lists of candidates, of which no two have the same name."""
    found = []
    for candidate in candidates:
        for module in found:
            if candidate[0] not in module:
                module[candidate[0]] = candidate
                break
        else:
            found.append({candidate[0]: candidate})
    return [list(module.values()) for module in found]


def call_text(candidate, number, pick):
    """A function that calls the candidate (name, type of the result, types of operands...) with constants."""
    name, result, *operands = candidate
    given = ', '.join(f'{kind} {TYPES[kind][(pick + i) % TRIES]}' for i, kind in enumerate(operands))
    call = f'call {result} @{name}({given})'
    body = f'%r = {call}\nret {result} %r' if result != 'void' else f'{call}\nret void'
    return f'define {result} @try{number}.{pick}() {{\n{body}\n}}\n'


def declaration(candidate):
    name, result, *operands = candidate
    return f'declare {result} @{name}({", ".join(operands)})\n'


def verdicts(opt, candidates):
    """For each candidate 'no', 'more' operands, or 'whole'."""
    found = {}
    for module in modules(candidates):
        text = ''.join(declaration(c) + call_text(c, i, 0) for i, c in enumerate(module))
        done = subprocess.run([opt, '-S', '-passes=verify', '-o', '/dev/null'], input=text, capture_output=True, text=True, check=False)
        lines = done.stderr.splitlines()
        if done.returncode not in (0, 1) or (done.returncode and 'input module is broken' not in lines[-1]):
            raise RuntimeError(f'{opt}: {done.stderr[:500]}')
        said = {}
        for line, following in zip(lines, lines[1:]):
            name = re.search(r'@(llvm\.amdgcn\.[\w.]+)', following)
            if name and not line.startswith(' '):
                said.setdefault(name[1], []).append(line)
        for candidate in module:
            messages = [line for name, text in said.items() if name == candidate[0] or name.startswith(candidate[0] + '.') and name not in
                        [c[0] for c in module] for line in text]
            wrong = [line for line in messages if not re.search('variable arguments|too few arguments|Attribute after last', line)]
            found[candidate] = 'no' if wrong else 'more' if messages else 'whole'
    return found


def signatures(opt, names):
    """Calls of the intrinsics that the verifier takes: (name, type of the result, types of operands...)."""
    whole = []
    going = [(name, kind) for name in names for kind in TYPES]
    while going:
        heard = verdicts(opt, going)
        whole += [candidate for candidate in going if heard[candidate] == 'whole']
        right = {}
        for candidate in going:
            if heard[candidate] == 'more' and len(candidate) < OPERANDS + 2:
                right.setdefault(candidate[0], []).append(candidate)
        going = [(*candidate, kind) for candidates in right.values() for candidate in candidates[:WAYS] for kind in TYPES]
    return whole


def folded(opt, passes, calls):
    """Those of the calls that LLVM folds for at least one choice of constants, and those on which it aborts."""
    found, broken = set(), []
    waiting = modules(calls)
    while waiting:
        module = waiting.pop()
        text = 'target triple = "amdgcn-amd-amdhsa"\n'
        text += ''.join(declaration(c) + ''.join(call_text(c, i, pick) for pick in range(TRIES)) for i, c in enumerate(module))
        done = subprocess.run([opt, '-S', f'-passes={passes}'], input=text, capture_output=True, text=True, check=False)
        if done.returncode:  # it aborts on a call: which?
            half = len(module) // 2
            broken += module if not half else []
            waiting += [module[:half], module[half:]] if half else []
            continue
        for number, body in re.findall(r'^define [^\n]* @try(\d+)\.\d+\(\)[^\n]*\{\n(.*?)^\}', done.stdout, re.M | re.S):
            if re.match(r'  ret [^%]*$', body) and 'poison' not in body and 'undef' not in body:
                found.add(module[int(number)])
    return found, broken


def report(opt, passes, ops, only):
    """Prints which intrinsics fold of those whose names contain the text; whether all of them are compared."""
    names = [name for name in library_names(opt) if only in name]
    tried = [name for name in names if not ACCESS.match(name)]
    calls = signatures(opt, tried)
    folds, broken = folded(opt, passes, calls)
    compared = {name for op in ops for name in re.findall(r'llvm\.amdgcn\.[a-z0-9.]+', op.ir)}
    fine = True
    called = {call[0] for call in calls}
    for name in sorted({call[0] for call in folds}):
        shown = ', '.join(f'{c[1]} ({", ".join(c[2:])})' for c in calls if c[0] == name and c in folds)
        by_us = any(other == name or other.startswith(name + '.') for other in compared)
        fine = fine and (by_us or name in ELSEWHERE)
        print(f'{"folds" if by_us else "folds, not compared"}: {name}: {shown}' + (f': {ELSEWHERE[name]}' if name in ELSEWHERE else ''))
    for call in broken:
        print(f'LLVM aborts: {call[0]}: {call[1]} ({", ".join(call[2:])})')
    print('does not fold: ' + ' '.join(sorted(called - {call[0] for call in folds})))
    print('gives nothing, a pointer or a structure: ' + ' '.join(sorted(set(tried) - called)))
    print(f'{len(names)} names of intrinsics: {len(names) - len(tried)} access memory or multiply matrices, {len(called)} called, {len({c[0] for c in folds})} fold')
    return fine and bool(folds)

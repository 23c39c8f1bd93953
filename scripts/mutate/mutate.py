#!/usr/bin/env python3
"""Derives mutants from the rows: python3 scripts/mutate/mutate.py DIR writes DIR/mutants_NAME.c for each family of rows
(oracle/isa/family.def), for operands and for the step loop (exec). They make up build/libmutants.a.

A mutant is the model with one planted bug (harness/mutant/mutant.h). Its id names it for good: OPCODE.WHAT for a bug in
one opcode, ENCODING.WHAT (operand.WHAT: every encoding) for one in fetch, store or address calculation. Four
sources:

  rows      the bodies in oracle/isa/rows/*.def, changed by rules (mutate_rules.py), and what stands around them
            (mutate_rows.py), or, where a body is one call, by hand (mutate_f32.py, mutate_f16.py); they become functions
            by the same macros as the right ones
  helpers   the functions that bodies call, changed by hand (mutate_helpers.py, mutate_buf.py, mutate_img.py, mutate_sample.py,
            mutate_mai.py)
  operands  oracle/sem/operand.c, changed by hand (mutate_operands.py)
  loop      oracle/exec/exec.c, changed by hand (there too): what MODE and traps add to an instruction

Mistakes that can be made at many rows are not made here: harness/mutant/slip.h.

A hand-made change names a function and a piece of C that must stand in it exactly once, in whatever layout and with
operands in either order (csource.py); else the build of mutants stops here and says which, so that nobody loses a
mutant by editing the original. Rules see a row's body in one layout, however it is written. Mutants of state, which
need several instructions to show, are C: harness/mutant/state.c. A rule must not yield what behaves as the right one
does: the conditions beside the rules are there for that, and the directed cases show it
(scripts/mutate/mutation-score.sh). Families that any case kills are thinned (THINNED).
"""
import collections
import os
import re
import sys

import csource
import mutate_buf
import mutate_f16
import mutate_f32
import mutate_img
import mutate_mai
import mutate_rows
import mutate_sample
from mutate_helpers import HELPERS
from mutate_operands import LOOP, OPERANDS
from mutate_rules import RULES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAMILIES = {"sop": ("oracle/sem/alu/sop.c", ("sop1", "sop2", "sopc", "sopk", "sopp")), "smem": ("oracle/sem/mem/smem.c", ("smem",)),
            "vop": ("oracle/sem/alu/vop.c", ("mai", "vintrp", "vop1", "vop2", "vop3a", "vop3b", "vop3p", "vopc")),
            "mem": ("oracle/sem/mem/mem.c", ("ds", "flat", "global", "scratch")), "buf": ("oracle/sem/mem/buf.c", ("mtbuf", "mubuf")),
            "img": ("oracle/sem/mem/img.c", ("exp", "mimg")), "sample": ("oracle/sem/mem/sample.c", ("mimg",)),
            "mai": ("oracle/sem/alu/mai.c", ("mai",))}
UNITS = ("sample", "mai")  # their rows are OPX, no others are
# Headers whose functions the rows of a family call, beside those of its file.
HEADERS = {"smem": ("oracle/sem/mem/atomic.h",), "mem": ("oracle/sem/mem/mem.h", "oracle/sem/mem/atomic.h"),
           "buf": ("oracle/sem/mem/atomic.h", "oracle/fp/format.c"), "img": ("oracle/sem/mem/atomic.h", "oracle/sem/mem/image.h"),
           "sample": ("oracle/sem/mem/image.h", "oracle/sem/mem/sampler.h")}


# Families that any case of an opcode kills: of the rows of an encoding that have one, in the order of the file, the first
# of each THINNED_BY keeps it.
THINNED = re.compile(r"scc_inverted|s\d_is_s\d|exec_ignored")
THINNED_BY = 8

# Mutants that the rules make and that behave as the model: id: reason. An id that no rule makes stops the build.
EQUIVALENT = {}


def fail(text):
    sys.exit("mutate.py: " + text)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


# ---- the sources ----

class Row:
    def __init__(self, family, macro, name, shape, flags, body, enc, operands):
        self.family, self.macro, self.name, self.shape = family, macro, name, shape
        self.flags, self.body, self.enc = flags, body, enc
        self.type = {var: t for _, var, _, t in operands}
        self.kind = {var: k for _, var, k, _ in operands}

    def has(self, flag):
        return flag in self.flags.split(" | ")


def parse_shapes():
    """name -> (encoding, [(direction, variable, kind, type)])"""
    text = re.sub(r"\\\n", " ", re.sub(r"/\*.*?\*/", "", read("oracle/isa/shape.def"), flags=re.S))
    macros = {m[1]: (m[2].replace(" ", "").split(","), m[3])
              for m in re.finditer(r"^#define (\w+)\(([^)]*)\) *(.*)$", text, re.M)}

    def expand(name, args):
        params, body = macros[name]
        actual = dict(zip(params, args))
        body = re.sub(r"\w+", lambda m: actual.get(m[0], m[0]), body)
        return re.sub(r"(\w+_)\(([^()]*)\)", lambda m: expand(m[1], [a.strip() for a in m[2].split(",")]), body)

    shapes = {}
    for name, (params, _) in macros.items():
        if params != ["E", "W", "R", "RW"]:
            continue
        text = expand(name, params)
        enc = re.search(r"\bE\((\w+),", text)
        if not enc:
            fail(f"oracle/isa/shape.def: no encoding in shape {name}")
        shapes[name] = (enc[1], re.findall(r"\b(W|R|RW)\((\w+), *\w+, *(\w+), *(\w+)\)", text))
    return shapes


ROW = re.compile(r"(OP[A-Z]?)\((\w+),\s*(\w+),\s*(?:N|GFX9|ON|NEEDS)\((?:[^()]|\([^()]*\))*\),\s*([\w |()]+),\s*\{(.*?)\}\)[ \t]*$", re.M | re.S)


def parse_rows(shapes):
    rows = []
    for family, (_, files) in FAMILIES.items():
        for name in files:
            path = f"oracle/isa/rows/{name}.def"
            text = read(path)
            for start in re.finditer(r"^OP[A-CE-Z]?\(", text, re.M):  # OPD rows have no body
                m = ROW.match(text, start.start())
                if not m or m[3] not in shapes:
                    line = text.count("\n", 0, start.start()) + 1
                    fail(f"{path}:{line}: a row that this script does not understand")
                if (m[1] == "OPX") != (family in UNITS):
                    continue
                enc, operands = shapes[m[3]]
                rows.append(Row(family, m[1], m[2], m[3], m[4], csource.spaced(m[5]), enc, operands))
    return rows


def variant(functions, edits, suffix, who):
    """Applies edits (function, old, new); returns the changed functions and all that lead to them, renamed."""
    changed = dict(functions)
    for function, old, new in edits:
        if function not in changed:
            fail(f"mutant {who}: there is no function {function}")
        changed[function], count = csource.replace(changed[function], old, new)
        if count != 1:
            fail(f"mutant {who}: in {function} the text '{old}' was found {count} times, wanted once")
    names = {e[0] for e in edits}
    while True:
        more = {n for n, t in changed.items() if n not in names and not names.isdisjoint(csource.words(t))}
        if not more:
            break
        names |= more
    rename = {n: n + suffix for n in changed if n in names}  # in the order of the file
    text = "\n".join(rename_words(t, rename) for n, t in changed.items() if n in names)
    return text, rename


def rename_words(text, rename):
    return re.sub(r"(?<![.>])(?<!struct )\b\w+", lambda m: rename.get(m[0], m[0]), text)


# ---- rows ----

ADDRESS_RULES = ("addr1", "aligned", "next", "forward", "unscaled")
CAPS = {"value": 8, "flag": 4, "exec": 3, "modifier": 2, "address": 4}  # of one row and kind, by RULES

# Operands exchanged: only where the body tells them apart.
ASYMMETRIC = re.compile(r"\bS[01]\b (-|<<|>>) \(?S[01]\b|fsub32|& ~S1|popcount32\(S0|S[01] & (31|63)\) << \(S[01]|"
                        r"<< 32 \| S1|\(S0 << 1\)|\(S0 << 2\)|bits\d\d\(S0")


def statements(body):
    return [s.strip() for s in body.split(";") if s.strip()]


def kind_of(row, rule, old):
    if rule in ADDRESS_RULES:
        return "address"
    if "CLAMP" in old and row.has("CLAMP_INT"):
        return "modifier"
    if "&D)" in old or "&t)" in old:
        return "value"
    if re.match(r"EXEC = |if \(!?EXEC\)", old):
        return "exec"
    if re.match(r"CARRY = |if \(!?[SV]CC\)", old) or "SCC" in old.split(" = ")[0] and row.enc not in ("SOPC",) \
            and "cmpk" not in row.name or rule in ("scc_ignored", "cin_ignored"):
        return "flag"
    return "value"


def rule_mutants(row):
    """(what, kind, flags, body, text) for each applicable rule"""
    parts = statements(row.body)
    for index, old in enumerate(parts):
        for what, pattern, new, when in RULES if row.family != "buf" else [(*r, None) for r in mutate_buf.RULES]:
            if when and not when(row):
                continue
            m = re.search(pattern, old)
            if not m:
                continue
            put = new(m, row) if callable(new) else m.expand(new)
            changed = old[:m.start()] + put + old[m.end():]
            body = "; ".join(parts[:index] + [changed] + parts[index + 1:]) + ";"
            yield what, kind_of(row, what, old), row.flags, body, f"{changed} instead of {old}"


def without(row, flag):
    return " | ".join(f for f in row.flags.split(" | ") if f != flag) or "0"


def f32_mutants(row, body):
    """Bugs of the f32 and f16 opcodes whose bodies are one call (mutate_f32.py, mutate_f16.py)."""
    for what, pattern, old, new, text in mutate_f32.BUGS + mutate_f16.BUGS:
        if re.match(pattern, row.name):
            changed, count = csource.replace(body, old, new)
            if not count:
                fail(f"mutate_f32.py, mutate_f16.py: {row.name}.{what}: no '{old}' in the row")
            yield what, "value", row.flags, changed, text
    for what, pattern, first, text in mutate_f32.EVERYWHERE + mutate_f16.EVERYWHERE:
        if re.match(pattern, row.name):
            yield what, "value", row.flags, first + body, text


def fixed_mutants(row):
    """What a row's flags and shape offer beside its text."""
    body = row.body if row.body.endswith(";") or not row.body else row.body + ";"
    if row.macro in ("OP", "OPF", "OPH"):
        if row.has("WR_SCC"):
            yield "scc_kept", "flag", without(row, "WR_SCC"), body, "SCC is not written"
            yield "scc_inverted", "flag", row.flags, body + " SCC = !SCC;", "SCC is inverted"
        if row.has("WR_EXEC") and not re.search("_(t|tru)_", row.name):  # EXEC and ones is EXEC
            yield "exec_kept", "exec", without(row, "WR_EXEC"), body, "EXEC is not written"
        if "CARRY" in row.type:
            yield "carry_zero", "flag", row.flags, body + " CARRY = 0;", "the carry is always 0"
            yield "carry_inverted", "flag", row.flags, body + " CARRY = !CARRY;", "the carry is inverted"
        if row.enc == "VOPC":
            yield "inverted", "flag", row.flags, body + " D = !D;", "the mask is inverted"
        if row.has("CLAMP_INT"):
            never, always = re.sub(r"\bCLAMP\b", "false", body), re.sub(r"\bCLAMP\b", "true", body)
            yield "clamp_ignored", "modifier", row.flags, never, "clamp has no effect"
            yield "clamp_always", "modifier", row.flags, always, "saturates without clamp"
        if "saveexec" in row.name:
            yield "old_lost", "exec", row.flags, body + " D = EXEC;", "the destination gets the new EXEC"
        if "S1" in row.type and row.type["S0"][-2:] == row.type["S1"][-2:] and ASYMMETRIC.search(row.body):
            swapped = rename_words(body, {"S0": "S1", "S1": "S0"})
            yield "swapped", "value", row.flags, swapped, "the sources are exchanged"
    yield from f32_mutants(row, body)
    if row.macro in ("OPF", "OPH"):
        if row.enc != "VOPC" and re.search(r"f(add|mul|fma|ldexp|div_fmas|fract)64|cvt_f32_f64", body):
            yield "f32_rounds", "value", row.flags, \
                ("E->round = w->f64.round; " if "cvt" in row.name else "E->round = w->f32.round; ") + body, \
                "rounds by MODE's other field"
        if re.search(r"f\w+64\(E|cvt_\w*f64", body) and not re.search("_f64_[iu]32|[iu]32_f64|class|frexp|trig|trunc|rndne|_f_f64|_[ou]_f64|tru_", row.name):
            yield "f32_flushes", "value", row.flags, "E->flush_in = w->f32.flush_in; E->flush_out = w->f32.flush_out; " + body \
                if "cvt" not in row.name else "E->flush_in = w->f32.flush_out; E->flush_out = w->f64.flush_in; " + body, \
                "flushes by MODE's other field"
        if re.search(r"f(add|sub|mul|mad|fma)32|cvt_f32_[ui]32|f(add|mul|fma|ldexp|div_fmas|fract|div_fixup)64|cvt_f32_f64", body) \
                and "ubyte" not in row.name:
            yield "round_ignored", "value", row.flags, "E->round = ROUND_EVEN; " + body, "always rounds to even"
        if re.search(r"f(add|sub|mul|fma)32|f(add|mul|fma|ldexp|cmp)64|cvt_f(32_f64|64_f32)", body) \
                and not re.search("_[ou]_f64|tru_|_f_f64", row.name):
            yield "denorm_kept", "value", row.flags, "E->flush_in = E->flush_out = 0; " + body, \
                "subnormals are never flushed"
            yield "denorm_flushed", "value", row.flags, "E->flush_in = E->flush_out = 1; " + body, \
                "subnormals are always flushed"
        if re.search(r"f(min|max)(32|64)", body):
            yield "ieee_ignored", "value", row.flags, "E->ieee = 0; " + body, "MODE.IEEE counts as 0"


# Two for each scalar encoding that has no other business with EXEC.
SKIPPED_AT_EXEC0 = ("s_add_u32", "s_lshl_b64", "s_movk_i32", "s_cmpk_eq_i32", "s_cmp_eq_i32", "s_cmp_lg_u64",
                    "s_load_dword", "s_load_dwordx2")


def around_mutants(row):
    """Bugs around the right function: (what, kind, text, C statements with CALL)"""
    if row.name in SKIPPED_AT_EXEC0:
        yield "exec0_skips", "exec", "does nothing while EXEC is 0", "if (wave_exec(w)) CALL;"
    yield from mutate_rows.around(row)
    if row.family == "mem" and not row.has("LANEWISE") and row.type:
        force = "u64 old = wave_exec(w); pair_set(&w->sgpr[CODE_EXEC], {}); CALL; pair_set(&w->sgpr[CODE_EXEC], old);"
        yield "exec_ignored", "exec", "acts for all lanes", force.format("~0ull")
        if re.search(r"(load|store)_dword$|ds_(read|write)_b32$", row.name):
            yield "exec_low", "exec", "lanes 32 to 63 do not act", force.format("(u32)old")


# ---- output ----

def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Out:
    """One generated file: functions, then the table of its mutants."""

    def __init__(self, name, head):
        self.name, self.text, self.table, self.left_out = name, [head], [], set()

    def add(self, ident, enc, op, kind, text, field, value):
        kind, _, bug = kind.partition("/")  # "address/line crossed": the kind, and a class of bug of its own
        self.table.append(f"    {{ .id = {c_string(ident)}, .enc = {'ENC_' + enc if enc else 'ENC_COUNT'}, "
                          f".op = {'OP_' + op if op else 'OP_NONE'}, .kind = MUTANT_{kind.upper()}, "
                          f"{f'.class = {c_string(bug)}, ' if bug else ''}.text = {c_string(text)}, .{field} = {value} }},")

    def write(self, folder):
        table = f"const struct mutant mutants_{self.name}[] = {{\n" + "\n".join(self.table) + "\n};\n" \
                f"const u32 mutants_{self.name}_count = {len(self.table)};\n"
        text = "/* Made by scripts/mutate/mutate.py; every mutant has one bug, on purpose. */\n" \
               '#include "harness/mutant/mutant.h"\n#include "oracle/isa/op.h"\n' + "\n".join(self.text) + "\n" + table
        path = os.path.join(folder, f"mutants_{self.name}.c")
        if not os.path.exists(path) or read(path) != text:  # an unchanged file is not compiled again
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)


def family_head(family):
    """The file of a family up to its rows: helpers and macros."""
    path, defs = FAMILIES[family]
    text = read(path)
    if family == "buf":  # with the conversions, under other names
        public = csource.prototypes(read("oracle/fp/format.h"))
        text = rename_words(read("oracle/fp/format.c") + text, {n: "own_" + n for n in public})
    cut = re.search(r"^#undef OP", text, re.M)
    if not cut:
        fail(f"{path}: no #undef of the row macros")
    return re.sub(rf'^#include "oracle/isa/rows/({"|".join(defs)})\.def"$', "", text[:cut.start()], flags=re.M)


def row_mutants(family, rows, functions):
    out = Out(family, family_head(family))
    out.text += [f"extern sem_fn *const sem_{row.name}_base;" for row in rows]
    number = 0
    thinned = collections.Counter()
    copies = {}  # edits -> what is renamed; one copy of the functions serves all rows
    for row in rows:
        names, taken = {}, {}
        seen = {(row.flags, csource.words(row.body.rstrip(";")))}

        def place(what, kind, text, emit):
            nonlocal number
            names[what] = names.get(what, 0) + 1
            ident = row.name + "." + what + (str(names[what]) if names[what] > 1 else "")
            if THINNED.fullmatch(what):
                thinned[row.enc, what] += 1
                if thinned[row.enc, what] % THINNED_BY != 1:
                    return
            if ident in EQUIVALENT:
                out.left_out.add(ident)
                return
            name = f"m{number}"
            number += 1
            out.text.append(emit(name))
            out.add(ident, row.enc, row.name, kind, text, "sem", "sem_" + name)

        def place_body(what, kind, flags, body, text):
            key = (flags, csource.words(body.rstrip(";")))
            if key in seen:
                return
            seen.add(key)
            place(what, kind, text, lambda n: f"{row.macro}({n}, {row.shape}, , {flags}, {{ {body} }})")

        for mutant in fixed_mutants(row):
            place_body(*mutant)
        for mutant in rule_mutants(row):
            kind = mutant[1]
            if taken.get(kind, 0) < CAPS[kind]:
                taken[kind] = taken.get(kind, 0) + 1
                place_body(*mutant)
        for what, kind, text, code in around_mutants(row):
            call = f"sem_{row.name}_base(w, in)"
            place(what, kind, text, lambda n: f"static void sem_{n}(struct wave *w, const struct xinsn *in) "
                  f"{{ {code.replace('CALL', call)} }}")
        for what, kind, pattern, edits, text in HELPERS + mutate_buf.HELPERS + mutate_img.HELPERS + mutate_sample.HELPERS + \
                mutate_mai.HELPERS:
            if not re.match(pattern, row.name):
                continue
            key = tuple(edits)
            if key not in copies:
                copy, copies[key] = variant(functions, edits, f"_{len(copies)}", row.name + "." + what)
                out.text.append(copy)
            rename = copies[key]
            if family == "buf":  # the macros call them
                before = "".join(f"#define {a} {b}\n" for a, b in rename.items())
                after = "".join(f"\n#undef {a}" for a in rename)
                place(what, kind, text, lambda n: f"{before}{row.macro}({n}, {row.shape}, , {row.flags}, {{ {row.body} }}){after}")
                continue
            body = rename_words(row.body, rename)
            if body == row.body:
                fail(f"mutant {row.name}.{what}: the row does not call {edits[0][0]}")
            place(what, kind, text, lambda n: f"{row.macro}({n}, {row.shape}, , {row.flags}, {{ {body} }})")
    return out


MODIFIERS = ("prepare_modifiers", "read_negabs")  # functions of oracle/sem/operand.c


def operand_mutants():
    source = read("oracle/sem/operand.c")
    functions = csource.functions(source)
    out = Out("operand", "#define MUTANT 1\n#define SEM_NAME mutant\nextern const struct operand_ops operand_ops_mutant;\n" + source)
    out.text.append("""
#define FILTER(name, ENC, right, wrong)                                                            \\
    static void name##_prepare(struct xinsn *x, const struct insn *in)                             \\
    {                                                                                              \\
        (insn_row(in)->enc == ENC ? &wrong : &right)->prepare(x, in);                              \\
    }                                                                                              \\
    static bool name##_plain(struct xinsn *x, const struct insn *in, const struct plain_table *t,  \\
                             const struct plain_form *f)                                           \\
    {                                                                                              \\
        return (insn_row(in)->enc == ENC ? &wrong : &right)->prepare_plain(x, in, t, f);           \\
    }                                                                                              \\
    static const struct operand_ops name = { name##_prepare, name##_plain, addresses };
""")
    for number, (what, kind, encs, edits, text) in enumerate(OPERANDS):
        copy, rename = variant(functions, edits, f"_{number}", "operand." + what)
        if "OPERAND_OPS" not in rename:
            fail(f"mutant operand.{what}: {edits[0][0]} does not lead to the table of oracle/sem/operand.c")
        table = rename["OPERAND_OPS"]
        # Modifiers are read by prepare alone, so that a mutant of them may have the short way for what has none, and is as quick
        # as the model.
        short = all(function in MODIFIERS for function, _, _ in edits)
        out.text.append(f"#undef DIRECT\n#define DIRECT {'true' if short else 'false'}\n"
                        f"static const struct operand_ops {table};\n" +
                        csource.replace(copy, f"const struct operand_ops {table} =", f"static const struct operand_ops {table} =")[0])
        if not encs:
            out.add("operand." + what, None, None, kind, text, "operand", "&" + table)
            continue
        for enc in encs.split():
            name = f"ops_{enc}_{number}"
            out.text.append(f"FILTER({name}, ENC_{enc}, operand_ops_base, {table})")
            out.add(f"{enc.lower()}.{what}", enc, None, kind, text, "operand", "&" + name)
    return out


def loop_mutants():
    # Every instruction goes the special way, so that a change there is reached from the loop.
    source = read("oracle/exec/exec.c")
    for old, new in (("exec_insn(w, in);", "exec_special(w, in);"), ("const struct exec_ops exec_ops =", "const struct exec_ops loop_ops ="),
                     ("void exec_special(", "static void special("), ("exec_special(", "special("),
                     ("bool exec_indexed(", "__attribute__((unused)) static bool indexed(")):
        source, count = csource.replace(source, old, new)
        if not count:
            fail(f"oracle/exec/exec.c: no '{old}'")
    functions = csource.functions(source)
    out = Out("exec", source)
    for number, (what, kind, edits, text) in enumerate(LOOP):
        copy, rename = variant(functions, edits, f"_{number}", "loop." + what)
        if "loop_ops" not in rename:
            fail(f"mutant loop.{what}: {edits[0][0]} does not lead to the table of oracle/exec/exec.c")
        out.text.append(copy)
        out.add("loop." + what, None, None, kind, text, "exec", "&" + rename["loop_ops"])
    return out


def main():
    if len(sys.argv) != 2:
        fail("usage: mutate.py DIR")
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    rows = parse_rows(parse_shapes())
    common = csource.functions(read("oracle/sem/sem.h"))
    outs = []
    for family, (path, _) in FAMILIES.items():
        functions = dict(common)
        for source in (*HEADERS.get(family, ()), path):
            functions.update(csource.functions(read(source)))
        outs.append(row_mutants(family, [r for r in rows if r.family == family], functions))
    outs += [operand_mutants(), loop_mutants()]
    ids = [re.search(r'\.id = "([^"]*)"', line)[1] for out in outs for line in out.table]
    for ident, count in collections.Counter(ids).items():
        if count > 1:
            fail(f"two mutants are called {ident}")
    for ident in sorted(set(EQUIVALENT).difference(*(out.left_out for out in outs))):
        fail(f"EQUIVALENT names {ident}, which no rule makes")
    for out in outs:
        out.write(folder)


main()

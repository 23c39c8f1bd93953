#!/usr/bin/env python3
"""Every call of a library that can fail is checked: where its answer is thrown away, something remembers. TAP 13.

    scripts/check/library.py

Of jansson, msgpack, libelf, libdw, libyaml, zstd and open_memstream. A call whose answer is not used, and is not one that cannot
fail (CANNOT_FAIL), needs what remembers its failure for the whole text (REMEMBERS), in the same file and behind it. A pointer that a
library answers is compared, or handed on to a call that bears NULL, in the function that has it. Planted ones are found.
"""
import glob, os, re, sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

# Of calls whose answer nobody uses: these have none, or cannot fail.
CANNOT_FAIL = re.compile(r"json_(decref|object_foreach|array_foreach|memory_watch|set_alloc_funcs|delete)$|"
                         r"msgpack_(unpacked_(init|destroy)|sbuffer_(init|clear|destroy)|packer_init|zone_\w+|pack_fix_\w+)$|"
                         r"elf_end$|dwarf_end$|dwarf_new_oom_handler$|dwarf_lineendsequence$|yaml_(document|parser)_delete$|yaml_parser_set_input_string$|ZSTD_free\w+$")
# What remembers: calls that match, and what must come behind them in their file.
REMEMBERS = [(re.compile(r"json_(object_set|array_append|object_update|array_insert)\w*$"), "json_memory_was_short("),
             (re.compile(r"msgpack_pack_\w+$"), r"(pack_memory_was_short\(|->failed|->is_short|j->st\b|pack_memory_write\)|msgpack_packer \*)")]
# Answers that may be NULL for want of memory or because of the file.
POINTERS = re.compile(r"\b(elf_memory|elf_begin|elf_getscn|elf_getdata|elf_rawdata|elf_getdata_rawchunk|gelf_getehdr|gelf_getshdr|gelf_getphdr|"
                      r"dwarf_begin_elf|json_loadb|json_dumps|open_memstream|yaml_document_get_root_node|yaml_document_get_node)\(")
CALL = re.compile(r"^\s*(?:\(void\)\s*)?((?:json|msgpack|elf|gelf|yaml|dwarf|dwfl|ZSTD)_\w+)\(")


def functions(text):
    """(first line, text) of every function."""
    out, start = [], None
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line == "{":
            start = i
        elif line == "}" and start is not None:
            head = start
            while head > 0 and lines[head - 1] and not lines[head - 1].startswith(("}", "#", "/*", " */")) and not lines[head - 1].endswith((";", "*/")):
                head -= 1
            out.append((head, "\n".join(lines[head:i + 1])))
            start = None
    return out


def statement(lines, i):
    """Whether line i begins a statement, and so throws away what its call answers."""
    before = next((l.strip() for l in reversed(lines[:i]) if l.strip()), "")
    return before == "" or before.endswith((";", "{", "}", ":", "*/", ")", "else")) and not before.endswith(("&&", "||"))


def offenders(name, text):
    bad = []
    lines = text.split("\n")
    for i, line in enumerate(lines):
        m = CALL.match(line)
        if not m or not statement(lines, i) or CANNOT_FAIL.match(m[1]):
            continue
        # Its answer may be used where the statement goes on: a comparison, a question.
        whole = line
        for more in lines[i + 1:i + 12]:
            if ";" in whole or whole.rstrip().endswith("{"):
                break
            whole += more
        if re.search(r"\)\s*(==|!=|\?|&&|\|\||<|>)", whole):
            continue
        rule = next((r for r in REMEMBERS if r[0].match(m[1])), None)
        if not rule:
            bad.append("%s:%d: nobody looks at what %s answers" % (name, i + 1, m[1]))
        elif not re.search(rule[1] if rule[0].pattern.startswith("msgpack") else re.escape(rule[1]), text):
            bad.append("%s:%d: nothing remembers that %s failed" % (name, i + 1, m[1]))
    # A packer that writes into memory uses the function that remembers.
    for m in re.finditer(r"msgpack_packer_init\([^;]*\bmsgpack_sbuffer_write\b", text):
        bad.append("%s:%d: msgpack_sbuffer_write forgets: pack_memory_write" % (name, text.count("\n", 0, m.start()) + 1))
    if "pack_memory_write" in text and "msgpack_packer_init" in text and "pack_memory_was_short(" not in text and not re.search(r"^void \w+\(msgpack_sbuffer", text, re.M):
        bad.append("%s: nobody asks pack_memory_was_short()" % name)
    for m in re.finditer(r"\bopen_memstream\(", text): # fclose says nothing of what memory was too short for
        if "ferror(" not in text[m.start():]:
            bad.append("%s:%d: nobody asks ferror() of a stream into memory" % (name, text.count("\n", 0, m.start()) + 1))
    for first, body in functions(text):
        for m in POINTERS.finditer(body):
            line = body[body.rfind("\n", 0, m.start()) + 1:m.start()]
            if not line.strip() and body[:m.start()].rstrip().endswith("="):
                line = body[:m.start()].rstrip().rsplit("\n", 1)[-1] + " "
            kept = re.search(r"([\w.>\-]+(?:\[[^\]]*\])?) = (?:[^;=]*\? )?[^;=]*$", line)
            at = first + body.count("\n", 0, m.start()) + 1
            if "return" in line or "if (" in line or "while (" in line or "&&" in line or "||" in line or "!" in line:
                continue
            if not kept:
                before = body[:m.start()].rstrip()
                if before.endswith(("&&", "||", "(", "!", "?", ":", "return", ",")):
                    continue
                bad.append("%s:%d: what %s answers is not kept" % (name, at, m[1]))
                continue
            if "= {" in line: # a member of what is initialised
                kept = re.search(r"(\w+) = \{", line)
                var = re.escape(kept[1]) + r"\.\w+"
            else:
                var = r"(?:\w+(?:\.|->))?" + re.escape(kept[1].lstrip("."))
            behind = body[m.start():]
            if not re.search(r"(!\s*%s\b|\b%s\s*(&&|\|\||\?|==|!=)|\(\s*%s\s*\)|&&\s*%s\b|\|\|\s*%s\b|return %s\b|,\s*%s\s*[,)])" % ((var,) * 7), behind):
                bad.append("%s:%d: nobody asks whether %s answered anything" % (name, at, m[1]))
    return bad


PLANTED = """
static void put(json_t *o)
{
    json_object_set_new(o, "a", json_integer(1));
}

static void load(struct x *x)
{
    Elf_Scn *scn = elf_getscn(x->elf, 1);
    use(scn->x);
}

static void pack(msgpack_sbuffer *b)
{
    msgpack_packer pk;
    msgpack_packer_init(&pk, b, msgpack_sbuffer_write);
    elf_update(b, 1);
}

static void text(struct x *x)
{
    x->body = open_memstream(&x->text, &x->size);
    fputs("x", x->out);
}
"""


def main():
    files = [f for d in ("oracle", "fuzz", "reports", "harness") for f in glob.glob(d + "/**/*.[ch]", recursive=True)
             if not f.startswith(("harness/t/", "harness/fz/", "harness/sdk/", "harness/bench/"))]
    bad, calls = [], 0
    for f in sorted(files):
        text = open(f).read()
        if re.search(r"\b(json|msgpack|elf|gelf|yaml|dwarf|dwfl|ZSTD)_\w+\(|open_memstream\(", text):
            calls += len(re.findall(r"\b(?:json|msgpack|elf|gelf|yaml|dwarf|dwfl|ZSTD)_\w+\(|open_memstream\(", text))
            bad += offenders(f, text)
    print("TAP version 13\n1..2")
    for line in bad:
        print("# " + line)
    print("%s 1 - of %d calls of libraries, every failure is looked at or remembered" % ("not ok" if bad else "ok", calls))
    found = offenders("planted.c", PLANTED)
    want = ["json_object_set_new", "elf_getscn", "msgpack_sbuffer_write", "elf_update", "open_memstream", "ferror()"]
    missed = [w for w in want if not any(w in line for line in found)]
    for w in missed:
        print("# not found: " + w)
    print("%s 2 - %d planted ones are found" % ("not ok" if missed else "ok", len(want)))
    return bool(bad or missed)


if __name__ == "__main__":
    sys.exit(main())

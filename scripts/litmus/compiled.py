"""The sequences that clang-19 makes of the rows of the guide's table: an operation of LLVM's IR each, with stores to memory and LDS under
way before it, so that no wait is left out as needless."""
import re
import subprocess
import sys

SPACES = {"global": 1, "local": 3, "generic": 0, "private": 5, "constant": 4}
CPU = "gfx900"


def scope_text(scope):
    return "" if scope in ("-", "system") else f' syncscope("{scope}")'


def operation(row):
    """The IR of a row, its result in %v if it has one; NULL if LLVM has no such operation."""
    pointer = f"ptr addrspace({SPACES.get(row.space, 1)}) %p"
    hint = ", !nontemporal !0" if row.kind == "nontemporal" else ""
    word = "volatile " if row.kind == "volatile" else ""
    if row.operation == "fence":
        return f"fence{scope_text(row.scope)} {row.order}"
    if row.operation == "rmw":
        return None if row.order == "unordered" else f"%v = atomicrmw xchg {pointer}, i32 1{scope_text(row.scope)} {row.order}, align 4"
    atomic = row.order != "none"
    order = f"{scope_text(row.scope)} {row.order}" if atomic else ""
    word = "atomic " if atomic else word
    if row.operation == "load":
        return f"%v = load {word}i32, {pointer}{order}, align 4{hint}"
    return None if row.space == "constant" else f"store {word}i32 1, {pointer}{order}, align 4{hint}"


def function(name, row, body):
    used = "store volatile i32 %v, ptr addrspace(1) %d, align 4" if body.startswith("%v") else ""
    return f"""define void @{name}(ptr addrspace(1) %d, ptr addrspace(3) %l, ptr addrspace({SPACES.get(row.space, 1)}) %p) {{
  store i32 5, ptr addrspace(1) %d, align 4
  store i32 6, ptr addrspace(3) %l, align 4
  call void asm sideeffect "; MARK begin", "~{{memory}}"()
  {body}
  call void asm sideeffect "; MARK end", "~{{memory}}"()
  {used}
  ret void
}}
"""


def elements(lines, row):
    """The sequence between the marks. Instructions that only make values are no part of it."""
    found = []
    for line in lines:
        line = line.split(";")[0].strip()
        if not line:
            continue
        name = line.split()[0]
        if name == "s_waitcnt":
            found += [(counter,) for counter in ("lgkm", "vm") if f"{counter}cnt(0)" in line]
        elif name == "buffer_wbinvl1_vol":
            found.append(("inv",))
        elif re.match(r"(global|flat|ds|buffer|scratch)_", name):
            bits = [] if row.operation == "rmw" else [bit for bit in ("glc", "slc") if bit in line.split()]
            found.append(("access", *bits))
        elif not name.startswith("v_mov"):
            sys.exit(f"clang-19: {name} in the sequence of {row}")
    return tuple(found)


def rows(table):
    """The table with the sequences of clang-19, and the rows that keep the table's."""
    bodies = {f"row{i}": (row, operation(row)) for i, row in enumerate(table)}
    text = "".join(function(name, row, body) for name, (row, body) in bodies.items() if body) + "!0 = !{i32 1}\n"
    process = subprocess.run(["clang-19", "--target=amdgcn-amd-amdhsa", f"-mcpu={CPU}", "-O3", "-nogpulib", "-x", "ir", "-S", "-o", "-", "-"],
                             input=text, capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(process.stderr)
    found, name, inside = {}, None, False
    for line in process.stdout.splitlines():
        label = re.match(r"(row\d+):", line)
        if label:
            name, found[label.group(1)] = label.group(1), []
        elif "MARK begin" in line:
            inside = True
        elif "MARK end" in line:
            inside = False
        elif inside:
            found[name].append(line)
    result = [row._replace(sequence=elements(found[n], row)) if n in found else row for n, (row, _) in bodies.items()]
    return result, [row for n, (row, _) in bodies.items() if n not in found]

"""Tests of image instructions without a sampler whose lanes differ from each other, for calc_img.py: distinct texels and data
in lanes that do not stand side by side, with texels of their own for lanes between them that are off. Registers above
v127, resources at both ends of the scalar registers, and data that share registers with the address.
"""
from calc_buffer import M32, h, regs
from calc_buf_lanes import OFF, ON, Atomic, word, words
from calc_mem import block

TEXELS = {1: (2, 1), 6: (4, 0), 37: (0, 2), 0: (3, 1), 3: (1, 2)}
WAIT = "    s_waitcnt vmcnt(0)"


def test(title, why, image, srsrc, code, lanes, outs, errata=None, other=None):
    """lanes: what is set of each by number; those of OFF are off. Another image stands where a register number that loses
    bit 6 leads, and coordinates where one that loses bit 7 does."""
    ins = [image.text(srsrc) + f"  exec = {sum(1 << lane for lane in ON):#x}"]
    if srsrc > 63:
        ins += ["      " + (other or image).text(srsrc - 64, 1024) + "  v[2:4] = 0  # not what is named"]
    for lane, places in lanes.items():
        lines = block(places, "      ")
        lines[-1] += "  # off" if lane in OFF else ""
        ins += lines
    outs = [line for places in outs for line in block(places, "      ")]
    return ["", f"# {why}", f"test {title}"] + ([f"errata {errata}"] if errata else []) + ["mem   buf 4096", "in    " + ins[0]] + ins[1:] + [
        "code", code, WAIT, f"case  lanes {ON[0]}, {ON[1]} and {ON[2]} are on", "out   " + outs[0][6:]] + outs[1:]


def insn(name, vdata, n, vaddr, count, srsrc, dmask, flags=""):
    return f"    {name} {regs(vdata, n)}, {regs(vaddr, count)}, s[{srsrc}:{srsrc + 7}] dmask:{dmask:#x} unorm{flags}"


def address(vaddr, lane, mip):
    return [f"v{vaddr + i}.lane{lane} = {c}" for i, c in enumerate(TEXELS[lane] + (0,) * mip)]


EACH, SAME = "Each lane that is on has its own texel; those between them do nothing.", "All lanes read their address before any is written."


def access_tests(name, image, count, mip, dmask, seen, stored):
    """Loads if `seen` tells the components of a texel, else stores; `stored` makes a texel of them."""
    n, out = bin(dmask).count("1"), []
    for title, why, srsrc, vaddr, vdata in (("texels of lanes far apart, registers above v127", EACH, 92, 130, 200),
                                            ("the destination is the address" if seen else "the address is stored", SAME if seen else EACH, 0, 4, 4)):
        lanes, outs = {}, []
        for lane in TEXELS:
            at, raw = image.place(TEXELS[lane], False), word(lane, 0)
            places = address(vaddr, lane, mip)
            if seen:
                places += [f"buf[{at}].b32 = {h(raw)}"] if lane in ON else []
                result = [f"{regs(vdata, n)}.lane{lane} = {h(words(seen(raw)[:n]), 32 * n)}"]
            else:
                data = [word(lane, i) & 0xff if n > 1 else word(lane, i) for i in range(n)]
                for i, c in enumerate(TEXELS[lane] + (0,) * mip if vdata == vaddr else ()):
                    data[i:i + 1] = [c] if i < n else []
                own = data[len(TEXELS[lane]) + mip:] if vdata == vaddr else data
                places += [f"{regs(vdata + n - len(own), len(own))}.lane{lane} = {h(words(own), 32 * len(own))}"] * bool(own)
                result = [f"buf[{at}].b32 = {h(stored(data))}"]
            lanes[lane] = places
            outs += [result] if lane in ON else []
        out += test(title, why, image, srsrc, insn(name, vdata, n, vaddr, count, srsrc, dmask), lanes, outs)
    return out


def atomic_tests(name, image, rule, op):
    access, out = Atomic(op, 32), []
    n = access.dw
    for title, why, srsrc, vaddr, vdata, glc in (("texels of lanes far apart, registers above v127", EACH, 92, 130, 200, False),
                                                 ("texels of lanes far apart, the old values come back", EACH, 16, 127, 126 - n, True),
                                                 ("the destination is the address", SAME, 0, 4, 4, True)):
        lanes, outs = {}, []
        for lane in TEXELS:
            at, data = image.place(TEXELS[lane], False), access.data(lane)
            places = address(vaddr, lane, False)
            if vdata == vaddr:
                data = words(TEXELS[lane][:n])
            else:
                places.append(f"{regs(vdata, n)}.lane{lane} = {h(data, 32 * n)}")
            ((_, old),) = access.prepare(lane, data, None)
            new = rule(old, data & M32, data >> 32, 32) & M32
            if lane in ON:
                places.append(f"buf[{at}].b32 = {h(old)}")
                outs.append([f"buf[{at}].b32 = {h(new)}"] * (new != old) + [f"v{vdata}.lane{lane} = {h(old)}"] * glc)
            lanes[lane] = places
        out += test(title, why, image, srsrc, insn(name, vdata, n, vaddr, 2, srsrc, (1 << n) - 1, " glc" * glc), lanes, [o for o in outs if o])
    return out


def size_test(name, image, other):
    lanes = {lane: [f"v130.lane{lane} = 0"] for lane in TEXELS}
    outs = [[f"v[200:201].lane{lane} = {h(image.width | image.height << 32, 64)}"] for lane in ON]
    low = test("a resource in s[0:7]", "The first scalar registers are a resource like others.", image, 0, insn(name, 200, 2, 130, 1, 0, 3), lanes, outs, "MIMG-U02")
    return low + test("lanes far apart, registers above v127", "Lanes that are off keep their registers.", image, 92, insn(name, 200, 2, 130, 1, 92, 3), lanes, outs, "MIMG-U02", other)

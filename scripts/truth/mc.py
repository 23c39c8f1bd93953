"""What LLVM 19's assembler makes of lines, many at once."""
import re
import shutil
import subprocess

LLVM_MC = 'llvm-mc-19'
BATCH = 20000  # lines a run: one bad line makes several lines of messages
ENCODING = re.compile(r'; encoding: \[([^]]*)\]')
REFUSED = re.compile(r'^<stdin>:(\d+):\d+: error:', re.M)


class Failed(Exception):
    """llvm-mc did not answer; its reason."""


def found():
    return shutil.which(LLVM_MC) is not None


def _dwords(encoding):
    data = bytes(int(byte, 16) for byte in encoding.split(','))
    return ' '.join('%08x' % int.from_bytes(data[at:at + 4], 'little') for at in range(0, len(data), 4))


def assemble(lines, mcpu='gfx900'):
    """The dwords in hex of each line, or None where it is refused."""
    answers = []
    for start in range(0, len(lines), BATCH):
        part = lines[start:start + BATCH]
        done = subprocess.run([LLVM_MC, '-triple=amdgcn-amd-amdhsa', f'-mcpu={mcpu}', '-show-encoding'], input='\n'.join(part) + '\n',
                              capture_output=True, text=True, check=False)
        refused = {int(number) - 1 for number in REFUSED.findall(done.stderr)}
        codes = iter([_dwords(encoding) for encoding in ENCODING.findall(done.stdout)])
        got = [None if i in refused else next(codes, None) for i in range(len(part))]
        if next(codes, None) is not None or None in (code for i, code in enumerate(got) if i not in refused):
            raise Failed(f'{LLVM_MC}: {len(part)} lines, {len(refused)} refused, {len(ENCODING.findall(done.stdout))} encoded')
        answers += got
    return answers

"""The work of builtins.sh (which see): kernels of one function each are compiled, launched over inputs, and what they
computed is judged by harness/t/truth/builtins.c. Each function is one point."""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
from tap import Tap  # noqa: E402

GCNCHECK = os.path.abspath(os.environ.get('GCNCHECK') or ROOT / 'build' / 'gcncheck')
WORK = pathlib.Path(os.path.abspath(os.environ.get('BUILD') or ROOT / 'build')) / 'truth'
LIBS = os.environ.get('ROCM_DEVICE_LIBS', '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode')
MCPUS = ('gfx900', 'gfx906', 'gfx908')
KNOWN = ROOT / 'scripts' / 'truth' / 'builtins.known'
GROUP = 256
KERNELS = 12  # of one compilation: all wait for the longest


class Failed(Exception):
    """A step could not be done; what it printed."""


class Function:
    """A line of `builtins list`, and the processor that it runs on."""

    def __init__(self, line, mcpu):
        self.id, self.counts_as, self.operands, self.type, self.result, self.bound, self.text = line.split('\t')
        self.mcpu = mcpu

    def kernel(self):
        arguments = ''.join(f'__global const {"int" if o == "n" else self.type} *p{o}, ' for o in self.operands)
        loads = ''.join(f' {"int" if o == "n" else self.type} {o} = p{o}[i];' for o in self.operands)
        text = self.text.replace('T ', self.type + ' ').replace('(T)', f'({self.type})')
        return (f'__kernel void k_{self.id}({arguments}__global {self.result} *r)\n'
                f'{{\n    size_t i = get_global_id(0);{loads}\n    r[i] = {text};\n}}\n')

    def launch(self, count):
        size = {'half': 2, 'float': 4, 'int': 4, 'double': 8}[self.result] * count
        buffers = ''.join(f'buf {name}.bin\n' for name in 'abc'[:len(self.operands)])
        return f'kernel k_{self.id}\ngrid {count} 1 1\nworkgroup {GROUP} 1 1\n{buffers}tmp {size}\n'


def run(*command, cwd=None, codes=(0,)):
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise Failed(f'{command[0]}: code {done.returncode}: {(done.stdout + done.stderr).strip()[-2000:]}')
    return done


def build_judge():
    judge = WORK / 'builtins'
    run(*(os.environ.get('CC') or 'cc').split(), '-std=c11', '-O2', '-I', ROOT, '-o', judge,
        *sorted((ROOT / 'harness' / 't' / 'truth').glob('*.c')), '-lmpfr', '-lgmp', '-lm')
    return judge


def compile_kernels(number, functions):
    """A code object with the kernels of these functions, all of one processor."""
    base = WORK / f'kernels{number}'
    source = base.with_suffix('.cl')
    source.write_text('#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n' +
                      ''.join(f.kernel() for f in functions))
    run('clang-19', '-x', 'cl', '-cl-std=CL2.0', '--target=amdgcn-amd-amdhsa', f'-mcpu={functions[0].mcpu}', '-O2', '-w',
        f'--rocm-device-lib-path={LIBS}', '-c', '-o', base.with_suffix('.o'), source)
    run('ld.lld-19', '-shared', '-o', base.with_suffix('.co'), base.with_suffix('.o'))
    return base.with_suffix('.co')


class Check:
    """Launches and judges functions, several at a time."""

    def __init__(self, judge, options):
        self.judge, self.options = judge, options

    def one(self, function, code_object):
        """(whether it is right, lines to print, the line of the point)."""
        folder = WORK / function.id
        folder.mkdir(parents=True, exist_ok=True)
        options = self.options
        if options.at:
            made = run(self.judge, 'at', function.id, *options.at.split(','), cwd=folder)
        else:
            made = run(self.judge, 'inputs', function.id, options.seed, options.count, cwd=folder)
        (folder / 'launch.txt').write_text(function.launch(int(made.stdout)))
        run(GCNCHECK, 'launch', '--mcpu', function.mcpu, '--jobs', 1, '--out', folder / 'out', code_object,
            folder / 'launch.txt')
        done = run(self.judge, 'judge', function.id, folder / 'out' / f'{len(function.operands)}.bin', KNOWN,
                   *([options.bound] if options.bound else []), cwd=folder, codes=(0, 1))
        shutil.rmtree(folder)
        *lines, summary = done.stdout.splitlines()
        if done.returncode:
            at = lines[0].split()[2]
            lines.append(f'again: scripts/truth/builtins.sh --only {function.id} --mcpu {function.mcpu} --at {at}')
        return done.returncode == 0, lines, summary


def selected(lines, options):
    """The functions asked for; the others have their turn of processors, too."""
    functions = [Function(line, options.mcpu or MCPUS[i % len(MCPUS)]) for i, line in enumerate(lines)]
    if options.only:
        wanted = options.only.split(',')
        for name in wanted:
            if not any(name in (f.id, f.id.rsplit('_', 1)[0]) for f in functions):
                sys.exit(f"builtins.sh: '{name}' is no function: --list")
        functions = [f for f in functions if f.id in wanted or f.id.rsplit('_', 1)[0] in wanted]
    return functions


def check_all(functions, judge, options):
    tap = Tap()
    check = Check(judge, options)
    parts = []
    for mcpu in sorted({f.mcpu for f in functions}):
        mine = [f for f in functions if f.mcpu == mcpu]
        parts += [mine[i:i + KERNELS] for i in range(0, len(mine), KERNELS)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # A part is compiled while the one before it runs; whoever waits for an object was queued behind it.
        objects = [pool.submit(compile_kernels, 0, parts[0])]
        done = []
        for i, part in enumerate(parts):
            if i + 1 < len(parts):
                objects.append(pool.submit(compile_kernels, i + 1, parts[i + 1]))
            done += [(f, pool.submit(lambda f=f, o=objects[i]: check.one(f, o.result()))) for f in part]
        for function, future in done:
            try:
                right, lines, summary = future.result()
            except Failed as failure:
                right, lines, summary = False, str(failure).splitlines(), function.id
            for line in lines:
                print('# ' + line)
            tap.point(right, f'{summary}, {function.mcpu}')
    names = {f.counts_as for f in functions if f.counts_as}
    print(f'# {len(names)} functions, by name; {len(functions)} points: formats and second results count apart')
    print(f'1..{tap.number}')
    return tap.failed == 0


def main():
    parser = argparse.ArgumentParser(prog='builtins.sh')
    parser.add_argument('--count', type=int, default=1000000, help='inputs of each function')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', help='FUNCTION[,FUNCTION]...')
    parser.add_argument('--mcpu')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--at', help='one input of --only FUNCTION: HEX[,HEX]...')
    parser.add_argument('--bound', help='ULP, in the place of the documented bound')
    parser.add_argument('--list', action='store_true')
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    judge = build_judge()
    lines = run(judge, 'list').stdout.splitlines()
    functions = selected(lines, options)
    if options.list:
        for f in functions:
            print(f'{f.id:18} {f.mcpu}  within {f.bound:6} {f.text}')
        return 0
    if options.at and len(functions) != 1:
        sys.exit('builtins.sh: --at needs --only one function of one format')
    return 0 if check_all(functions, judge, options) else 1


if __name__ == '__main__':
    sys.exit(main())

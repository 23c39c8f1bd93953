"""What `gcncheck asm` and `gcncheck eval` answer to many questions at once, for scripts that know the answer from elsewhere.

GCNCHECK names the program (default build/gcncheck, from the root of the tree)."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCNCHECK = os.environ.get('GCNCHECK') or str(ROOT / 'build' / 'gcncheck')
LANES = 64
BATCH = 2000  # programs a run: answers and questions of one stay in memory


class Failed(Exception):
    """gcncheck did not answer; its reason."""


def _run(command, text):
    done = subprocess.run([GCNCHECK, *command], input=text, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        raise Failed(f'{" ".join(command)}: code {done.returncode}: {done.stderr.strip()}')
    return done.stdout.splitlines()


def assemble(lines, mcpu='gfx900'):
    """The dwords in hex of each line of assembly, or None where it is refused."""
    answers = _run(['asm', '--mcpu', mcpu], ''.join(line + '\n' for line in lines))
    if len(answers) != len(lines):
        raise Failed(f'asm: {len(answers)} answers to {len(lines)} lines')
    return [None if 'error' in answer else answer for answer in answers]


def evaluate(programs, mcpu='gfx900'):
    """Answers, in order, to programs (code in hex, {place: value}); values as `gcncheck eval --jsonl` takes them. An answer
    is {'out': {place: value}}, with 'fault' where memory was missed, or {'error': reason}."""
    answers = []
    for start in range(0, len(programs), BATCH):
        part = programs[start:start + BATCH]
        text = ''.join(json.dumps({'id': i, 'code': code, 'in': places}) + '\n' for i, (code, places) in enumerate(part))
        got = [json.loads(line) for line in _run(['eval', '--mcpu', mcpu, '--jsonl'], text)]
        if [answer.get('id') for answer in got] != list(range(len(part))):
            raise Failed(f'eval: {len(got)} answers to {len(part)} programs')
        answers += got
    return answers


def lanes(value):
    """The 64 numbers of a VGPR in an answer: one string stands for equal lanes."""
    return [int(v, 16) for v in value] if isinstance(value, list) else [int(value, 16)] * LANES

/* A machine with a stack, its program in memory: a large switch in a loop whose case differs from lane to lane, a stack in
 * private memory, jumps backwards. */
enum { PUSH, ADD, SUB, MUL, XOR, SHR, DUP, SWAP, OVER, DROP, JNZ, DEC, NOT, LT, ARG, HALT };

__kernel void bytecode(__global const uchar *programs, __global const uint *starts, __global uint *out)
{
    uint i = get_global_id(0), sp = 0, t, steps = 0, stack[16];
    __global const uchar *pc = programs + starts[i % 3];
    __global const uchar *base = pc;
    for (bool running = true; running; steps++) {
        switch (*pc++) {
        case PUSH: stack[sp++] = *pc++; break;
        case ADD: sp--, stack[sp - 1] += stack[sp]; break;
        case SUB: sp--, stack[sp - 1] -= stack[sp]; break;
        case MUL: sp--, stack[sp - 1] *= stack[sp]; break;
        case XOR: sp--, stack[sp - 1] ^= stack[sp]; break;
        case SHR: sp--, stack[sp - 1] >>= stack[sp] & 31; break;
        case DUP: stack[sp] = stack[sp - 1], sp++; break;
        case SWAP: t = stack[sp - 1], stack[sp - 1] = stack[sp - 2], stack[sp - 2] = t; break;
        case OVER: stack[sp] = stack[sp - 2], sp++; break;
        case DROP: sp--; break;
        case JNZ: t = *pc++, pc = stack[--sp] ? base + t : pc; break;
        case DEC: stack[sp - 1]--; break;
        case NOT: stack[sp - 1] = ~stack[sp - 1]; break;
        case LT: sp--, stack[sp - 1] = stack[sp - 1] < stack[sp]; break;
        case ARG: stack[sp++] = i; break;
        default: running = false;
        }
    }
    out[2 * i] = stack[sp - 1];
    out[2 * i + 1] = steps;
}

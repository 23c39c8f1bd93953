/* Ranges of generations, for columns of the .def files:
 * G78(M, ...) is M(GEN_GFX7, ...) M(GEN_GFX8, ...). */
#ifndef ORACLE_ISA_GENS_H
#define ORACLE_ISA_GENS_H

#define G6(M, ...)    M(GEN_GFX6, __VA_ARGS__)
#define G7(M, ...)    M(GEN_GFX7, __VA_ARGS__)
#define G8(M, ...)    M(GEN_GFX8, __VA_ARGS__)
#define G9(M, ...)    M(GEN_GFX9, __VA_ARGS__)
#define G67(M, ...)   G6(M, __VA_ARGS__) G7(M, __VA_ARGS__)
#define G78(M, ...)   G7(M, __VA_ARGS__) G8(M, __VA_ARGS__)
#define G89(M, ...)   G8(M, __VA_ARGS__) G9(M, __VA_ARGS__)
#define G678(M, ...)  G67(M, __VA_ARGS__) G8(M, __VA_ARGS__)
#define G789(M, ...)  G7(M, __VA_ARGS__) G89(M, __VA_ARGS__)
#define G6789(M, ...) G67(M, __VA_ARGS__) G89(M, __VA_ARGS__)

/* The same as a set: bits by enum gen. */
#define GEN_BIT_OR(gen, unused) 1u << (gen) |
#define GEN_BITS(range)         (u8)(range(GEN_BIT_OR, 0) 0u)

#endif

/* The `host` half of the f64 vocabulary, by the rules of f32.h: what is said there of lanes
 * with a NaN, of exceptions and of pins holds here. Each function is one operation of the
 * host in a type of its own: C has no word for both types. */
#ifndef ORACLE_SEM_HOST_F64_H
#define ORACLE_SEM_HOST_F64_H

#include "oracle/sem/host/f32.h"

static inline double host_double(u64 v)
{
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

static inline u64 host_bits64(double d)
{
    u64 v;
    memcpy(&v, &d, sizeof v);
    return v;
}

static inline u64 hadd64(u64 a, u64 b)
{
    return host_bits64(host_double(a) + host_double(b));
}

static inline u64 hmul64(u64 a, u64 b)
{
    return host_bits64(host_double(a) * host_double(b));
}

static inline u64 hfma64(u64 a, u64 b, u64 c)
{
    return host_bits64(__builtin_fma(host_double(a), host_double(b), host_double(c)));
}

#endif

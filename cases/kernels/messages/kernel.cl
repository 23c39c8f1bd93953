/* Message passing between work-groups on different compute units. Each round has lines of its own; the reader has read them
 * before, so that its cache holds them. `passed` releases and acquires for the device; the next three lack one of these.
 *
 * `scalar` is right as it stands here, too, but not what clang-19 makes of it: its early reads, which need no atomics since
 * `ready` comes after them, become scalar loads that are still on their way when `ready` is stored. */
enum { ROUNDS = 8, LINE = 16 };

#define EARLY_ATOMIC(data) __opencl_atomic_load((global atomic_int *)(data), memory_order_relaxed, memory_scope_work_group)
#define EARLY_PLAIN(data)  (*(data))

#define PASS(name, early, store_order, load_order, store_scope, load_scope)                                               \
    __attribute__((reqd_work_group_size(64, 1, 1))) kernel void name(global int *data, global atomic_int *flag,           \
                                                                     global atomic_int *ready, global int *out)           \
    {                                                                                                                     \
        int lane = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();                           \
        if (lane != 0)                                                                                                    \
            return;                                                                                                       \
        if (group == 0) {                                                                                                 \
            while (!__opencl_atomic_load(ready, memory_order_acquire, memory_scope_device))                               \
                ;                                                                                                         \
            for (int i = 0; i < ROUNDS; i++) {                                                                            \
                data[i * LINE] = i + 1;                                                                                   \
                __opencl_atomic_store(&flag[i * LINE], 1, store_order, store_scope);                                      \
            }                                                                                                             \
        } else {                                                                                                          \
            int sum = 0;                                                                                                  \
            for (int i = 0; i < ROUNDS; i++)                                                                              \
                sum += early(&data[i * LINE]);                                                                            \
            __opencl_atomic_store(ready, 1, memory_order_release, memory_scope_device);                                   \
            for (int i = 0; i < ROUNDS; i++) {                                                                            \
                while (!__opencl_atomic_load(&flag[i * LINE], load_order, load_scope))                                    \
                    ;                                                                                                     \
                out[i] = data[i * LINE] + sum;                                                                            \
            }                                                                                                             \
        }                                                                                                                 \
    }

#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#define RELAXED memory_order_relaxed
#define DEVICE  memory_scope_device
PASS(passed, EARLY_ATOMIC, RELEASE, ACQUIRE, DEVICE, DEVICE)
PASS(no_release, EARLY_ATOMIC, RELAXED, ACQUIRE, DEVICE, DEVICE)
PASS(no_acquire, EARLY_ATOMIC, RELEASE, RELAXED, DEVICE, DEVICE)
PASS(release_too_narrow, EARLY_ATOMIC, RELEASE, ACQUIRE, memory_scope_work_group, DEVICE)
PASS(scalar, EARLY_PLAIN, RELEASE, ACQUIRE, DEVICE, DEVICE)

/* A virtual amdgpu device: what the kernel driver and the card would answer to a program that talks
 * to /dev/dri/renderD128, with shaders executed by the oracle. The core knows no file descriptors,
 * no processes and no signals: a front end (harness/vgpu/preload) or a test hands over ioctls and
 * the client's memory. One thread at a time may call into one device.
 *
 * Submissions are queued and executed when somebody waits, or when the front end calls vgpu_run:
 * who reads results without waiting finds that they are not there yet. */
#ifndef HARNESS_VGPU_VGPU_H
#define HARNESS_VGPU_VGPU_H

#include "harness/vgpu/fault.h"
#include "oracle/exec/exec.h"

#include <stdio.h>

struct vgpu_chip {
    const char *name; /* "vega10" */
    const char *mcpu; /* "gfx900" */
    u8 gen;           /* enum gen: of its packets and registers */
    const char *marketing;
    const char *firmware; /* its files in /lib/firmware/amdgpu begin so */
    u32 device_id, pci_rev, chip_rev;
    u32 family, external_rev, first_rev, last_rev;
    u32 gc_major, gc_minor; /* version of the graphics and compute IP */
    u32 gb_addr_config;
    u32 engines, cus; /* shader engines, compute units of each */
    u32 gfx_rings, compute_rings, sdma_rings;
    u32 rbs, tccs; /* render back ends, caches of L2 */
    u32 vram_mib, vram_kind, vram_bits;
    bool is_fused; /* part of a CPU */
};

/* The chips in order, NULL behind the last. */
const struct vgpu_chip *vgpu_chip_at(u32 index);
/* By its name or by its processor's; NULL if there is none. */
const struct vgpu_chip *vgpu_chip_find(const char *name);
/* The chip with this PCI device and external revision, as libdrm reports them; NULL if none. The
 * ranges of revisions are the kernel's. */
const struct vgpu_chip *vgpu_chip_of_ids(u32 family, u32 external_rev);
/* A register that the kernel driver lets programs read, by its offset in dwords; false if there is
 * none. */
bool vgpu_chip_register(const struct vgpu_chip *chip, u32 offset, u32 *value);
/* Adds "gfx900 (vega10), ...". */
void vgpu_chip_names(struct text *t);

/* Who calls. A copy of it, without since_ns, is kept as long as memory of the client's is a buffer. */
struct vgpu_client {
    /* What its addresses mean. Both answer false if the range is not the client's to use. */
    bool (*read)(void *ctx, void *to, u64 from, u64 bytes);
    bool (*write)(void *ctx, u64 to, const void *from, u64 bytes);
    /* The client's memory itself, for as long as it says that the card may use it; NULL if it cannot
     * be had. No such function: never. */
    u8 *(*share)(void *ctx, u64 at, u64 bytes);
    /* The file that a descriptor of the client's is of, 0 if none of the device's. */
    u32 (*file)(void *ctx, u32 fd);
    /* A new descriptor of the client's that stands for an object of so many bytes; a negative errno.
     * When the last copy of it is closed, vgpu_object_close is called. */
    int (*give)(void *ctx, u32 object, u64 bytes, bool cloexec);
    /* The object that a descriptor stands for, or 0. */
    u32 (*take)(void *ctx, int fd);
    void *ctx;
    u64 since_ns; /* when the call was made first that has been blocked since; 0: it is new */
};

/* The answer to a call that waits for what another client, or another thread, must do: it has done
 * nothing so far, and is to be made again when others have called, or after a while. */
enum { VGPU_BLOCKED = -4096 };

struct vgpu_cfg {
    const struct vgpu_chip *chip;
    u8 *heap;      /* where buffers lie, page-aligned; the caller's, also mapped by clients */
    u64 heap_size; /* bytes, a multiple of pages; only what is used needs memory behind it */
    /* Gives memory back and makes it zero. */
    void (*discard)(void *ctx, u64 offset, u64 bytes);
    void *discard_ctx;
    FILE *log;     /* ioctls and decoded packets; NULL: none */
    FILE *trace;   /* every instruction, with what it changed; NULL: none */
    FILE *errors;  /* what is wrong with a submission, one line each; NULL: none */
    u64 max_steps; /* instructions of a wave until its ring has timed out; 0: 2^24 */
    u32 lockup_ms; /* for which a ring waits for memory until it has timed out; 0: 10000 */
    /* Lets other threads call into the device until something may have changed, at most until the
     * deadline (of CLOCK_MONOTONIC); NULL: there are none. */
    void (*wait)(void *ctx, u64 deadline_ns);
    void (*wake)(void *ctx); /* something has changed */
    void *wait_ctx;
    /* A dispatch has ended, whose program the machine holds; NULL: nobody is told. */
    void (*executed)(const struct machine *m, void *ctx);
    void *executed_ctx;
    void (*plant)(struct engine *eng, void *ctx); /* plants a bug in the model, or NULL */
    void *plant_ctx;
    struct vgpu_faults faults;
};

struct vgpu;

/* ST_INPUT: the processor is unknown. ST_WORLD: no memory. The cfg's pointers must outlive it. */
enum status vgpu_open(struct vgpu **v, const struct vgpu_cfg *cfg, struct err *e);
void vgpu_close(struct vgpu *v);

const struct vgpu_chip *vgpu_chip_of(const struct vgpu *v);

enum { VGPU_FILES_MAX = 256 };

/* A client opens the device: the number of its file, from 1 to VGPU_FILES_MAX, which has its own handles and address space,
 * or 0 if there are too many. `primary`: as /dev/dri/card0 and not as the render node. */
u32 vgpu_file_open(struct vgpu *v, bool primary);
void vgpu_file_close(struct vgpu *v, u32 file);
bool vgpu_file_is_open(const struct vgpu *v, u32 file);
bool vgpu_file_is_primary(const struct vgpu *v, u32 file);

/* ioctl(file, cmd, arg) of a client: 0 or a negative errno, as the kernel would answer, or
 * VGPU_BLOCKED. */
int vgpu_ioctl(struct vgpu *v, u32 file, u32 cmd, u64 arg, const struct vgpu_client *client);

/* No descriptor stands for the object any more. */
void vgpu_object_close(struct vgpu *v, u32 object);
/* ---- /dev/kfd: user-mode queues, by which ROCm's runtime works (harness/vgpu/kfd) ---- */

/* As vgpu_file_open. All files of it are of one process. */
u32 vgpu_kfd_open(struct vgpu *v);
bool vgpu_file_is_kfd(const struct vgpu *v, u32 file);
int vgpu_kfd_ioctl(struct vgpu *v, u32 file, u32 cmd, u64 arg, const struct vgpu_client *client);

/* Executes what stands in queues whose doorbells were rung, which nobody tells the device of. Whether
 * there was anything. */
bool vgpu_kfd_poll(struct vgpu *v);
bool vgpu_kfd_has_queues(const struct vgpu *v);

/* Executes what has been submitted. */
void vgpu_run(struct vgpu *v);
bool vgpu_is_idle(const struct vgpu *v);
/* A dispatch is under way in which others may call in: nothing else is executed meanwhile. */
bool vgpu_is_busy(const struct vgpu *v);

/* What happened so far. */
struct vgpu_stats {
    u64 ioctls, submissions, packets, dispatches, groups, waves, instructions;
    u64 errors; /* packets and accesses that were wrong */
    u64 hangs;
    u64 oracle_ns; /* time spent executing waves */
};
const struct vgpu_stats *vgpu_stats_of(const struct vgpu *v);

/* A function u64 (void) by which a program under the front end may ask for oracle_ns. */
#define VGPU_ORACLE_NS "gcncheck_vgpu_oracle_ns"

/* ---- the files of /sys and /dev by which clients find the device (harness/vgpu/tree.c) ---- */

enum vgpu_node_kind { VGPU_DIR, VGPU_FILE, VGPU_LINK, VGPU_DEVICE };

struct vgpu_node {
    u8 kind;          /* enum vgpu_node_kind */
    char path[96];    /* absolute */
    char text[1280];  /* contents of a file, target of a link (absolute) */
    u32 bytes;        /* of the contents */
    u32 major, minor; /* of a device */
};

enum {
    VGPU_DRM_MAJOR = 226,
    VGPU_PRIMARY_MINOR = 0,
    VGPU_RENDER_MINOR = 128,
    VGPU_KFD_MAJOR = 234,
    VGPU_KFD_MINOR = 0
};

/* The device's number at /dev/kfd. */
u32 vgpu_gpu_id(const struct vgpu_chip *chip);

/* Of the nodes those by which ROCm's runtime finds the device, as vgpu_tree_at (topology.c). */
bool vgpu_topology_at(const struct vgpu_chip *chip, u32 index, struct vgpu_node *node);

/* The nodes in order, each folder before what it holds; false behind the last. */
bool vgpu_tree_at(const struct vgpu_chip *chip, u32 index, struct vgpu_node *node);

/* Whether a path lies in a part of /sys or /dev that the device has for itself, so that what is not
 * among its nodes is not there at all. */
bool vgpu_tree_owns(const char *path);

/* Whether a path is that of a folder that leads to such a part. */
bool vgpu_tree_leads(const char *path);

/* Finds what `path` names, links in it followed (but for the last component if `nofollow`). *node
 * is then what it is, with its own path. False if nothing has that name. */
bool vgpu_tree_find(const struct vgpu_chip *chip, const char *path, bool nofollow,
                    struct vgpu_node *node);

#endif

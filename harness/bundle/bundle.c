#include "harness/bundle/bundle.h"

#include "harness/codeobj/check.h"
#include "harness/io/file.h"
#include "oracle/base/array.h"
#include "reports/file/input.h"
#include "reports/file/library.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum { MACHINE_AMDGPU = 224, STREAM_MAX_BYTES = 1 << 28, METHOD_ZLIB = 0, METHOD_ZSTD = 1 };

static const char plain_magic[] = "__CLANG_OFFLOAD_BUNDLE__";
static const char packed_magic[] = "CCOB";
static const char bitcode_magic[4] = { 'B', 'C', '\xc0', '\xde' };
enum { PLAIN_SIZE = sizeof plain_magic - 1, PACKED_SIZE = sizeof packed_magic - 1 };

bool bundle_is_binary(const u8 magic[BUNDLE_MAGIC_SIZE])
{
    return memcmp(magic, ELFMAG, SELFMAG) == 0 ||
           memcmp(magic, plain_magic, BUNDLE_MAGIC_SIZE) == 0 ||
           memcmp(magic, packed_magic, BUNDLE_MAGIC_SIZE) == 0;
}

/* A range of bytes, and where in the file it stands (for messages). */
struct range {
    const u8 *at;
    size_t size;
    u64 offset;
};

static bool starts_with(const struct range *r, const char *magic, size_t size)
{
    return r->size >= size && memcmp(r->at, magic, size) == 0;
}

static void skip(struct range *r, size_t size)
{
    r->at += size;
    r->size -= size;
    r->offset += size;
}

/* Little-endian number of `size` bytes. */
static u64 load(const u8 *at, u32 size)
{
    u64 v = 0;
    memcpy(&v, at, size);
    return v;
}

static enum status add_part(struct bundle *b, const u8 *bytes, size_t size, const u8 *id,
                            size_t id_size, struct err *e)
{
    if (b->part_count == BUNDLE_MAX_PARTS)
        return err_set(e, ST_INPUT, "has more than %d code objects", BUNDLE_MAX_PARTS);
    struct bundle_part *more =
        array_grow(b->parts, &b->part_cap, b->part_count + 1ull, sizeof *more);
    if (!more)
        return err_memory(e);
    b->parts = more;
    char *copy = strndup((const char *)id, id_size);
    if (!copy)
        return err_memory(e);
    b->parts[b->part_count++] =
        (struct bundle_part){ .bytes = bytes, .size = size, .bundle = b->bundle_count, .id = copy };
    return ST_OK;
}

/* --- bundles --- */

/* One plain bundle at the start of *r: magic, number of entries, then for each entry offset and
 * size of its code, size of its id, id. *used: bytes up to the end of the last code. */
static enum status read_plain(struct bundle *b, const struct range *r, size_t *used, struct err *e)
{
    size_t at = PLAIN_SIZE + 8;
    if (r->size < at)
        return err_set(e, ST_INPUT, "bundle at 0x%" PRIx64 ": is cut short", r->offset);
    u64 count = load(r->at + PLAIN_SIZE, 8);
    for (u64 i = 0; i < count; i++) {
        if (r->size - at < 24)
            return err_set(e, ST_INPUT,
                           "bundle at 0x%" PRIx64 ": entry %" PRIu64 " of %" PRIu64
                           " is beyond the end",
                           r->offset, i, count);
        u64 code_at = load(r->at + at, 8), code_size = load(r->at + at + 8, 8);
        u64 id_size = load(r->at + at + 16, 8);
        at += 24;
        if (id_size >= BUNDLE_ID_SIZE || id_size > r->size - at)
            return err_set(e, ST_INPUT,
                           "bundle at 0x%" PRIx64 ": the id of entry %" PRIu64
                           " is longer than %d bytes or the file",
                           r->offset, i, BUNDLE_ID_SIZE - 1);
        const u8 *id = r->at + at;
        at += id_size;
        if (code_at > r->size || code_size > r->size - code_at)
            return err_set(e, ST_INPUT,
                           "bundle at 0x%" PRIx64 ": entry %" PRIu64 ": bytes 0x%" PRIx64
                           "+0x%" PRIx64 " are beyond the end",
                           r->offset, i, code_at, code_size);
        if (code_at + code_size > *used)
            *used = code_at + code_size;
        bool is_host = id_size >= 4 && memcmp(id, "host", 4) == 0;
        if (is_host || code_size == 0)
            continue;
        enum status st = add_part(b, r->at + code_at, code_size, id, id_size, e);
        if (st != ST_OK)
            return st;
    }
    if (at > *used)
        *used = at;
    b->bundle_count++;
    return ST_OK;
}

/* The head of a compressed bundle: magic, version, method; sizes of 4 bytes, of 8 from version 3 on
 * (whole file from version 2 on, then unpacked); hash. */
struct packed_head {
    u32 version, method;
    u64 packed;   /* bytes of the whole, head included */
    u64 unpacked; /* bytes */
    u32 head;     /* bytes */
};

static enum status read_head(const struct range *r, struct packed_head *h, struct err *e)
{
    if (r->size < 8)
        return err_set(e, ST_INPUT, "compressed bundle at 0x%" PRIx64 ": is cut short", r->offset);
    h->version = (u32)load(r->at + 4, 2);
    h->method = (u32)load(r->at + 6, 2);
    if (h->version < 1 || h->version > 3)
        return err_set(e, ST_INPUT,
                       "compressed bundle at 0x%" PRIx64 ": version %u is not known (1 to 3 are)",
                       r->offset, h->version);
    u32 width = h->version == 3 ? 8 : 4;
    h->head = 8 + (h->version == 1 ? 1 : 2) * width + 8;
    if (r->size < h->head)
        return err_set(e, ST_INPUT, "compressed bundle at 0x%" PRIx64 ": is cut short", r->offset);
    h->packed = h->version == 1 ? r->size : load(r->at + 8, width);
    h->unpacked = load(r->at + h->head - 8 - width, width);
    if (h->packed < h->head || h->packed > r->size)
        return err_set(e, ST_INPUT,
                       "compressed bundle at 0x%" PRIx64 ": its size 0x%" PRIx64
                       " is less than its head or more than there is",
                       r->offset, h->packed);
    if (h->method == METHOD_ZLIB)
        return err_set(e, ST_INPUT,
                       "compressed bundle at 0x%" PRIx64
                       ": compression by zlib is not supported, only zstd",
                       r->offset);
    if (h->method != METHOD_ZSTD)
        return err_set(e, ST_INPUT,
                       "compressed bundle at 0x%" PRIx64 ": compression method %u is not known",
                       r->offset, h->method);
    if (h->unpacked > BUNDLE_MAX_UNPACKED)
        return err_set(e, ST_INPUT,
                       "compressed bundle at 0x%" PRIx64 ": unpacks to 0x%" PRIx64
                       " bytes, more than the limit of 0x%x",
                       r->offset, h->unpacked, BUNDLE_MAX_UNPACKED);
    return ST_OK;
}

/* Bytes of the zstd frame that starts here, so that padding behind it is not read as part of it. */
static size_t frame_size(const struct range *r, const struct packed_head *h)
{
    size_t size = ZSTD_findFrameCompressedSize(r->at + h->head, h->packed - h->head);
    return ZSTD_isError(size) ? h->packed - h->head : size;
}

static enum status read_packed(struct bundle *b, const struct range *r, size_t *used, struct err *e)
{
    struct packed_head h = { 0 };
    enum status st = read_head(r, &h, e);
    if (st != ST_OK)
        return st;
    u8 **more = array_grow(b->unpacked, &b->unpacked_cap, b->unpacked_count + 1ull, sizeof *more);
    if (!more)
        return err_memory(e);
    b->unpacked = more;
    u8 *bytes = malloc(h.unpacked + 1);
    if (!bytes)
        return err_set(e, ST_WORLD, "out of memory for %" PRIu64 " bytes", h.unpacked);
    b->unpacked[b->unpacked_count++] = bytes;
    size_t packed = frame_size(r, &h);
    size_t got = ZSTD_decompress(bytes, h.unpacked, r->at + h.head, packed);
    if (ZSTD_isError(got) || got != h.unpacked)
        return err_set(e, ST_INPUT, "compressed bundle at 0x%" PRIx64 ": cannot be unpacked: %s",
                       r->offset, ZSTD_isError(got) ? ZSTD_getErrorName(got) : "is too short");
    *used = h.version == 1 ? h.head + packed : h.packed;
    struct range inner = { bytes, got, r->offset };
    size_t inner_used = 0;
    if (!starts_with(&inner, plain_magic, PLAIN_SIZE))
        return err_set(e, ST_INPUT, "compressed bundle at 0x%" PRIx64 ": holds no bundle",
                       r->offset);
    return read_plain(b, &inner, &inner_used, e);
}

/* Bundles one after the other, zeros between them. */
static enum status read_bundles(struct bundle *b, struct range r, struct err *e)
{
    for (;;) {
        while (r.size && *r.at == 0)
            skip(&r, 1);
        if (r.size == 0)
            return ST_OK;
        size_t used = 0;
        enum status st;
        if (starts_with(&r, plain_magic, PLAIN_SIZE))
            st = read_plain(b, &r, &used, e);
        else if (starts_with(&r, packed_magic, PACKED_SIZE))
            st = read_packed(b, &r, &used, e);
        else
            st = err_set(e, ST_INPUT, "bytes at 0x%" PRIx64 " are no bundle", r.offset);
        if (st != ST_OK)
            return st;
        skip(&r, used);
    }
}

/* --- ELF files --- */

/* Bytes of the code object that begins at *r, up to its section headers, which LLVM's linker puts
 * last; 0 if none begins there. */
static size_t image_size(const struct range *r)
{
    Elf64_Ehdr h;
    if (r->size < sizeof h)
        return 0;
    memcpy(&h, r->at, sizeof h);
    u64 headers = (u64)h.e_shnum * h.e_shentsize;
    bool is_image = h.e_machine == MACHINE_AMDGPU && h.e_ident[EI_CLASS] == ELFCLASS64 &&
                    h.e_ident[EI_DATA] == ELFDATA2LSB && h.e_shoff >= sizeof h && h.e_shnum &&
                    h.e_shoff <= r->size && headers <= r->size - h.e_shoff;
    return is_image ? h.e_shoff + headers : 0;
}

/* Code objects anywhere in a section: GCC's offload programs hold them as an array, clang's for
 * OpenMP in a wrapping of their own. */
static enum status read_images(struct bundle *b, struct range r, struct err *e)
{
    const u8 *found;
    while ((found = memmem(r.at, r.size, ELFMAG, SELFMAG))) {
        char id[32];
        skip(&r, (size_t)(found - r.at));
        size_t size = image_size(&r);
        if (!size) {
            skip(&r, SELFMAG);
            continue;
        }
        int n = snprintf(id, sizeof id, "at 0x%" PRIx64, r.offset);
        enum status st = add_part(b, r.at, size, (const u8 *)id, (size_t)n, e);
        if (st != ST_OK)
            return st;
        b->bundle_count++;
        skip(&r, size);
    }
    return ST_OK;
}

/* Visits the sections of one kind: .hip_fatbin, or all others. *found: whether there was one. */
static enum status read_sections(struct bundle *b, Elf *elf, bool is_fatbin, bool *found,
                                 struct err *e)
{
    size_t names;
    u64 left = b->size;
    *found = false;
    if (elf_getshdrstrndx(elf, &names) != 0)
        names = 0;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr sh;
        const char *name;
        if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
            !(name = elf_strptr(elf, names, sh.sh_name)) ||
            (strcmp(name, ".hip_fatbin") == 0) != is_fatbin)
            continue;
        if (sh.sh_offset > b->size || sh.sh_size > b->size - sh.sh_offset)
            return err_set(e, ST_INPUT, "section %.40s is beyond the end of the file", name);
        if (sh.sh_size > left) /* so that no byte is looked at for each of many headers */
            return err_set(e, ST_INPUT, "section %.40s overlaps others", name);
        left -= sh.sh_size;
        struct range r = { b->bytes + sh.sh_offset, sh.sh_size, sh.sh_offset };
        *found = true;
        enum status st = is_fatbin ? read_bundles(b, r, e) : read_images(b, r, e);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

/* Whether a section holds what clang -fgpu-rdc leaves for the linker. */
static bool has_bitcode(Elf *elf)
{
    static const char prefix[] = "__CLANG_OFFLOAD_BUNDLE__";
    size_t names;
    GElf_Shdr sh;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
        if (name && strncmp(name, prefix, sizeof prefix - 1) == 0)
            return true;
    }
    return false;
}

static enum status read_host(struct bundle *b, Elf *elf, u32 machine, struct err *e)
{
    bool found, other;
    enum status st = read_sections(b, elf, true, &found, e);
    if (st != ST_OK || found)
        return st;
    st = read_sections(b, elf, false, &other, e);
    if (st == ST_OK && !b->part_count && has_bitcode(elf))
        return err_set(e, ST_INPUT, "holds LLVM bitcode (clang -fgpu-rdc): link it first");
    if (st == ST_OK && !b->part_count)
        st = err_set(e, ST_INPUT,
                     "is an ELF file for machine %u, not for AMDGPU (224), with neither a section "
                     ".hip_fatbin nor a code object in another",
                     machine);
    return st;
}

static enum status read_elf(struct bundle *b, struct err *e)
{
    GElf_Ehdr h;
    if (elf_version(EV_CURRENT) == EV_NONE)
        return err_set(e, ST_WORLD, "libelf is too old");
    enum status st = codeobj_check_ident(b->bytes, b->size, e);
    if (st != ST_OK)
        return st;
    library_watch();
    /* libelf takes char * and only reads. */
    Elf *elf = elf_memory((char *)b->bytes, b->size);
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &h))
        st = err_set(e, ST_INPUT, "is not an ELF file");
    else if (h.e_machine == MACHINE_AMDGPU)
        st = add_part(b, b->bytes, b->size, (const u8 *)"", 0, e);
    else
        st = read_host(b, elf, h.e_machine, e);
    st = library_settle(st, e);
    if (elf)
        elf_end(elf);
    return st;
}

/* --- opening --- */

static enum status open_bytes(struct bundle *b, struct err *e)
{
    struct range all = { b->bytes, b->size, 0 };
    enum status st;
    if (!b->file)
        st = err_memory(e);
    else if (b->size == 0)
        st = err_set(e, ST_INPUT, "is empty");
    else if (starts_with(&all, ELFMAG, SELFMAG))
        st = read_elf(b, e);
    else if (starts_with(&all, plain_magic, PLAIN_SIZE) ||
             starts_with(&all, packed_magic, PACKED_SIZE))
        st = read_bundles(b, all, e);
    else if (starts_with(&all, bitcode_magic, sizeof bitcode_magic))
        st = err_set(e, ST_INPUT, "is LLVM bitcode (clang -fgpu-rdc, -emit-llvm): link it first");
    else
        st = err_set(e, ST_INPUT, "is neither an ELF file nor a bundle");
    return st;
}

static enum status map_file(struct bundle *b, const char *path, struct err *e)
{
    struct stat sb;
    int fd = input_open(path, e);
    if (fd < 0)
        return ST_INPUT;
    enum status st = ST_OK;
    if (fstat(fd, &sb) != 0) {
        st = err_set(e, ST_INPUT, "cannot be read: %s", strerror(errno));
    } else if (!S_ISREG(sb.st_mode)) { /* a pipe: <(command) */
        st = file_read(path, STREAM_MAX_BYTES, &b->bytes, &b->size, e);
    } else if (sb.st_size == 0) {
        st = err_set(e, ST_INPUT, "is empty");
    } else {
        /* Private and writable, because libelf takes its buffer as writable. */
        void *at = mmap(NULL, (size_t)sb.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
        b->is_mapped = at != MAP_FAILED;
        if (b->is_mapped) {
            b->bytes = at;
            b->size = (size_t)sb.st_size;
        } else {
            st = err_set(e, ST_WORLD, "cannot be mapped: %s", strerror(errno));
        }
    }
    close(fd);
    return st;
}

static enum status finish(struct bundle *b, const char *name, enum status st, struct err *e)
{
    if (st != ST_OK) {
        file_error(e, name, 0);
        bundle_close(b);
    }
    return st;
}

enum status bundle_open(struct bundle *b, const char *path, struct err *e)
{
    *b = (struct bundle){ .file = strdup(path) };
    enum status st = strcmp(path, "-") == 0
                         ? file_read(path, STREAM_MAX_BYTES, &b->bytes, &b->size, e)
                         : map_file(b, path, e);
    return finish(b, path, st == ST_OK ? open_bytes(b, e) : st, e);
}

enum status bundle_open_memory(struct bundle *b, const char *name, const void *bytes, size_t size,
                               struct err *e)
{
    *b = (struct bundle){ .file = strdup(name), .bytes = malloc(size + 1), .size = size };
    if (!b->bytes)
        return finish(b, name, err_memory(e), e);
    memcpy(b->bytes, bytes, size);
    return finish(b, name, open_bytes(b, e), e);
}

void bundle_close(struct bundle *b)
{
    for (u32 i = 0; i < b->part_count; i++)
        free(b->parts[i].id);
    for (u32 i = 0; i < b->unpacked_count; i++)
        free(b->unpacked[i]);
    free(b->parts);
    free(b->unpacked);
    if (b->is_mapped)
        munmap(b->bytes, b->size);
    else
        free(b->bytes);
    free(b->file);
    *b = (struct bundle){ 0 };
}

const char *bundle_target(const struct bundle_part *p)
{
    const char *at = p->id, *last = "";
    /* "hip-amdgcn-amd-amdhsa--gfx900": behind the environment, which is empty or not. */
    while ((at = strstr(at, "-gfx"))) {
        last = at + 1;
        at++;
    }
    return last;
}

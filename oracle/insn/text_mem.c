/* Texts of the vector memory formats that are made of parts: formats of typed buffers, export
 * targets. */
#include "oracle/insn/text.h"

#define NUM_FORMAT(code, name)
#define EXPTARGET(first, last, name)
const char *const text_data_formats[DATA_FORMATS] = {
#define DATA_FORMAT(code, name) [code] = "BUF_DATA_FORMAT_" #name,
#include "oracle/isa/format.def"
#undef DATA_FORMAT
};
#undef NUM_FORMAT
#define DATA_FORMAT(code, name)
static const char *const num_formats[NUM_FORMATS] = {
#define NUM_FORMAT(code, name) [code] = "BUF_NUM_FORMAT_" #name,
#include "oracle/isa/format.def"
#undef NUM_FORMAT
};
#undef EXPTARGET
#define NUM_FORMAT(code, name)
const struct export_name text_exports[] = {
#define EXPTARGET(first, last, name) { #name, first, last },
#include "oracle/isa/format.def"
    { 0 }
#undef EXPTARGET
#undef NUM_FORMAT
#undef DATA_FORMAT
};

enum { NUM_SNORM_OGL = 6 };

const char *text_num_format(enum gen gen, u32 format)
{
    return format == NUM_SNORM_OGL && gen < GEN_GFX8 ? "BUF_NUM_FORMAT_SNORM_OGL"
                                                     : num_formats[format];
}

const struct export_name *text_export_of(u32 target)
{
    for (const struct export_name *n = text_exports; n->name; n++)
        if (target >= n->first && target <= n->last)
            return n;
    return NULL;
}

static char *put(char *p, const char *s)
{
    while (*s)
        *p++ = *s++;
    return p;
}

char *text_put_format(char *p, enum gen gen, u32 format)
{
    u32 data = format % DATA_FORMATS, num = format / DATA_FORMATS;
    bool both = data != DATA_FORMAT_DEFAULT && num != 0;
    p = put(p, "format:[");
    if (data != DATA_FORMAT_DEFAULT)
        p = put(p, text_data_formats[data]);
    if (both)
        *p++ = ',';
    if (num != 0)
        p = put(p, text_num_format(gen, num));
    return put(p, "]");
}

char *text_put_export_target(char *p, u32 target)
{
    const struct export_name *n = text_export_of(target);
    p = put(p, n ? n->name : "reserved");
    if (n && n->first == n->last)
        return p;
    u32 index = n ? target - n->first : target;
    if (index >= 10)
        *p++ = (char)('0' + index / 10);
    *p++ = (char)('0' + index % 10);
    return p;
}

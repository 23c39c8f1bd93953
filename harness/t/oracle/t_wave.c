/* What directed cases cannot say: programs that the model stops at by name, waves that halt, an
 * exception of memory, and that the write log takes back what traps and forks did. */
#include "harness/t/lib/machine.h"

static struct wave *load(const char *text)
{
    machine_must_load(text);
    machine_reset(m, 1, 0);
    return m->wave[0];
}

/* ---- stops ---- */

static const struct {
    const char *code;
    u32 mode; /* 0: the default */
    u32 m0;
    u32 tba; /* bytes behind the start of the code; 0: none */
    enum stop stop;
    const char *why;
} stops[] = {
    { "s_getreg_b32 s0, hwreg(HW_REG_HW_ID)\n s_endpgm", 0, 0, 0, STOP_END, "" },
    { "s_setreg_b32 hwreg(HW_REG_HW_ID), s0\n s_endpgm", 0, 0, 0, STOP_END, "" },
    { "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS), 0x400", 0, 0, 0, STOP_UNMODELLED,
      "TRAPSTS bits 0x400 are not modelled" },
    { "s_trap 1\n s_endpgm\n s_setreg_b32 hwreg(HW_REG_TBA_LO), s0", 0, 0, 8, STOP_UNMODELLED,
      "writing hwreg 16 in a trap handler is not modelled" },
    { "s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)", 0, 0, 0, STOP_UNMODELLED,
      "message 3 is not modelled" },
    { "s_sendmsg sendmsg(MSG_INTERRUPT)\n s_endpgm", 0, 0, 0, STOP_END, "" },
    { "s_sendmsghalt sendmsg(MSG_INTERRUPT)\n s_endpgm", 0, 0, 0, STOP_HALT, "" },
    { "s_sendmsghalt sendmsg(MSG_GS_DONE, GS_OP_NOP)", 0, 0, 0, STOP_UNMODELLED,
      "message 3 is not modelled" },
    { "s_setkill 1", 0, 0, 0, STOP_UNMODELLED, "s_setkill 1 is not modelled" },
    { "s_setkill 2\n s_endpgm", 0, 0, 0, STOP_END, "" },
    { "s_sethalt 1\n s_endpgm", 0, 0, 0, STOP_HALT, "" },
    { "s_trap 1\n s_endpgm\n s_sethalt 1\n s_rfe_b64 s[8:9]", 0, 0, 8, STOP_HALT, "" },
    { "s_trap 0\n s_endpgm", 0, 0, 0, STOP_END, "" },
    { "s_trap 0\n s_endpgm", 0, 0, 4, STOP_UNMODELLED, "s_trap 0 is not modelled" },
    { "s_trap 1\n s_endpgm\n s_trap 2", 0, 0, 8, STOP_UNMODELLED,
      "s_trap in a trap handler is not modelled" },
    { "s_rfe_b64 s[8:9]", 0, 0, 0, STOP_UNMODELLED,
      "s_rfe_b64 outside a trap handler is not modelled" },
    { "s_rfe_restore_b64 s[8:9], s0", 0, 0, 0, STOP_UNMODELLED,
      "s_rfe_restore_b64 outside a trap handler is not modelled" },
    { "s_movrels_b32 s0, vcc_lo", 0, 1, 0, STOP_UNMODELLED,
      "s_movrels_b32 from register code 106 with M0 = 1 is not modelled" },
    { "s_movrels_b64 s[0:1], s[2:3]", 0, 3, 0, STOP_UNMODELLED,
      "s_movrels_b64 from register code 2 with M0 = 3 is not modelled" },
    { "s_movreld_b64 s[0:1], s[2:3]", 0, 1, 0, STOP_UNMODELLED,
      "s_movreld_b64 from register code 0 with M0 = 1 is not modelled" },
    { "s_movreld_b32 exec_lo, s2", 0, 0, 0, STOP_UNMODELLED,
      "s_movreld_b32 from register code 126 with M0 = 0 is not modelled" },
    { "s_cbranch_i_fork s[2:3], 1", 0xc00003f0, 0, 0, STOP_UNMODELLED,
      "a fork with 6 entries on the stack is not modelled" },
    { "s_cbranch_i_fork s[2:3], 0\n s_endpgm", 0xa00003f0, 0, 0, STOP_END, "" },
    { "s_cbranch_join s2", 0, 0, 0, STOP_UNMODELLED, "a join with an empty stack is not modelled" },
    { "v_swap_b32 v0, v1", 0x080003f0, 0x1001, 0, STOP_UNMODELLED,
      "v_swap_b32 with an indexed register is not modelled" },
    { "v_swap_b32 v0, v1", 0x080003f0, 0x8001, 0, STOP_UNMODELLED,
      "v_swap_b32 with an indexed register is not modelled" },
    { "v_swap_b32 v0, v1\n s_endpgm", 0x080003f0, 0x6001, 0, STOP_END, "" },
    /* M0 of LDS direct: the type in bits 18:16, of which 3, 6 and 7 are not listed, and the
     * address below. */
    { "v_mov_b32 v0, src_lds_direct\n s_endpgm", 0, 0x30008, 0, STOP_UNMODELLED,
      "src_lds_direct of type 3 is not modelled" },
    { "v_mov_b32 v0, src_lds_direct\n s_endpgm", 0, 0x60008, 0, STOP_UNMODELLED,
      "src_lds_direct of type 6 is not modelled" },
    { "v_mov_b32 v0, src_lds_direct\n s_endpgm", 0, 0x70008, 0, STOP_UNMODELLED,
      "src_lds_direct of type 7 is not modelled" },
    { "v_mov_b32 v0, src_lds_direct\n s_endpgm", 0, 0x00009, 0, STOP_UNMODELLED,
      "src_lds_direct at an address that is no multiple of 4 is not modelled" },
    { "v_mov_b32 v0, src_lds_direct\n s_endpgm", 0, 0x2000a, 0, STOP_UNMODELLED,
      "src_lds_direct at an address that is no multiple of 4 is not modelled" },
    { "v_mov_b32 v0, src_lds_direct\n s_endpgm", 0, 0x2000c, 0, STOP_END, "" },
};

static void test_stops(void)
{
    for (u32 i = 0; i < COUNT_OF(stops); i++) {
        struct wave *w = load(stops[i].code);
        u32 who;
        w->mode = stops[i].mode ? stops[i].mode : MODE_DEFAULT;
        w->sgpr[CODE_M0] = stops[i].m0;
        w->tba = stops[i].tba ? PC_DEFAULT + stops[i].tba : 0;
        w->sgpr[2] = 3;
        pair_set(&w->sgpr[8], PC_DEFAULT + 4);
        wave_mode_changed(w);
        enum stop stop = machine_run(m, 100, &who);
        is_str(machine_stop_text(stops[i].stop), machine_stop_text(stop), "%s", stops[i].code);
        is_str(stops[i].why, w->why, "and says why");
    }
}

/* ---- a memory violation ---- */

static void test_violation(void)
{
    static const char code[] = "global_load_dword v4, v[0:1], off\n s_endpgm\n s_endpgm";
    u32 who;
    for (u32 enabled = 0; enabled < 2; enabled++) {
        struct wave *w = load(code);
        w->tba = PC_DEFAULT + 12;
        w->mode = MODE_DEFAULT | enabled << (MODE_EXCP_EN + 8);
        wave_mode_changed(w);
        ok(machine_run(m, 100, &who) == STOP_END && w->trapsts == TRAPSTS_MEM_VIOL,
           "an access outside memory is noted, exception %s", enabled ? "on" : "off");
        is_hex(enabled ? PC_DEFAULT + 16 : PC_DEFAULT + 12, w->pc, "where the wave ended");
        is_hex(enabled ? PC_DEFAULT + 8 : 0, w->sgpr[108], "the PC that the handler got");
        is_hex(0, w->sgpr[109], "no rewind, no trap id");
    }
}

/* ---- the log ---- */

static void test_undo(void)
{
    static const char code[] =
        "s_cbranch_i_fork s[8:9], 0\n s_setprio 2\n s_set_gpr_idx_on 5, gpr_idx(SRC0)\n"
        "s_set_gpr_idx_off\n s_mov_b32 m0, 4\n s_movreld_b32 s30, s8\n s_trap 7\n s_endpgm\n"
        "s_sethalt 1\n s_sethalt 0\n s_setvskip 1, 0\n s_mov_b32 ttmp5, 5\n s_endpgm";
    struct wave *w = load(code);
    u32 before[SGPRS], who;
    pair_set(&w->sgpr[8], 6);
    w->tba = PC_DEFAULT + 32;
    wave_mode_changed(w);
    memcpy(before, w->sgpr, sizeof before);
    ok(machine_run(m, 100, &who) == STOP_END && w->mode == 0x300003f0 && w->sgpr[34] == 6 &&
           w->sgpr[113] == 5 && w->special == SPECIAL_VSKIP,
       "a fork, an index, a relative move, a trap");
    is_hex(1u << STATUS_PRIV | 2u << STATUS_WAVE_PRIO, w->status, "what STATUS holds");
    wlog_undo(&m->log, m->wave);
    is_mem(before, w->sgpr, sizeof before, "the log takes the registers back");
    ok(w->mode == MODE_DEFAULT && w->status == 0 && w->special == 0, "and MODE and STATUS");
}

/* ---- the start of a dispatch ---- */

/* Counts through the work-items in order, and compares each with the lane that it must have. */
static bool has_items(const u32 size[3], u32 ids)
{
    enum { KEPT = 0xabcd };
    u32 lane = 0, index = 0;
    struct wave *w = load("s_endpgm");
    u64 exec = 0;
    for (u32 z = 0; z < size[2]; z++)
        for (u32 y = 0; y < size[1]; y++)
            for (u32 x = 0; x < size[0]; x++) {
                if (lane == 0) {
                    for (u32 i = 0; i < LANES; i++)
                        w->vgpr[0][i] = w->vgpr[1][i] = w->vgpr[2][i] = w->vgpr[3][i] = KEPT;
                    wave_set_items(w, size, index, ids);
                    exec = wave_exec(w);
                }
                if (!(exec & 1) || w->vgpr[0][lane] != x ||
                    w->vgpr[1][lane] != (ids > 0 ? y : KEPT) ||
                    w->vgpr[2][lane] != (ids > 1 ? z : KEPT) || w->vgpr[3][lane] != KEPT)
                    return false;
                exec >>= 1;
                if (++lane == LANES) {
                    lane = 0;
                    index++;
                }
            }
    for (; lane && lane < LANES; lane++, exec >>= 1)
        for (u32 i = 0; i < 4; i++)
            if (exec & 1 || w->vgpr[i][lane] != KEPT)
                return false;
    return true;
}

static void test_items(void)
{
    static const u32 sizes[][3] = { { 1, 1, 1 },   { 64, 1, 1 }, { 65, 1, 1 },  { 7, 5, 3 },
                                    { 3, 11, 13 }, { 1, 1, 67 }, { 1, 129, 1 }, { 31, 3, 11 } };
    for (u32 i = 0; i < COUNT_OF(sizes); i++)
        for (u32 ids = 0; ids < 3; ids++)
            ok(has_items(sizes[i], ids), "a work-group of %u x %u x %u, %u of its ids", sizes[i][0],
               sizes[i][1], sizes[i][2], ids + 1);
}

int main(void)
{
    machine_must_open(&(struct machine_cfg){ .waves_max = 1, .log_entries = 256, .log_dw = 8192 });
    test_stops();
    test_violation();
    test_undo();
    test_items();
    machine_close(m);
    return done();
}

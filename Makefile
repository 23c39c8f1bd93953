# gcncheck. `make help` lists what can be made:
#
# make all          the program and the example DUT; what make alone does
# make core         the program alone
# make mutants      the program with mutants, beside it: `gcncheck mutants`, --dut mutant:ID
# make run          install what is missing, build, run the main job
# make test         the same, then every quick test
# make test-long    what make test leaves out: clang, sanitizers, the mutant campaign, full cross-checks
# make fuzz-parsers  AFL++ on what reads bytes from outside, 10 minutes each (FUZZ_TIME=600, or FUZZ_EXECS=inputs)
# make afl          what AFL++ needs to fuzz an emulator with programs
# make mutation-score  the directed cases against every planted bug
# make coverage     every row body and every branch of operand fetch and store is run by the directed cases
# make install      into PREFIX, with headers, cases, examples, man page, completion, gcncheck.pc
# make uninstall    what make install put there
# make deb          a package for Debian, in the build folder
# make check-format clang-format has nothing to change
# make clean        remove the build folder
#
#   knobs:  CC=clang   SAN=1 (address and undefined-behaviour sanitizers)   COV=1 (counts of gcov, no optimisation)
#           WERROR=1   BUILD=dir   PREFIX=/usr/local   -jN (default: one job per processor)
#           ROWS=all: the program runs on machines without AVX2, too (what tests and packages are made of)
#           EMULATOR='qemu-aarch64-static -L DIR': with a cross compiler as CC, what runs programs that were built

# As many jobs as there are processors, unless the command line says how many.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

CC     = gcc
BUILD ?= build
PREFIX ?= /usr/local
OPT   ?= -O3

pkg_core = libelf msgpack jansson libzstd yaml-0.1 libdw
cflags_pkg := $(shell pkg-config --cflags $(pkg_core) 2>/dev/null)
libs_pkg   := $(shell pkg-config --libs $(pkg_core) 2>/dev/null)

# The virtual GPU and the DUTs behind libdrm need its headers; without them they are left out, and say so by name.
has_drm    := $(shell pkg-config --exists libdrm_amdgpu 2>/dev/null && echo 1)
cflags_drm := $(patsubst -I%,-isystem%,$(shell pkg-config --cflags libdrm_amdgpu 2>/dev/null))
# What stands around a program on a card needs no card.
no_drm     := $(filter-out harness/drm/wrapper.c harness/drm/check.c harness/drm/record.c,$(wildcard harness/drm/*.c)) $(if $(has_drm),,$(addprefix harness/vgpu/,core/% card/% driver/% kfd/%))
drm_so     := $(if $(has_drm),$(BUILD)/gcncheck-vgpu.so $(BUILD)/gcncheck-drm.so)
drm_mutants_so := $(if $(has_drm),$(BUILD)/gcncheck-vgpu-mutants.so)
ifeq ($(has_drm)-$(MAKELEVEL),-0)
$(info libdrm_amdgpu is not installed (Debian: libdrm-dev): no virtual GPU and no --dut drm)
endif

is_clang := $(findstring clang,$(shell $(CC) --version 2>/dev/null | head -1))
is_x86   := $(filter x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null))

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
       -Wold-style-definition -Wwrite-strings -Wcast-qual -Wpointer-arith -Wformat=2 -Wundef -Wvla \
       -Wimplicit-fallthrough -Wdouble-promotion
ifneq ($(is_clang),)
WARN += -Wcomma -Winitializer-overrides
else
WARN += -Wlogical-op -Wduplicated-cond -Woverride-init
endif
ifdef WERROR
WARN += -Werror
endif

CFLAGS_ALL = -std=c11 -D_GNU_SOURCE -I. -g1 $(OPT) $(WARN) -fno-common -fno-strict-aliasing \
             -ffp-contract=off -fno-math-errno -pthread $(cflags_pkg) $(CFLAGS)
LDFLAGS_ALL = -pthread $(LDFLAGS)
LDLIBS_ALL = $(libs_pkg) -ldl -lm
ifneq ($(has_drm),)
drm_obj = $(BUILD)/harness/vgpu/%.o $(BUILD)/harness/drm/%.o $(BUILD)/harness/t/vgpu/%.o
$(drm_obj): CFLAGS_ALL += -DHAVE_DRM=1 $(cflags_drm)
endif
# -fPIC: what the sanitizers add uses data of their library, and model_dut.so is made of the same objects.
ifdef SAN
CFLAGS_ALL  += -fPIC -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LDFLAGS_ALL += -fsanitize=address,undefined
endif

ifdef COV
OPT          = -O0
CFLAGS_ALL  += --coverage
LDFLAGS_ALL += --coverage
endif

# The row files and the operand functions compile twice: for any CPU, and for x86-64-v3 (AVX2, FMA); the faster is chosen at run time.
# Where there is the faster, the other is compiled with less effort, and where nothing but a program for this machine is asked for,
# not at all (ROWS=native), unless it is there already. The host engine exists only as v3.
family_src := $(wildcard oracle/sem/alu/*.c oracle/sem/mem/*.c)
sem_src  := $(family_src) oracle/sem/operand.c
host_src := $(wildcard oracle/sem/host/*.c)
sources   = $(foreach dir,$(1),$(wildcard $(dir)/*.c $(dir)/*/*.c))
mutant_own := harness/mutant/state.c harness/mutant/set.c $(wildcard harness/mutant/slip*.c)
mutant_src := harness/mutant/list.c $(mutant_own)
lib_src  := $(filter-out $(sem_src),$(call sources,oracle)) $(call sources,fuzz reports) \
            $(filter-out $(mutant_src) harness/cmd/main.c harness/dut/model_dut.c harness/afl/target.c harness/afl/mutator.c harness/t/% harness/fz/% harness/sdk/% harness/vgpu/preload/% harness/vgpu/front/% harness/vgpu/notify/% $(no_drm),$(call sources,harness) $(wildcard harness/*/*/*.c))

# Mutants: the model with one bug each, derived from the rows (scripts/mutate/mutate.py). gcncheck has none;
# gcncheck-mutants and the test of mutants do. The list must stand before the library, which has an empty one.
mutant_obj := $(BUILD)/harness/mutant/list.o $(BUILD)/libmutants.a
gen_src := $(patsubst %,$(BUILD)/gen/mutants_%.c,$(notdir $(basename $(family_src))) operand exec)

obj = $(patsubst %.c,$(BUILD)/%.o,$(1))
here   := all core run afl install uninstall
v3_cpu := $(if $(is_x86),$(if $(EMULATOR),,$(shell for f in avx2 fma bmi2; do grep -qw $$f /proc/cpuinfo || exit; done; echo 1)))
ROWS   ?= $(if $(filter-out $(here),$(MAKECMDGOALS))$(wildcard $(BUILD)/oracle/sem/operand.base.o),all,$(if $(v3_cpu),native,all))
$(if $(filter-out all native,$(ROWS)),$(error ROWS=$(ROWS): use all or native))
base_obj  := $(if $(and $(is_x86),$(filter native,$(ROWS))),,$(patsubst %.c,$(BUILD)/%.base.o,$(sem_src)))
have_base := $(if $(base_obj),-DHAVE_BASE=1)
sem_obj := $(base_obj)
# Where gcc takes long for nothing: the copy of the rows that machines with AVX2 do not run, and what is run once per command. Of the harness
# the rest is compiled with -O2, but for what looks at every access of a kernel and the loops that the model is measured against.
base_opt = $(if $(is_x86),$(patsubst -O3,-O1,$(OPT)),$(OPT))
warm_dirs = campaign check drm dut io run sdk t vgpu
harness_src := $(filter-out harness/bench/% harness/launch/%,$(shell find harness -name '*.c'))
cold_src := $(filter-out $(warm_dirs:%=harness/%/%),$(harness_src)) $(wildcard harness/launch/*/*.c reports/*.c reports/*/*.c fuzz/shrink/*.c)
$(cold_src:%.c=$(BUILD)/%.o): CFLAGS_ALL += $(patsubst -O3,-O1,$(OPT))
$(patsubst %.c,$(BUILD)/%.o,$(filter-out $(cold_src),$(harness_src))): CFLAGS_ALL += $(patsubst -O3,-O2,$(OPT))
ifneq ($(is_x86),)
sem_obj += $(patsubst %.c,$(BUILD)/%.v3.o,$(sem_src)) $(call obj,$(host_src))
CFLAGS_ALL += -DHAVE_V3=1
endif

format_src = $(shell find oracle fuzz reports harness -name '*.[ch]')

lib      := $(BUILD)/libgcncheck.a
test_src := $(filter-out $(if $(has_drm),,harness/t/vgpu/%),$(wildcard harness/t/*/t_*.c))
test_bin := $(patsubst %.c,$(BUILD)/%,$(notdir $(test_src)))

# One line per file; V=1 shows the commands.
say = $(if $(V),,@echo "  $@";)

.PHONY: all core mutants run quick quick-programs test test-long install uninstall deb clean check-format format help deps tests mutation-score coverage fz-targets fuzz-parsers afl
all: core $(BUILD)/example_dut.so

core: $(BUILD)/tables.ok $(BUILD)/gcncheck $(drm_so)

mutants: core $(BUILD)/gcncheck-mutants $(BUILD)/model_dut.so $(drm_mutants_so)

# Rows that break a law of the tables, as two with one number do, end the build before a program is linked.
$(BUILD)/check_tables: $(call obj,harness/t/oracle/check_tables.c $(wildcard oracle/base/*.c oracle/isa/*.c))
	$(say)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/tables.ok: $(BUILD)/check_tables
	$(say)$(EMULATOR) $<
	@touch $@

$(BUILD)/gcncheck $(BUILD)/gcncheck-mutants $(test_bin) $(BUILD)/xcheck_llvm: | $(BUILD)/tables.ok
$(BUILD)/gcncheck: $(call obj,harness/cmd/main.c) $(lib)
	$(say)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/gcncheck-mutants: $(call obj,harness/cmd/main.c) $(mutant_obj) $(lib)
	$(say)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

# Made anew where a build without the copy for any CPU is gone on with: for objects that are missing alone make would leave an archive be.
wider := $(if $(base_obj),$(if $(wildcard $(BUILD)/oracle/sem/operand.base.o),,wider))
.PHONY: $(wider)
$(BUILD)/oracle/exec/engine.o: $(base_obj) $(wider)
$(BUILD)/oracle/exec/engine.o: CFLAGS += $(have_base)

# What compiles longest stands first, so that no core waits for it at the end.
$(lib): $(sem_obj) $(call obj,$(lib_src))
	@rm -f $@
	$(say)$(AR) qcs $@ $^

$(BUILD)/libmutants.a: $(call obj,$(mutant_own)) $(gen_src:.c=.o)
	@rm -f $@
	$(say)$(AR) qcs $@ $^

$(BUILD)/%.base.o: %.c
	@mkdir -p $(@D)
	$(say)$(CC) $(CFLAGS_ALL) $(base_opt) -DSEM_NAME=base -MMD -MP -c -o $@ $<

$(BUILD)/%.v3.o: %.c
	@mkdir -p $(@D)
	$(say)$(CC) $(CFLAGS_ALL) -DSEM_NAME=v3 -march=x86-64-v3 -MMD -MP -c -o $@ $<

# The bare loops of `gcncheck bench` are compiled as the rows are.
ifneq ($(is_x86),)
$(BUILD)/harness/bench/bare.o: CFLAGS += -march=x86-64-v3
endif

# The kernels of `gcncheck bench` stand in the program.
$(BUILD)/harness/bench/kernel.o: cases/kernels/sha256/gfx900.O3.co cases/kernels/matmul_tiled/gfx900.O3.co

$(BUILD)/oracle/sem/host/%.o: oracle/sem/host/%.c
	@mkdir -p $(@D)
	$(say)$(CC) $(CFLAGS_ALL) -DSEM_NAME=host -march=x86-64-v3 -MMD -MP -c -o $@ $<

# One run of the script makes all of them; unchanged files keep their time.
$(gen_src): $(BUILD)/gen/made ;
$(BUILD)/gen/made: $(wildcard scripts/mutate/*.py oracle/isa/*.def oracle/isa/rows/*.def oracle/sem/*.[ch] oracle/sem/*/*.[ch] oracle/fp/format.[ch]) oracle/exec/exec.c
	$(say)python3 scripts/mutate/mutate.py $(@D)
	@touch $@

# Warnings are about mistakes, and these are made on purpose; so are shifts and sums that the sanitizers would stop.
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(say)$(CC) $(CFLAGS_ALL) -O0 -g0 -w -fwrapv $(if $(SAN),-fno-sanitize=undefined) $(if $(COV),-fno-profile-arcs -fno-test-coverage) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(say)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# A test is called as its source is, whatever layer's folder that stands in; test_lib is linked to each.
test_lib := $(call obj,$(wildcard harness/t/lib/*.c))

.SECONDEXPANSION:
$(test_bin): $(BUILD)/%: $$(addprefix $(BUILD)/,$$(addsuffix .o,$$(basename $$(wildcard harness/t/*/%.c)))) $(test_lib) $$(with_$$*) $(lib)
	$(say)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL) $(LDLIBS_$(@F))

with_t_mutant = $(mutant_obj)
$(BUILD)/t_drm: | $(drm_so)
LDLIBS_t_common = -Wl,--wrap=malloc,--wrap=calloc
LDLIBS_t_finding = -Wl,--wrap=malloc,--wrap=calloc
LDLIBS_t_fp = -lmpfr -lgmp
LDLIBS_t_trans = -lmpfr -lgmp
LDLIBS_t_div = -lmpfr -lgmp
LDLIBS_t_div64 = -lmpfr -lgmp
LDLIBS_t_fp16 = -lmpfr -lgmp
LDLIBS_t_format = -lmpfr -lgmp
ifneq ($(is_x86),)
$(BUILD)/harness/t/fp/t_host_f32.o: CFLAGS_ALL += -march=x86-64-v3
endif

# The comparing half of scripts/xcheck/xcheck-llvm.sh; LLVM itself is opened at run time.
$(BUILD)/xcheck_llvm: $(BUILD)/harness/t/oracle/xcheck_llvm.o $(lib)
	$(say)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

# The example DUT is built the way a stranger would build his own: one file, one header, nothing else.
$(BUILD)/example_dut.so: harness/sdk/example_dut.c harness/sdk/gcncheck_dut.h
	@mkdir -p $(@D)
	$(say)$(CC) -std=c99 -O2 -g -Wall -Wextra -shared -fPIC -Iharness/sdk -o $@ $<

# The model with its mutants as a plug-in. Its objects are those of the program: nothing but gcncheck_dut() is to be seen outside, so
# that what they call of each other is settled here; only where they use data of libc they must be made for it.
$(BUILD)/oracle/base/base.o $(BUILD)/harness/io/file.o $(BUILD)/harness/io/lines.o $(BUILD)/harness/dut/model_dut.o $(BUILD)/harness/afl/mutator.o $(BUILD)/harness/afl/forms.o: CFLAGS += -fPIC
# Made anew where a build from before these flags is gone on with.
$(BUILD)/harness/io/file.o $(BUILD)/harness/io/lines.o: Makefile
$(BUILD)/model_dut.so: $(call obj,harness/dut/model_dut.c) $(mutant_obj) $(lib)
	@echo '{ global: gcncheck_dut; local: *; };' >$(BUILD)/model_dut.map
	$(say)$(CC) -shared $(LDFLAGS_ALL) -Wl,--version-script=$(BUILD)/model_dut.map -o $@ $^ $(LDLIBS_ALL)

# The virtual GPU for `gcncheck vgpu`, which loads it before the program; only what it wraps is to be seen outside.
vgpu_src := $(wildcard harness/vgpu/front/*.c harness/vgpu/preload/*.c harness/vgpu/notify/*.c)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard harness/vgpu/*.c harness/vgpu/*/*.c harness/drm/*.c)): CFLAGS += -fPIC
$(BUILD)/gcncheck-vgpu.so: $(call obj,$(vgpu_src)) $(lib)
	@echo '{ global: open; open64; openat; openat64; fopen; fopen64; stat; stat64; lstat; lstat64; fstat; fstat64; access; readlink; realpath; __realpath_chk; opendir; readdir; readdir64; closedir; ioctl; close; gcncheck_vgpu_oracle_ns; gcncheck_vgpu_serve; local: *; };' >$(BUILD)/vgpu.map
	$(say)$(CC) -shared $(LDFLAGS_ALL) -Wl,--as-needed -Wl,--version-script=$(BUILD)/vgpu.map -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/gcncheck-vgpu-mutants.so: $(call obj,$(vgpu_src)) $(mutant_obj) $(lib) | $(BUILD)/gcncheck-vgpu.so
	$(say)$(CC) -shared $(LDFLAGS_ALL) -Wl,--as-needed -Wl,--version-script=$(BUILD)/vgpu.map -o $@ $^ $(LDLIBS_ALL)

# Cards through libdrm_amdgpu, as a plug-in.
$(BUILD)/gcncheck-drm.so: $(call obj,$(wildcard harness/drm/*.c)) $(lib)
	@echo '{ global: gcncheck_dut; local: *; };' >$(BUILD)/drm.map
	$(say)$(CC) -shared $(LDFLAGS_ALL) -Wl,--as-needed -Wl,--version-script=$(BUILD)/drm.map -o $@ $^ -ldrm_amdgpu -ldrm $(LDLIBS_ALL)

# Bad devices for the tests, built like a stranger's plug-in; `undefined` is meant to have a hole. They fill what the struct had at first.
bad_so := $(patsubst harness/t/bad/dut/%.c,$(BUILD)/bad_%.so,$(wildcard harness/t/bad/dut/*.c))

$(BUILD)/bad_%.so: harness/t/bad/dut/%.c $(wildcard harness/t/bad/dut/*.h) harness/sdk/gcncheck_dut.h harness/sdk/example_dut.c
	@mkdir -p $(@D)
	$(say)$(CC) -std=gnu99 -O1 -g -Wall -Wextra -Wno-missing-field-initializers -shared -fPIC -I. -o $@ $<

$(BUILD)/t_dut $(BUILD)/t_dut_example: | $(bad_so) $(BUILD)/example_dut.so

# A client of the virtual GPU that nothing can be loaded before, and the same as others are.
vgpu_clients := $(if $(has_drm),$(BUILD)/vgpu_client_static $(BUILD)/vgpu_client_dynamic)
$(BUILD)/vgpu_client_static: client_flags = -static
$(vgpu_clients): harness/t/vgpu/client.c
	@mkdir -p $(@D)
	$(say)$(CC) -std=gnu11 -O1 -g -Wall -Wextra $(client_flags) $(cflags_drm) -o $@ $<

# Of scripts/faults: what is preloaded, and what a program is run by.
$(BUILD)/fail_memory.so $(BUILD)/plant_fault.so: $(BUILD)/%.so: harness/t/bad/memory/%.c
	$(say)$(CC) $(CFLAGS) -Wall -Wextra -fPIC -shared -o $@ $<
$(BUILD)/fail_calls: harness/t/bad/memory/fail_calls.c
	$(say)$(CC) $(CFLAGS) -Wall -Wextra -o $@ $<

tests: all mutants $(test_bin) $(BUILD)/xcheck_llvm $(BUILD)/fz_inputs $(bad_so) $(vgpu_clients) $(BUILD)/fail_memory.so $(BUILD)/plant_fault.so $(BUILD)/fail_calls

# Fuzz targets of the parsers (harness/fz), with the sanitizers; twice: as they are, and with a planted crash.
fz_src  := $(filter-out $(if $(has_drm),,%/fz_card.c %/fz_environ.c %/fz_submitted.c),$(wildcard harness/fz/*/fz_*.c))
fz_name := $(patsubst fz_%.c,%,$(notdir $(fz_src)))
# Rows are linked as they are elsewhere: what a file holds reaches them through checked memory only.
fz_own  := harness/dut/model_dut.c $(mutant_own) harness/t/lib/tap_test.c $(if $(has_drm),harness/drm/journal.c harness/drm/plant.c)
fz_lib  := $(filter-out $(sem_src) $(mutant_src) $(fz_own),$(call sources,oracle) $(call sources,reports) \
           $(wildcard $(patsubst %,harness/%/*.c,ask bundle case check codeobj coverage dis dut finding io known launch launch/debug launch/file launch/host line lint mutant vector vote)) \
           $(wildcard fuzz/cover/*.c fuzz/gen/*.c fuzz/mutate/*.c fuzz/prog/*.c fuzz/shrink/*.c fuzz/stream/*.c)) \
           harness/litmus/file.c $(if $(has_drm),$(wildcard harness/vgpu/*.c $(patsubst %,harness/vgpu/%/*.c,core card driver kfd packet)),$(patsubst %,harness/vgpu/%.c,chip fault linked under)) \
           harness/campaign/weights.c harness/afl/forms.c $(patsubst %,harness/cmd/%.c,ask/eval kernel/dis kernel/dis_file)
fz_obj  := $(patsubst %.c,$(BUILD)/afl/%.o,$(fz_own) $(fz_lib))
vpath fz_%.c $(sort $(dir $(fz_src)))
AFL_CC   = AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 afl-clang-fast
fz_flags = -std=c11 -D_GNU_SOURCE -I. -O1 -g -fno-strict-aliasing -pthread $(cflags_pkg) $(have_base) $(if $(is_x86),-DHAVE_V3=1)

$(if $(has_drm),$(BUILD)/afl/harness/vgpu/%.o $(BUILD)/afl/harness/drm/%.o $(BUILD)/afl/fz/%.o): fz_flags += -DHAVE_DRM=1 $(cflags_drm)

$(BUILD)/afl/%.o: %.c
	@mkdir -p $(@D)
	$(say)$(AFL_CC) $(fz_flags) -MMD -MP -c -o $@ $<

$(BUILD)/afl/fz/fz_%.o: fz_%.c
	@mkdir -p $(@D)
	$(say)$(AFL_CC) $(fz_flags) -MMD -MP -c -o $@ $<

$(BUILD)/afl/fz/fz.o: harness/fz/fz.c
	@mkdir -p $(@D)
	$(say)$(AFL_CC) $(fz_flags) -MMD -MP -c -o $@ $<

$(BUILD)/afl/fz/fz.plant.o: harness/fz/fz.c
	@mkdir -p $(@D)
	$(say)$(AFL_CC) $(fz_flags) -DFZ_PLANT -MMD -MP -c -o $@ $<

# What the targets are linked with: of it each takes what it calls.
$(BUILD)/afl/libfz.a: $(fz_obj) $(sem_obj)
	@rm -f $@
	$(say)$(AR) qcs $@ $^

$(BUILD)/afl/fz_%: $(BUILD)/afl/fz/fz_%.o $(BUILD)/afl/fz/fz.o $(BUILD)/afl/libfz.a
	$(say)$(AFL_CC) -pthread -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/afl/plant_%: $(BUILD)/afl/fz/fz_%.o $(BUILD)/afl/fz/fz.plant.o $(BUILD)/afl/libfz.a
	$(say)$(AFL_CC) -pthread -o $@ $^ $(LDLIBS_ALL)

fz-targets: $(patsubst %,$(BUILD)/afl/fz_%,$(fz_name)) $(patsubst %,$(BUILD)/afl/plant_%,$(fz_name))

# All targets in one program, built as everything else is: for inputs that are kept (harness/fz/inputs).
fz_all := $(patsubst %,$(BUILD)/fz/fz_%.o,$(fz_name)) $(BUILD)/fz/fz.o
$(fz_all): CFLAGS += $(if $(has_drm),-DHAVE_DRM=1 $(cflags_drm))
$(BUILD)/fz/fz.o: CFLAGS += -D'FZ_TARGETS=$(patsubst %,TARGET(%),$(fz_name))'
$(BUILD)/fz/fz_%.o: fz_%.c
	@mkdir -p $(@D)
	$(say)$(CC) $(CFLAGS_ALL) -DFZ_NAME=$* -MMD -MP -c -o $@ $<

$(BUILD)/fz/fz.o: harness/fz/fz.c $(fz_src) # each of which it names
	@mkdir -p $(@D)
	$(say)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/fz_inputs: $(fz_all) $(call obj,$(fz_own)) $(lib)
	$(say)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LDLIBS_ALL)

# AFL++ on programs: the target, its mutator, and a device with a bug that branches lead to.
afl_env := AFL_QUIET=1
$(BUILD)/gcncheck-afl: harness/afl/target.c $(lib)
	$(say)$(afl_env) afl-clang-fast $(fz_flags) -o $@ $< $(lib) $(LDLIBS_ALL)

$(BUILD)/gcncheck-afl-mutator.so: $(call obj,harness/afl/mutator.c) $(lib)
	@echo '{ global: afl_custom_*; local: *; };' >$(BUILD)/mutator.map
	$(say)$(CC) -shared $(LDFLAGS_ALL) -Wl,--version-script=$(BUILD)/mutator.map -o $@ $^ $(LDLIBS_ALL)

$(BUILD)/afl_deep.so: harness/t/bad/dut/deep.c harness/sdk/example_dut.c
	$(say)$(afl_env) AFL_DONT_OPTIMIZE=1 afl-clang-fast -std=gnu99 -O0 -g -shared -fPIC -I. -o $@ $< # its branches would become one compare

afl: core $(BUILD)/gcncheck-afl $(BUILD)/gcncheck-afl-mutator.so

# AFL++ on each of them for FUZZ_TIME seconds or FUZZ_EXECS inputs, two at a time; crashes are left in $(BUILD)/afl/out.
fuzz-parsers: all fz-targets
	@FUZZ_TIME=$${FUZZ_TIME:-600} BUILD=$(BUILD) sh scripts/parsers/fuzz-parsers.sh

# The main job: directed cases and random streams on two implementations, a planted bug found, kernels executed.
run:
	@sh scripts/deps.sh
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) sh scripts/run/main-job.sh

# Quick tests: of what is built; and those that say the same whatever built it.
tests_of_tree = harness/t/tree/structure.sh harness/t/tree/tables.sh harness/t/tree/described.sh harness/t/tree/mutants.sh harness/t/tree/csource.sh
tests_of_tools = $(filter-out harness/t/lib/% $(tests_of_tree),$(wildcard harness/t/*/*.sh))
programs = $(test_bin) 'python3 scripts/check/circles.py $(BUILD)' 'sh scripts/check/nofloat.sh' 'sh scripts/check/check-cases.sh' \
    'sh scripts/kernels/kernels.sh' 'sh scripts/xcheck/xcheck-llvm.sh' 'sh scripts/run/same-results.sh 500' \
    '$(BUILD)/gcncheck run --mcpu gfx900 --quiet cases' '$(BUILD)/gcncheck run --mcpu gfx906 --quiet cases' \
    '$(BUILD)/gcncheck run --mcpu gfx908 --quiet cases'
source_tests = 'sh scripts/check/layers.sh' 'sh scripts/check/classify.sh' 'python3 scripts/check/names.py' 'python3 scripts/check/imports.py' \
    'python3 scripts/check/library.py' 'sh scripts/check/writes.sh' 'sh scripts/check/tags.sh' 'python3 scripts/check/alternatives.py' \
    'sh scripts/check/recompiled.sh' 'sh scripts/check/executed.sh' \
    'sh scripts/calc/check.sh' $(patsubst %,'sh %',$(tests_of_tree)) 'sh scripts/mutate/mutation-score.sh -s 17'

# What other builds are not asked again. Of another compiler: what does not launch kernels, and has nothing to do with what numbers are.
# With the sanitizers, where each takes thrice as long: what forks most, whose parts others run; and tests of values, speed, packages
# and of the tree.
left_by_compiler = $(filter-out harness/t/launch/% harness/t/truth/% harness/t/fuzz/fuzz.sh harness/t/vgpu/drm.sh harness/t/run/known.sh,$(tests_of_tools))
left_by_sanitizers = $(foreach f,fuzz causes diagnose failed resume afl,harness/t/fuzz/$f.sh) $(foreach f,hsa probe,harness/t/vgpu/$f.sh) \
    harness/t/ask/bench.sh harness/t/cmd/environment.sh harness/t/cmd/output.sh harness/t/run/vote.sh harness/t/run/known.sh harness/t/launch/resident.sh \
    $(wildcard harness/t/truth/*.sh harness/t/tree/*.sh harness/t/ship/*.sh)
left_out = $(if $(SAN),$(left_by_sanitizers),$(left_by_compiler))

test:
	@sh scripts/deps.sh test
	@$(MAKE) --no-print-directory quick

quick: tests
	@BUILD=$(BUILD) GCNCHECK=$(BUILD)/gcncheck sh scripts/run/run-tests.sh $(programs) $(patsubst %,'sh %',$(tests_of_tools)) $(source_tests)

quick-programs: tests
	@BUILD=$(BUILD) GCNCHECK=$(BUILD)/gcncheck sh scripts/run/run-tests.sh $(if $(SAN),$(filter-out %/t_bench,$(programs)),$(programs)) $(patsubst %,'sh %',$(filter-out $(left_out),$(tests_of_tools)))

coverage:
	@sh scripts/deps.sh test
	@sh scripts/check/coverage.sh

mutation-score: mutants
	@GCNCHECK=$(BUILD)/gcncheck sh scripts/mutate/mutation-score.sh

# The quick tests by clang and with the sanitizers, the mutant campaign and the full cross-checks.
test-long:
	@sh scripts/deps.sh long
	@sh scripts/run/test-long.sh

# What goes where is said by scripts/ship/install.sh.
ship = BUILD='$(BUILD)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' EMULATOR='$(EMULATOR)' LIBRARIES='$(drm_so)'

install: all
	@$(ship) sh scripts/ship/install.sh install

uninstall:
	@$(ship) sh scripts/ship/install.sh uninstall

deb: all
	@$(ship) CC='$(CC)' sh scripts/ship/deb.sh

check-format:
	@clang-format --dry-run --Werror $(format_src)

format:
	@clang-format -i $(format_src)

help:
	@sed -n 's/^# make //p' Makefile

# Objects are kept, and nothing is said of them at the end.
.SECONDARY:

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

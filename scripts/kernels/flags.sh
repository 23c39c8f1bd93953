# flags_of MCPU: what clang needs beside the processor, for scripts that read this file.

# What expected outputs take for granted and compilers do not do before gfx9: subnormals of f32 are kept. Code objects of version 5
# are left aside there: functions that are called read where LDS is from address 0xc0 in them (LLVM 19, -O0).
flags_of() {
    case $1 in
    gfx6* | gfx7* | gfx8*) echo "-Xclang -fdenormal-fp-math-f32=ieee -mcode-object-version=4" ;;
    esac
}

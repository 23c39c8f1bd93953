#!/bin/sh
# What of images and exports the model does not know stops by name. Prints TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh

# stops WORDS INSTRUCTION [PLACE=VALUE]...: executing it stops with these words.
stops() {
    words=$1
    shift
    said=$("$gcncheck" eval "$@" 2>&1)
    is "exit code 3, gcncheck eval: byte 0 of the code: ${1%% *} with $words is not modelled" "exit code $?, $said" "${1%% *}: $words"
}

# image WORDS INSTRUCTION REGISTER=VALUE...: the same with a 2D image of 5 * 3 dwords, changed by the registers given.
image() {
    words=$1 code=$2
    shift 2
    stops "$words" "$code" 's[4:5]=0x1040000000001000' s6=0x8004 s7=0x90000fac s8=0x7e000 s9=0 s10=0 s11=0 "$@"
}

load='image_load v12, v[2:3], s[4:11] dmask:0x1 unorm'
image "a resource that is no image" "$load" s7=0x00000fac
image "a multisampled image" "$load" s7=0xe0000fac
image "a reserved swizzle mode" "$load" s7=0x90c00fac
image "rows that are no whole blocks" "$load" s7=0x90100fac s8=0x6000
image "a tiled image over pipes and banks that are not known" "$load" s7=0x91900fac
image "a tiled image of no such shape" "$load" s7=0x80100fac
image "levels that the image does not have" "$load" s7=0x90010fac
image "levels that the image does not have" "$load" s7=0x90011fac
image "levels that the image does not have" "$load" s7=0x90012fac s9=0x20000000
image "levels in another arrangement" "$load" s9=0x10000000
image "a compressed image" "$load" s10=0x200000
image "an array pitch" "$load" s9=0x2000
image "layers that the image does not have" "$load" s9=1
image "the layers behind a first one" 'image_get_resinfo v12, v2, s[4:11] dmask:0x4 unorm' s7=0xd0000fac s8=0x7e002 s9=1
image "an image format of its own" "$load" 's[4:5]=0x10f0000000001000'
image "an image format of its own" "$load" 's[4:5]=0x1140000000001000'
image "an image format of its own" "$load" 's[4:5]=0x20a0000000001000'
image "an image format of its own" "$load" 's[4:5]=0x28a0000000001000'
image "a number format that does not fit the data" "$load" 's[4:5]=0x1c10000000001000'
image "a number format that does not fit the data" "$load" 's[4:5]=0x0040000000001000'
image "a number format that does not fit the data" "$load" 's[4:5]=0x0510000000001000'
image "an image whose rows are no multiple of 256 bytes" "$load" s8=0x7c000
image "a warning about its level" 'image_load v12, v[2:3], s[4:11] dmask:0x1 unorm lwe'
image "tfe outside memory" 'image_load v[12:13], v[2:3], s[4:11] dmask:0x1 unorm tfe' s4=0x00ffffff 'mem[0x1000]=00'
image "layers of a 3D image" 'image_load v12, v[2:4], s[4:11] dmask:0x1 unorm da' s7=0xa0000fac
image "a level beyond the last" 'image_load_mip v12, v[2:4], s[4:11] dmask:0x1 unorm' v4=1
image "components in another order" 'image_store v12, v[2:3], s[4:11] dmask:0x1 unorm' s7=0x90000fa5
image "sRGB to be stored" 'image_store v12, v[2:3], s[4:11] dmask:0x1 unorm' 's[4:5]=0x24a0000000001000'
image "more than one dword of packed data" 'image_load_pck v[12:13], v[2:3], s[4:11] dmask:0x3 unorm'
image "the signs of several components" 'image_load_pck_sgn v12, v[2:3], s[4:11] dmask:0x1 unorm' 's[4:5]=0x1050000000001000'
image "texels of another size than its data" 'image_atomic_add v[12:13], v[2:3], s[4:11] dmask:0x3 unorm'
image "a size that the image does not have" 'image_get_resinfo v12, v2, s[4:11] dmask:0x4 unorm'
image "a level beyond the last" 'image_get_resinfo v12, v2, s[4:11] dmask:0x1 unorm' v2=1

# sample WORDS INSTRUCTION REGISTER=VALUE...: the same for one lane with a sampler of points, one level, edges repeated.
sample() {
    words=$1 code=$2
    shift 2
    image "$words" "$code" 's[4:5]=0x00a0000000001000' s12=0x92 s13=0xfff000 s14=0 s15=0 exec=1 v2=0x3f000000 v3=0x3f000000 v4=0 v5=0 v6=0 "$@"
}

lz='image_sample_lz v12, v[2:3], s[4:11], s[12:15] dmask:0x1' plain='image_sample v12, v[2:3], s[4:11], s[12:15] dmask:0x1'
sample "an anisotropic filter" "$lz" s14=0x200000
sample "an anisotropic filter" "$lz" s14=0x800000
sample "an anisotropic filter" "$lz" s12=0x292
sample "a reserved filter" "$lz" s14=0x3000000
sample "a reserved filter" "$lz" s14=0xc000000
sample "a reserved filter" "$lz" s12=0x60000092
sample "coordinates cut for motion compensation" "$lz" s12=0x80092
sample "a forced conversion of sRGB" "$lz" s12=0x100092
sample "a filter that saves work" "$lz" s13=0x1fff000
sample "a filter that saves work" "$lz" s13=0x10fff000
sample "a second level bias" "$lz" s14=0x4000
sample "a border of its own color" "$lz" s12=0x96 s15=0xc0000000
sample "half a border without a filter" "$lz" s12=0x94
sample "half a border without a filter" 'image_gather4_lz v[12:15], v[2:3], s[4:11], s[12:15] dmask:0x1' s12=0x94 s14=0x500000
sample "a wrap of coordinates that are not normalized" "$lz" s12=0x8090
sample "a wrap of coordinates that are not normalized" "$lz unorm" s12=0x93
sample "coordinates cut before a filter" "$lz" s12=0x8000092 s14=0x500000
sample "a filter of integers" "$lz" 's[4:5]=0x10a0000000001000' s14=0x500000
sample "a filter of integers" "$lz" 's[4:5]=0x14a0000000001000' s14=0x400000
sample "a lowest level of the image" "$lz" 's[4:5]=0x00a0010000001000'
sample "a reserved order of the border" "$lz" s8=0xc007e000
sample "faces of a cube that do not join" "$lz da" s7=0xb0000fac s12=0x10000092
sample "coordinates of a cube that are not normalized" 'image_sample_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da unorm' s7=0xb0000fac s8=0x7e005
sample "a coordinate beyond the face of a cube" 'image_sample_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da' s7=0xb0000fac s8=0x7e005
sample "a face that a cube does not have" 'image_sample_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da' s7=0xb0000fac s8=0x7e005 v2=0x3fc00000 v3=0x3fc00000 v4=0x40c00000
sample "a corner of a cube" 'image_sample_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da' s7=0xb0000fac s8=0x7e005 s6=0x4001 v2=0x3f800000 v3=0x3f800000 s14=0x500000
sample "a layer between two" 'image_sample_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da' s7=0xd0000fac s8=0x7e005 v4=0x3fc00000
sample "a layer between two" 'image_sample_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da' s7=0xd0000fac s8=0x7e005 s12=0x8000092 v4=0x3fa00000
sample "a coordinate that is no finite number" "$lz" v2=0x7f800000
sample "a coordinate that is no finite number" "$lz" v3=0x7fc00000
sample "a level of its own and a bias of the sampler" "$lz" s14=0x100
sample "a level of its own and a bias of the sampler" 'image_sample_l v12, v[2:4], s[4:11], s[12:15] dmask:0x1' s14=0x3fff
sample "a level from lanes that are off" "$plain" s14=0x100000
sample "a level from several faces of a cube" 'image_sample v12, v[2:4], s[4:11], s[12:15] dmask:0x1 da' s7=0xb0000fac s8=0x7e005 s14=0x100000 exec=0xf v2=0x3fc00000 v3=0x3fc00000 v4=0,0x3f800000
sample "slopes that differ within a quad" 'image_sample_cd v12, v[2:7], s[4:11], s[12:15] dmask:0x1' s14=0x100000 exec=3 v4=0 v5=0 v6=0x3f000000 v7=0x3f000000 v3=0,0x3f800000
sample "a comparison of integers" 'image_sample_c_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1' 's[4:5]=0x10a0000000001000'
sample "several components of a comparison" 'image_sample_c_lz v[12:13], v[2:4], s[4:11], s[12:15] dmask:0x3'
sample "several components of a comparison" 'image_sample_c_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1' s7=0x90000fad
sample "extremes of comparisons" 'image_sample_c_lz v12, v[2:4], s[4:11], s[12:15] dmask:0x1' s12=0x20000092
sample "16 bits of data" 'image_gather4_lz v[12:13], v[2:3], s[4:11], s[12:15] dmask:0x1 d16'
sample "an image that has not two dimensions" 'image_gather4_lz v[12:15], v[2:4], s[4:11], s[12:15] dmask:0x1' s7=0xa0000fac
sample "coordinates cut before a filter" 'image_gather4_lz v[12:15], v[2:3], s[4:11], s[12:15] dmask:0x1' s12=0x8000092
sample "a sampler of one level" 'image_get_lod v12, v[2:3], s[4:11], s[12:15] dmask:0x1' exec=0xf
sample "more than two values" 'image_get_lod v[12:14], v[2:3], s[4:11], s[12:15] dmask:0x7' exec=0xf s14=0x4000000
stops "no image" 'image_get_lod v12, v[2:3], s[4:11], s[12:15] dmask:0x1'
finish

#!/bin/sh
# What of images and exports the model does not know stops by name. Prints TAP 13.
#
#   GCNCHECK: the program (default build/gcncheck)

gcncheck="${GCNCHECK:-build/gcncheck}"
number=0 failed=0

# refuse WORDS INSTRUCTION [PLACE=VALUE]...: executing it stops with these words.
refuse()
{
    words=$1
    shift
    number=$((number + 1))
    got=$("$gcncheck" eval "$@" 2>&1)
    status=$?
    if [ $status = 2 ] && [ "$got" = "gcncheck eval: byte 0 of the code: ${1%% *} with $words is not modelled" ]; then
        echo "ok $number - ${1%% *}: $words"
    else
        echo "not ok $number - ${1%% *}: $words"
        echo "# exit code $status: $got"
        failed=1
    fi
}

# image WORDS INSTRUCTION REGISTER=VALUE...: the same with a 2D image of 5 * 3 dwords, changed by the registers given.
image()
{
    words=$1 code=$2
    shift 2
    refuse "$words" "$code" 's[4:5]=0x1040000000001000' s6=0x8004 s7=0x90000fac s8=0x7e000 s9=0 s10=0 s11=0 "$@"
}

echo "TAP version 13"
load='image_load v12, v[2:3], s[4:11] dmask:0x1 unorm'
image "a resource that is no image" "$load" s7=0x00000fac
image "a multisampled image" "$load" s7=0xe0000fac
image "a tiled image" "$load" s7=0x90100fac
image "an image of several levels" "$load" s7=0x90010fac
image "an image of several levels" "$load" s7=0x90001fac
image "an image of several levels" "$load" s9=0x10000000
image "a compressed image" "$load" s10=0x200000
image "an image with a first layer or an array pitch" "$load" s9=1
image "an image format of its own" "$load" 's[4:5]=0x1100000000001000'
image "an image format of its own" "$load" 's[4:5]=0x24a0000000001000'
image "a number format that does not fit the data" "$load" 's[4:5]=0x1c10000000001000'
image "a number format that does not fit the data" "$load" 's[4:5]=0x0040000000001000'
image "an image whose rows are no multiple of 256 bytes" "$load" s8=0x7c000
image "a warning about its level" 'image_load v12, v[2:3], s[4:11] dmask:0x1 unorm lwe'
image "layers of a 3D image" 'image_load v12, v[2:4], s[4:11] dmask:0x1 unorm da' s7=0xa0000fac
image "a level beyond the last" 'image_load_mip v12, v[2:4], s[4:11] dmask:0x1 unorm' v4=1
image "components in another order" 'image_store v12, v[2:3], s[4:11] dmask:0x1 unorm' s7=0x90000fa5
image "more than one dword of packed data" 'image_load_pck v[12:13], v[2:3], s[4:11] dmask:0x3 unorm'
image "the signs of several components" 'image_load_pck_sgn v12, v[2:3], s[4:11] dmask:0x1 unorm' 's[4:5]=0x1050000000001000'
image "texels of another size than its data" 'image_atomic_add v[12:13], v[2:3], s[4:11] dmask:0x3 unorm'
image "a size that the image does not have" 'image_get_resinfo v12, v2, s[4:11] dmask:0x4 unorm'
image "a level beyond the last" 'image_get_resinfo v12, v2, s[4:11] dmask:0x1 unorm' v2=1
refuse "a position or a parameter" 'exp pos0 v0, v0, v0, v0'
refuse "a position or a parameter" 'exp param31 v0, v0, v0, v0 done'
echo "1..$number"
exit $failed

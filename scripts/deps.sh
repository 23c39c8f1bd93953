#!/bin/sh
# Installs what is missing of the Debian packages that gcncheck needs.
#
#   scripts/deps.sh            what `make run` needs
#   scripts/deps.sh test       and what `make test` needs
#   scripts/deps.sh long       and what `make test-long` needs
#   scripts/deps.sh --list     prints the packages of all three
#
# As root, or with sudo. Where neither is possible it names the packages and ends with code 1.
set -u

core="gcc make python3 pkg-config libc6-dev libelf-dev libmsgpack-dev libjansson-dev libzstd-dev libyaml-dev libdw-dev libdrm-dev"
test="libmpfr-dev perl llvm-19 afl++ libclang-rt-14-dev libdrm-tests locales dpkg-dev"
long="clang clang-format clang-19 clang-tools-19 lld-19 csmith rocm-device-libs librocrand1 librocsparse0 gcc-12 gcc-12-offload-amdgcn librocprim-dev libamdhip64-dev libpciaccess-dev slurmctld slurmd slurm-client munge rocminfo libhsa-runtime-dev mesa-vulkan-drivers libvulkan-dev vulkan-tools glslang-tools libegl-dev libgles-dev libgl1-mesa-dri libegl-mesa0 mesa-opencl-icd ocl-icd-opencl-dev"

case "${1:-run}" in
run) want=$core ;;
test) want="$core $test" ;;
long) want="$core $test $long" ;;
--list) echo "$core $test $long"; exit 0 ;;
*) echo "deps.sh: '$1': use nothing, test, long or --list" >&2; exit 2 ;;
esac

missing=
for p in $want; do
    dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "gcncheck needs these Debian packages and may not install them (no root, no sudo without a password):" >&2
    echo "    apt-get install$missing" >&2
    exit 1
fi
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null || {
    echo "deps.sh: apt-get could not install$missing" >&2
    exit 1
}

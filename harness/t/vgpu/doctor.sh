#!/bin/sh
# gcncheck doctor: what stands between it and a card, in trees that lack one thing each. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh
make_tmp

# A tree with a Vega 10 in which nothing is missing.
tree() {
    rm -rf "$tmp/root"
    pci=$tmp/root/sys/bus/pci/devices/0000:03:00.0
    mkdir -p "$pci" "$tmp/root/dev/dri" "$tmp/root/sys/module/amdgpu" "$tmp/root/lib/firmware/amdgpu" "$tmp/root/sys/bus/pci/drivers/amdgpu"
    echo 0x1002 >"$pci/vendor"
    echo 0x030000 >"$pci/class"
    echo 0x6863 >"$pci/device"
    ln -s ../../drivers/amdgpu "$pci/driver"
    : >"$tmp/root/dev/dri/renderD128"
    : >"$tmp/root/lib/firmware/amdgpu/vega10_mec.bin.xz"
}
doctor() { GCNCHECK_ROOT=$tmp/root XDG_STATE_HOME=$tmp/state "$gcncheck" doctor; }

tree
expect "the card, its driver" 0 "^ok *card *0000:03:00.0: device 0x6863, like gfx900; driven by amdgpu" doctor
expect "the node" 0 "^ok *render node *.*renderD128, readable and writable" doctor
expect "the kernel driver" 0 "^ok *kernel driver *amdgpu is loaded" doctor
expect "the firmware" 0 "^ok *firmware *.*vega10_mec.bin" doctor
doctor | grep -q submissions
is 1 $? "nothing of submissions"
echo 0x10de >"$pci/vendor"
expect "another maker's card" 0 "^-- *card *no AMD GPU on the PCI bus" doctor
tree
rm "$pci/driver"
expect "no driver" 0 "^-- *card .*no driver has taken it: modprobe amdgpu" doctor
ln -s ../../drivers/vfio-pci "$pci/driver"
expect "another driver" 0 "^-- *card .*driven by vfio-pci, not by amdgpu: unbind it" doctor
tree
rm "$tmp/root/dev/dri/renderD128"
expect "no node" 0 "^-- *render node *none in /dev/dri" doctor
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    tree
    chmod 600 "$tmp/root/dev/dri/renderD128"
    chmod 755 "$tmp" "$tmp/root"
    GCNCHECK_ROOT=$tmp/root setpriv --reuid 65534 --regid 65534 --clear-groups "$gcncheck" doctor >"$tmp/out"
    grep -q "^-- *render node .*no permission: sudo usermod -aG root " "$tmp/out"
    ok $? "no permission" "$tmp/out"
else
    skip "no permission" "only root can give it up"
fi
tree
rmdir "$tmp/root/sys/module/amdgpu"
expect "the driver is not loaded" 0 "^-- *kernel driver *amdgpu is not loaded: modprobe amdgpu" doctor
mkdir "$tmp/root/boot"
echo "# CONFIG_DRM_AMDGPU is not set" >"$tmp/root/boot/config-$(uname -r)"
expect "the kernel has none" 0 "^-- *kernel driver *this kernel was built without CONFIG_DRM_AMDGPU" doctor
tree
rm "$tmp/root/lib/firmware/amdgpu/vega10_mec.bin.xz"
expect "no firmware" 0 "^-- *firmware *.*vega10_mec.bin is missing (Debian: firmware-amd-graphics" doctor
echo 0x738c >"$pci/device"
expect "nor that of an MI100" 0 "arcturus_mec.bin is missing" doctor
echo 0x67df >"$pci/device"
expect "nor that of a Polaris" 0 "polaris10_mec.bin is missing" doctor
expect "which is like gfx803" 0 "^ok *card *0000:03:00.0: device 0x67df, like gfx803" doctor
tree
mkdir "$tmp/state"
printf 'gcncheck submissions 1 boot x\nculprit 1234567812345678 bf810000\nfinished\n' >"$tmp/state/gcncheck-submitted.0"
expect "what has frozen the machine" 0 "^-- *submissions *1 jobs have frozen this machine.*gcncheck-submitted" doctor
finish

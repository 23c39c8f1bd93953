#!/bin/sh
# Tests how `gcncheck eval` shows what is exported. TAP 13.
cd "$(dirname "$0")/../../.." || exit 2
. harness/t/lib/tap.sh

# same WANT ARGUMENTS...: all that `gcncheck eval` prints is WANT.
same() {
    want=$1
    shift
    is "$want" "$("$gcncheck" eval "$@" 2>&1)" "${1%%,*}"
}

same 'export   mrt0 done vm  exec 0x0000000000000005
  x 0x00000001  lanes 0x0000000000000001
  x 0x00000003  lanes 0x0000000000000004
  y 0x00000007  lanes 0x0000000000000005' 'exp mrt0 v0, v1, off, off done vm' v0=1,2,3 v1=7 exec=5
same 'export   param31 compr  exec 0x8000000000000001
  x 0x00000001  lanes 0x8000000000000001
  y 0x00000002  lanes 0x8000000000000001' 'exp param31 v0, v0, off, off compr' v0=0x00020001 exec=0x8000000000000001
same 'export   mrtz  exec 0x0000000000000001
  x 0x00000009  lanes 0x0000000000000001
export   pos3 done  exec 0x0000000000000001
  w 0x00000009  lanes 0x0000000000000001
export   null vm  exec 0x0000000000000001' 'exp mrtz v0, off, off, off
exp pos3 off, off, off, v0 done
exp null off, off, off, off vm' v0=9 exec=1
same 'nothing changed' 's_nop 0'
finish

#!/bin/sh
# Runs TAP programs the way `prove` does and counts test points.
#
#   scripts/run/run-tests.sh build/t_tap 'build/gcncheck run --mcpu gfx900 cases' ...
#
# Each argument is one shell command that prints TAP. A program that crashes, ends with a code of its own,
# has no plan or does not keep it counts as one failure more. The last line is always
# "N passed, M failed"; exit code 1 if M is not 0. Skipped and TODO points are counted apart.
#
# JOBS: programs at a time (default: one per processor). TEST_TIMEOUT: seconds for one (default 600).
# TEST_VERBOSE=1 shows everything they print.

[ $# -gt 0 ] || { echo "run-tests.sh: no programs given" >&2; echo "0 passed, 1 failed"; exit 1; }

unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that called this: what tests build has nothing to do with its jobs
export JOBS="${JOBS:-$(nproc)}" TEST_TIMEOUT="${TEST_TIMEOUT:-600}" TEST_VERBOSE="${TEST_VERBOSE:-0}"
exec perl -MTAP::Harness -we '
    # A program that bails out ends itself; the others go on.
    my %bailed;
    { no warnings; *TAP::Harness::_bailout = sub { $bailed{$_[2]} = $_[1]->explanation || "no reason" }; }
    my $harness = TAP::Harness->new({
        exec => ["timeout", "-k", "5", $ENV{TEST_TIMEOUT}, "sh", "-c"],
        jobs => $ENV{JOBS}, verbosity => $ENV{TEST_VERBOSE}, failures => 1, comments => 1, merge => 0, timer => 1,
    });
    my $all = $harness->runtests(@ARGV);
    my ($passed, $failed, $skipped, $todo, @broken) = (0, 0, 0, 0);
    for my $name (@ARGV) {
        my ($p) = $all->parsers($name) or do { $failed++; push @broken, "$name: did not run"; next };
        my $bad = $p->failed; # how many
        $skipped += $p->skipped;
        $todo += $p->todo;
        my %other = map { $_ => 1 } $p->skipped, $p->todo, $p->failed;
        $passed += grep { !$other{$_} } $p->passed;
        my $why = $bailed{$p} ? "bailed out: $bailed{$p}"
                : $p->wait == 0x7c00 ? "no end after $ENV{TEST_TIMEOUT} s"
                : $p->wait & 127 ? "killed by signal " . ($p->wait & 127)
                : $p->exit && !$bad ? "exit code " . $p->exit
                : ($p->parse_errors)[0];
        push @broken, "$name: $why" if $why;
        $failed += $bad || ($why ? 1 : 0);
    }
    print "broken: $_\n" for @broken;
    print "$skipped skipped, $todo expected to differ\n" if $skipped || $todo;
    print "$passed passed, $failed failed\n";
    exit($failed ? 1 : 0);
' -- "$@"

// A small Perl program between us and the shell, on Linux. It is a subreaper: a child that forks twice or starts a
// session of its own stays its descendant, so it can end the whole tree. When we die, by SIGKILL too, it does so by
// itself. It is no sandbox: a command may kill it, or start something through a service (systemd, cron, docker).
import { findSystemPerl } from "@jeeves/base";

/** System call numbers, because loading Perl's POSIX module takes longer than everything else here. */
const CALLS: Partial<Record<NodeJS.Architecture, { readonly prctl: number; readonly setsid: number }>> = {
  x64: { prctl: 157, setsid: 112 },
  arm64: { prctl: 167, setsid: 157 },
};

/** How long the supervisor waits after SIGTERM, and then again after SIGKILL. */
export const SUPERVISOR_GRACE_MS = 300;

/** The descriptor on which the supervisor reports. */
export const REPORT_FD = 3;

/** What the supervisor reports first. Without it Perl did not work, and the command never ran. */
export const STARTED = "s";

/**
 * Arguments: numbers of prctl and setsid, our pid, grace in ms, count of variables, `NAME=value` for each, the command.
 * Where the kernel refuses a subreaper, the command runs in its place. When the shell has ended and others are left, its
 * exit code is reported; the supervisor's own exit code is the shell's, too.
 * The shell dies with the supervisor; without it its children could not be found any more.
 * An alarm interrupts `waitpid` once a second, because a signal may come just before it blocks.
 * TERM goes to the shell's group first and at once: a shell whose child alone is killed would go on to its next command.
 */
const PROGRAM = String.raw`
my ($prctl, $setsid, $server, $grace_ms, $count) = map { $_ + 0 } splice @ARGV, 0, 5;
delete $ENV{LC_ALL};
for (splice @ARGV, 0, $count) { my ($name, $value) = split /=/, $_, 2; $ENV{$name} = $value; }
open my $report, '>&=', ${REPORT_FD};
syswrite $report, '${STARTED}' or exit 1;
my ($stops, $ended, $status) = (0, 0, 0);
sub run { exec { $ARGV[0] } @ARGV; exit 127; }
if (syscall($prctl, 36, 1, 0, 0, 0) != 0) { close $report; run(); }
syscall $prctl, 1, 15, 0, 0, 0;
$SIG{TERM} = sub { $stops = 1 };
my $shell = fork;
if (!$shell) {
  close $report;
  $SIG{TERM} = 'DEFAULT';
  exit 143 if $stops;
  if (defined $shell) { syscall $setsid; syscall $prctl, 1, 9, 0, 0, 0; }
  run();
}
$0 = 'jeeves-command';
$SIG{TERM} = \&end_all;
$SIG{ALRM} = sub { getppid == $server ? alarm 1 : end_all() };
$SIG{PIPE} = $SIG{INT} = $SIG{HUP} = $SIG{QUIT} = 'IGNORE';
close $_ for *STDIN, *STDOUT, *STDERR;
chdir '/';
alarm 1;
end_all() if $stops;
while ((my $pid = waitpid -1, 0) > 0) {
  next unless $pid == $shell;
  ($ended, $status) = (1, $?);
  finish() if reap();
  syswrite $report, code() . "\n";
}
finish();

sub end_all {
  $SIG{TERM} = $SIG{ALRM} = 'IGNORE';
  for my $signal ('TERM', 'KILL') {
    send_all($signal);
    for (1 .. $grace_ms / 10) {
      finish() if reap();
      select undef, undef, undef, 0.01;
      send_all($signal) if $signal eq 'KILL';
    }
  }
  finish();
}
sub code { return $status & 127 ? 128 + ($status & 127) : $status >> 8; }
sub finish { exit($ended ? code() : 137); }
sub reap {
  while ((my $pid = waitpid -1, 1) != 0) {
    return 1 if $pid < 0;
    ($ended, $status) = (1, $?) if $pid == $shell;
  }
  return 0;
}
sub send_all {
  my ($signal) = @_;
  my $group = !$ended && kill $signal, -$shell;
  my (%children, %group_of);
  opendir my $list, '/proc' or return kill $signal, $ended ? () : $shell;
  for my $pid (grep { /^\d+$/ } readdir $list) {
    open my $file, '<', "/proc/$pid/stat" or next;
    my $stat = do { local $/; <$file> } // next;
    my (undef, $parent, $in) = split ' ', substr $stat, 1 + rindex $stat, ')';
    push @{ $children{$parent} }, $pid;
    $group_of{$pid} = $in;
  }
  my @found = @{ $children{$$} // [] };
  for (my $at = 0; $at < @found; $at++) { push @found, @{ $children{$found[$at]} // [] }; }
  kill $signal, grep { !$group || $group_of{$_} != $shell } @found;
}
`;

/** A program with its arguments and its whole environment. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The same program under a supervisor; undefined where the platform has none. */
export async function superviseProgram(asked: Program): Promise<Program | undefined> {
  const calls = process.platform === "linux" ? CALLS[process.arch] : undefined;
  const perl = calls && (await findSystemPerl());
  if (calls === undefined || perl === undefined) return undefined;
  // Variables that change what Perl does go to the command only. In the C locale it starts faster, and a locale that is
  // not installed makes it complain.
  const isForPerl = ([name]: readonly [string, unknown]) => /^(?:PERL|LC_|LANG)/.test(name);
  const entries = Object.entries(asked.env).filter(([, value]) => value !== undefined);
  const theirs = entries.filter(isForPerl).map(([name, value]) => `${name}=${value}`);
  const numbers = [calls.prctl, calls.setsid, process.pid, SUPERVISOR_GRACE_MS, theirs.length].map(String);
  return {
    file: perl,
    args: ["-f", "-C0", "-e", PROGRAM, "--", ...numbers, ...theirs, asked.file, ...asked.args],
    env: { ...Object.fromEntries(entries.filter((entry) => !isForPerl(entry))), LC_ALL: "C" },
  };
}

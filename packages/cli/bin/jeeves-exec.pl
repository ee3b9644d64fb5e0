# Runs one command and holds back what it prints until it ends; then Node is asked what of it to print, or it is small and
# printed as it is. While the command runs, all that is held is in a file that a line names. Whatever goes wrong, the bytes
# are the bare command's; so are stdin, exit code and signals.
# It loads no module before the command runs, not even strict: one from PERL5LIB may be broken. Tests check it with -Mstrict.

my ($shell, $wrapped, $streams, $badlang, $client, $session, $transcript, $command, $word, $mode, $state_dir) = @ARGV;
my $SMALL = 1600;    # bytes; less is never worth a cut
my $MAX_SPOOL = 64 * 1024 * 1024;
my $CHUNK = 256 * 1024;
my $RAW_AFTER_S = ($ENV{JEEVES_EXEC_RAW_AFTER_MS} // 60_000) / 1000;
# A command that hangs is a silent one, and its client may end it, and us, without a word.
my $RAW_SILENT_S = ($ENV{JEEVES_EXEC_RAW_SILENT_MS} // 30_000) / 1000;
# One that waits behind an unfinished line has asked something.
my $QUESTION_S = ($ENV{JEEVES_EXEC_QUESTION_MS} // 1_000) / 1000;
my $NOTE_AFTER_S = ($ENV{JEEVES_EXEC_NOTE_AFTER_MS} // 2_000) / 1000;
# Longer than a cut may take (10 s) and the store may hang (5 s).
my $CUT_S = ($ENV{JEEVES_EXEC_CUT_MS} // 20_000) / 1000;
my $IDLE_S = 0.2;    # of a command that is over, and whose output another process still has open
my ($NOHANG, $EINTR, $EPIPE) = (1, 4, 32);    # by number: the modules that name them load longer than all the rest
delete $ENV{PERL_BADLANG} unless $badlang;

my $gone = 0;    # why nothing more can be written: the number of the error
# Its argument may be large: no copy is made of it.
sub write_all {
  my $at = 0;
  while (!$gone && $at < length $_[0]) {
    my $wrote = syswrite STDOUT, $_[0], length($_[0]) - $at, $at;
    if (defined $wrote) { $at += $wrote; next; }
    next if $! == $EINTR;
    if ($! == 11 || $! == 35)    # EAGAIN on Linux, on macOS
      { select undef, undef, undef, 0.005; next; }
    $gone = $! + 0;
  }
}

pipe(my $from, my $to) or exec { $shell } $shell, '-c', $wrapped;
# A larger pipe (F_SETPIPE_SZ) wakes us less often while a command prints without a pause; without it all is the same.
fcntl $from, 1031, $CHUNK if $^O eq 'linux';
# A handler of ours ends with exec, so that the command hears its signals; what is ignored (nohup) must stay so, for the
# command too. Interrupts reach the whole group by themselves, where a terminal sends them; one that was meant for us alone
# is passed on a moment later.
# A client that ends a command reads what there is by then, so nothing is held from then on.
my ($pid, $shows_all, $interrupt, $interrupt_s) = (undef, 0, '', 0);
my @heard = grep { ($SIG{$_} // '') ne 'IGNORE' } qw(INT QUIT TERM HUP);
for my $name (@heard) {
  my $is_interrupt = $name =~ /INT|QUIT/;
  $SIG{$name} = sub {
    $shows_all = 1;
    if ($is_interrupt) { ($interrupt, $interrupt_s) = ($name, 0); }
    elsif ($pid) { kill $name, $pid; }
  };
}
$pid = fork;
exec { $shell } $shell, '-c', $wrapped unless defined $pid;
if ($pid == 0) {
  close $from;
  open STDOUT, '>&', $to;
  open STDERR, '>&', $to if $streams eq 'together';
  close $to;
  $SIG{$_} = 'DEFAULT' for @heard;
  exec { $shell } $shell, '-c', $wrapped;
  exit 127;
}
close $to;
my $can_pipe_kill = ($SIG{PIPE} // '') ne 'IGNORE';
$SIG{PIPE} = 'IGNORE';
# A limit on the size of files is the command's; what we write is a copy.
my $can_size_kill = ($SIG{XFSZ} // '') ne 'IGNORE';
$SIG{XFSZ} = 'IGNORE';

# What was printed and is held back. Once $is_raw, everything goes on as it comes; in shadow a copy is still kept for the
# meter.
my ($spool, $is_raw, $is_shadow, $has_mode, $is_open) = ('', 0, 0, 0, 1);
my ($status, $is_left, $reads) = (undef, 0, 0);
my ($started, $quiet_s, $over_s, $over_at) = (time, 0, 0, 0);
# Since when something is held, and the file that has all of it.
my ($held_at, $copy, $copy_path) = (undef, undef, '');
# Where the reader is gone, the command hears of it as it would have: its own next write fails.
while (!$gone && $is_open) {
  my $ready = '';
  vec($ready, fileno $from, 1) = 1;
  my $found = select $ready, undef, undef, 0.05;
  if ($found > 0) {
    take_output();
    last unless $is_open;
  }
  elsif ($found == 0) { $quiet_s += 0.05; $over_s += 0.05; $interrupt_s += 0.05; }
  if ($interrupt && $interrupt_s >= $IDLE_S && $pid) { kill $interrupt, $pid; $interrupt = ''; }
  $started = time if time < $started;    # the clock was set back
  $held_at = time if defined $held_at && time < $held_at;
  my $is_late = time - $started > $RAW_AFTER_S;
  if ($is_raw) { ($is_shadow, $spool) = (0, '') if $is_shadow && ($is_late || length $spool > $MAX_SPOOL); }
  elsif ($shows_all || length $spool > $MAX_SPOOL) { show_raw(); }
  elsif (length $spool && !$has_mode && ($found == 0 || length $spool >= $SMALL)) { ask_mode(); }
  elsif (defined $held_at && !defined $copy && !defined $status && time - $held_at >= $NOTE_AFTER_S) { name_copy(); }
  elsif ($is_late || $quiet_s >= $RAW_SILENT_S && length $spool || is_asking()) { show_so_far(); }
  # Now and then, while it prints without a pause: each look costs as much as a read.
  my $looks = $found == 0 || ++$reads % 16 == 0;
  if ($looks && !defined $status && waitpid($pid, $NOHANG) == $pid) {
    # It may have printed its last words after the look above. From now on its number is another process's.
    ($status, $pid, $over_s, $over_at) = ($?, 0, 0, time);
  }
  # What it left behind may print without end, and faster than we look.
  if (defined $status && ($over_s >= $IDLE_S || abs(time - $over_at) > 1)) { $is_left = $is_open; last; }
}
close $from if $gone;
if (!defined $status) {
  1 while waitpid($pid, 0) == -1 && $! == $EINTR;
  $status = $?;
}
$pid = 0;    # another process's from now on
my $code = $status & 127 ? 128 + ($status & 127) : $status >> 8;

if (!$gone && length $spool) {
  my $is_cut = !$shows_all && length $spool >= $SMALL && cut_by_node($code);
  write_all($spool) unless $is_raw || $is_cut;
}
drop_copy();    # not before the rest is printed: until then it is all that would be left of it

# What a process that was left behind prints goes on as if nothing stood in between.
if ($is_left && !fork) {
  $SIG{$_} = 'DEFAULT' for @heard;
  close STDIN;
  close STDERR;
  while (!$gone && sysread $from, my $bytes, 65_536) { write_all($bytes); }
  exit 0;
}
my $signal = $status & 127;
# It could not know that what it had printed by then would find no reader.
if ($gone && $status == 0) { ($signal, $code) = $gone == $EPIPE && $can_pipe_kill ? (13, 141) : (0, 1); }
if ($signal) {
  $SIG{$_} = 'DEFAULT' for @heard, $can_pipe_kill ? 'PIPE' : (), $can_size_kill ? 'XFSZ' : ();
  kill $signal, $$;
}
exit $code;

# Reads what the command printed: it goes on, or to what is held.
sub take_output {
  my $at = length $spool;
  my $got = sysread $from, $spool, $CHUNK, $at;
  return if !defined $got && $! == $EINTR;
  return $is_open = 0 unless $got;
  $quiet_s = 0;
  write_all(substr $spool, $at) if $is_raw;
  return $spool = '' if $is_raw && !$is_shadow;
  $held_at //= time;
  # A copy that cannot grow is no copy of all: then nothing is held back.
  $shows_all = 1 if defined $copy && (syswrite($copy, $spool, $got, $at) // 0) < $got;
}

# Prints all that is held, and from now on everything as it comes.
sub show_raw {
  write_all($spool);
  undef $spool;    # its memory, too
  ($spool, $is_raw) = ('', 1);
  drop_copy();
}

# The command goes on, but what it has printed must be seen: a cut of that. What it prints meanwhile follows.
sub show_so_far {
  my $length = length $spool;
  my $is_cut = $length >= $SMALL && cut_by_node('');
  substr($spool, 0, $length) = '' if $is_cut;
  show_raw();
}

# Whether the command waits behind an unfinished line. One that grows by dots or is drawn anew shows progress.
sub is_asking {
  return 0 if $quiet_s < $QUESTION_S || defined $status || $spool eq '' || substr($spool, -1) eq "\n";
  my $end = length $spool > 400 ? substr $spool, -400 : $spool;
  my $line = substr $end, 1 + rindex $end, "\n";
  return $line !~ /\r|\d ?%|\.\.\s*\z|(?:^|\s)(?:[.*,!FEXsx]|\xe2\x9c.|\xc2\xb7)+\s*\z/s;
}

# Where nothing is cut (shadow, off), the bytes are the command's and come as it prints them.
sub ask_mode {
  $has_mode = 1;
  my $found = mode_now();
  return if $found eq 'on';
  write_all($spool);
  ($is_raw, $is_shadow) = (1, $found eq 'shadow');
  $spool = '' unless $is_shadow;
}

# A client that ends a command by force ends us, too, and all that we hold: so it is in a file by then, and a line says
# where. Without such a file nothing is held.
sub name_copy {
  ask_mode() unless $has_mode;
  return if $is_raw;
  local @INC = grep { !is_theirs($_) } @INC;
  eval { require Fcntl; 1 } or return show_raw();
  $copy_path = ($ENV{TMPDIR} || '/tmp') . "/jeeves-$$-" . int(rand 1e6);
  sysopen $copy, $copy_path, Fcntl::O_WRONLY() | Fcntl::O_CREAT() | Fcntl::O_EXCL(), 0600 or undef $copy;
  return show_raw() unless defined $copy && (syswrite($copy, $spool) // 0) == length $spool;
  write_all("[output so far, until this ends: $copy_path]\n");
}

# Whether a directory of modules was named by the environment, which is meant for the command.
sub is_theirs {
  my ($dir) = @_;
  return scalar grep { length && index("$dir/", "$_/") == 0 } split /:/, join ':', map { $_ // '' } @ENV{qw(PERL5LIB PERLLIB)};
}

sub drop_copy {
  return unless defined $copy;
  close $copy;
  unlink $copy_path;
  undef $copy;
}

# As Node finds it (mode.ts). Read by a child, so that a disk that hangs costs a second and not the command's output.
sub mode_now {
  for my $named ($ENV{JEEVES_MODE}, $mode) {
    return lc $1 if ($named // '') =~ /^\s*(on|shadow|off)\s*$/i;
  }
  my $state = $ENV{JEEVES_STATE_DIR} || $state_dir || ($ENV{XDG_STATE_HOME} || ($ENV{HOME} // '') . '/.local/state') . '/jeeves';
  pipe(my $in, my $out) or return 'on';
  my $reader = fork;
  return 'on' unless defined $reader;
  if ($reader == 0) {
    # A pipe or a device there would block, or never end.
    if (-f "$state/mode" && open my $file, '<', "$state/mode") {
      sysread $file, my $text, 1024;
      syswrite $out, $text // '';
    }
    exit 0;
  }
  close $out;
  my ($ready, $text) = ('', '');
  vec($ready, fileno $in, 1) = 1;
  sysread $in, $text, 1024 if select($ready, undef, undef, 1) > 0;
  kill 'KILL', $reader;
  waitpid $reader, $NOHANG;
  return $text =~ /^\s*(on|shadow|off)\s*$/i ? lc $1 : 'on';
}

# True where a cut was printed. Node gets all that is held by now on stdin and answers `BYTES\n` and so many bytes, or
# nothing. Whatever it does, and if it never ends, this does: all that is held is still here. The exit code is empty while
# the command runs; then what it prints is read meanwhile, so that it need not wait.
sub cut_by_node {
  my ($code) = @_;
  my ($here) = $0 =~ m{^(.*)/}s;
  my $reader = "$here/../dist/jeeves-exec-cut.js";
  # Inside a package the built file is near; in the user's data directory a launcher finds it, and Node.
  # Only absolute entries of PATH count: a project must not choose the program.
  my ($program) = ($ENV{JEEVES_NODE} // (), grep { -x } map { "$_/node" } grep { m{^/} } split /:/, $ENV{PATH} // '');
  my @reader = -r $reader && defined $program ? ($program, $reader) : -x "$here/jeeves-exec-cut" ? "$here/jeeves-exec-cut" : ();
  return 0 unless @reader;
  pipe(my $in, my $out) or return 0;
  pipe(my $back, my $answer) or return 0;
  my $node = fork;
  return 0 unless defined $node;
  if ($node == 0) {
    close $out;
    close $back;
    close $from;
    open STDIN, '<&', $in;
    open STDOUT, '>&', $answer;
    open STDERR, '>', '/dev/null';
    close $in;
    close $answer;
    # An earlier version printed the first bytes before it asked, and said how many.
    @ENV{map { "JEEVES_EXEC_$_" } qw(CLIENT SESSION TRANSCRIPT COMMAND WORD CODE PASSED_ON)} =
      ($client, $session, $transcript, $command, $word, $code, 0);
    $ENV{JEEVES_MODE} ||= $mode if length $mode;
    $ENV{JEEVES_STATE_DIR} ||= $state_dir if length $state_dir;
    delete $ENV{NODE_OPTIONS};    # meant for the command: a debugger to wait for, a module to load first
    exec { $reader[0] } @reader;
    exit 127;
  }
  close $in;
  close $answer;
  my ($at, $end, $cut, $left_s) = (0, length $spool, '', $CUT_S);
  while ($left_s > 0 && !($shows_all && !$is_raw)) {
    my ($read, $write) = ('', '');
    my $reads_on = $code eq '' && $is_open && length $spool <= $MAX_SPOOL;
    vec($read, fileno $back, 1) = 1;
    vec($read, fileno $from, 1) = 1 if $reads_on;
    vec($write, fileno $out, 1) = 1 if defined $out;
    my $found = select $read, $write, undef, 0.05;
    if ($found <= 0) { $left_s -= 0.05; next; }
    take_output() if $reads_on && vec($read, fileno $from, 1);
    if (defined $out && vec($write, fileno $out, 1)) {
      # A pipe that can be written takes at least this much at once.
      my $wrote = syswrite $out, $spool, $end - $at < 4096 ? $end - $at : 4096, $at;
      if (defined $wrote) { $at += $wrote; }
      elsif ($! != $EINTR) { $at = $end; }
      if ($at >= $end) { close $out; undef $out; }
    }
    if (vec($read, fileno $back, 1)) {
      my $got = sysread $back, $cut, 65_536, length $cut;
      next if !defined $got && $! == $EINTR;
      last if !$got || is_whole($cut);
    }
  }
  my $is_cut = is_whole($cut);
  write_all(substr $cut, 1 + index $cut, "\n") if $is_cut && !$is_raw;
  # With the end of its output it is gone. One that hangs is not waited for.
  my $ready = '';
  vec($ready, fileno $back, 1) = 1;
  if ($is_cut ? select($ready, undef, undef, 1) <= 0 : $left_s <= 0 || $shows_all) { kill 'KILL', $node; }
  else { 1 while waitpid($node, 0) == -1 && $! == $EINTR; }
  return $is_cut;
}

# Its argument may be large: no copy is made of it.
sub is_whole {
  my $head = index $_[0], "\n";
  my $bytes = substr $_[0], 0, $head < 0 ? 0 : $head;
  return $bytes =~ /^\d{1,10}$/ && length($_[0]) - $head - 1 == $bytes;
}

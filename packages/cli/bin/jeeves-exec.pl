# Runs one command and passes on the first 6 kB of what it prints. Only where there is more, Node is asked at the end what
# to print of the rest; where that takes long, a line names a file with all of it so far. Whatever goes wrong, the bytes are the bare command's; so are stdin, exit code and signals.
# It loads no module before the command runs, not even strict: one from PERL5LIB may be broken. Tests check it with -Mstrict.

my ($shell, $wrapped, $streams, $badlang, $client, $session, $transcript, $command, $word, $mode, $state_dir) = @ARGV;
my $PASS_ON = 6144;
my $MAX_SPOOL = 64 * 1024 * 1024;
my $RAW_AFTER_S = ($ENV{JEEVES_EXEC_RAW_AFTER_MS} // 60_000) / 1000;
# A command that hangs is a silent one, and its client may end it, and us, without a word.
my $RAW_SILENT_S = ($ENV{JEEVES_EXEC_RAW_SILENT_MS} // 30_000) / 1000;
my $NOTE_AFTER_S = ($ENV{JEEVES_EXEC_NOTE_AFTER_MS} // 2_000) / 1000;
# Longer than a cut may take (10 s) and the store may hang (5 s).
my $CUT_S = ($ENV{JEEVES_EXEC_CUT_MS} // 20_000) / 1000;
my $IDLE_S = 0.2;    # of a command that is over, and whose output somebody else still holds
my ($NOHANG, $EINTR, $EPIPE) = (1, 4, 32);    # by number: the modules that name them load longer than all the rest
delete $ENV{PERL_BADLANG} unless $badlang;

my $gone = 0;    # why nothing more can be written: the number of the error
sub write_all {
  my ($bytes) = @_;
  my $at = 0;
  while (!$gone && $at < length $bytes) {
    my $wrote = syswrite STDOUT, $bytes, length($bytes) - $at, $at;
    if (defined $wrote) { $at += $wrote; next; }
    next if $! == $EINTR;
    if ($! == 11 || $! == 35)    # EAGAIN on Linux, on macOS
      { select undef, undef, undef, 0.005; next; }
    $gone = $! + 0;
  }
}

pipe(my $from, my $to) or exec { $shell } $shell, '-c', $wrapped;
# A handler of ours ends with exec, so that the command hears its signals; what is ignored (nohup) must stay so, for the
# command too. Interrupts reach the whole group by themselves, where a terminal sends them; one that was meant for us alone
# is passed on a moment later.
# Whoever ends a command reads what there is by then, so nothing is kept back from then on.
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

my ($spool, $passed, $status, $raw, $held) = ('', 0, undef, 0, 0);
my ($started, $quiet_s, $over_s, $over_at) = (time, 0, 0, 0);
# While something is kept back: since when, and a file with all that was printed so far.
my ($held_at, $copy, $copy_path) = (undef, undef, '');
# Whose reader is gone, the command hears of it as it would have: its own next write fails.
while (!$gone) {
  my $ready = '';
  vec($ready, fileno $from, 1) = 1;
  my $found = select $ready, undef, undef, 0.05;
  if ($found > 0) {
    my $got = sysread $from, my $bytes, 65_536;
    next if !defined $got && $! == $EINTR;
    last unless $got;
    $quiet_s = 0;
    if ($raw) { write_all($bytes); }
    else { $spool .= $bytes; }
    if (!$raw && !defined $held_at) {
      my $now = substr $spool, $passed, $PASS_ON - $passed;
      # It stops at the end of a line, if there is one: something else may be the next.
      if (length $spool > $PASS_ON) {
        $now =~ s/\n\K[^\n]*\z//s
          or (is_line_end($passed) and $now = '')
          or $now =~ s/(?:[\xc0-\xff][\x80-\xbf]{0,2})\z//;    # nor within a character
      }
      write_all($now);
      $passed += length $now;
      $held_at = time if length $spool > $PASS_ON;
    }
    # A copy that cannot grow is no copy of all: then nothing is kept back.
    $shows_all = 1 if defined $copy && (syswrite($copy, $bytes) // 0) < length $bytes;
  }
  elsif ($found == 0) { $quiet_s += 0.05; $over_s += 0.05; $interrupt_s += 0.05; }
  if ($interrupt && $interrupt_s >= $IDLE_S && $pid) { kill $interrupt, $pid; $interrupt = ''; }
  $started = time if time < $started;    # the clock was set back
  $held_at = time if defined $held_at && time < $held_at;
  my $is_silent = $quiet_s >= $RAW_SILENT_S && length $spool > $passed;
  if (!$raw && ($shows_all || $is_silent || length $spool > $MAX_SPOOL || time - $started > $RAW_AFTER_S)) {
    write_all(substr $spool, $passed);
    ($spool, $raw) = ('', 1);
    drop_copy();
  }
  if (defined $held_at && !$raw && !$copy_path && time - $held_at >= $NOTE_AFTER_S) { note_copy(); }
  if (!defined $status && waitpid($pid, $NOHANG) == $pid) {
    # It may have printed its last words after the look above. From now on its number is somebody else's.
    ($status, $pid, $over_s, $over_at) = ($?, 0, 0, time);
  }
  # What it left behind may print without end, and faster than we look.
  if (defined $status && ($over_s >= $IDLE_S || abs(time - $over_at) > 1)) { $held = 1; last; }
}
close $from if $gone;
if (!defined $status) {
  1 while waitpid($pid, 0) == -1 && $! == $EINTR;
  $status = $?;
}
$pid = 0;    # somebody else's from now on
my $code = $status & 127 ? 128 + ($status & 127) : $status >> 8;

write_all(substr $spool, $passed) if !$gone && !$raw && length $spool > $passed && !cut_by_node();
drop_copy();    # not before the rest is printed: until then it is all that would be left of it

# What a process that was left behind prints goes on as if nobody stood in between.
if ($held && !fork) {
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

# A client that ends a command by force ends us, too, and all that we keep: so it is in a file by then, and a line says
# where. Not where nothing is cut (shadow, off): there the bytes are the command's and nothing else.
sub note_copy {
  $copy_path = '-';    # tried
  return if mode_now() =~ /^(?:shadow|off)$/;
  local @INC = grep { !is_theirs($_) } @INC;
  eval { require Fcntl; 1 } or return;
  my $path = ($ENV{TMPDIR} || '/tmp') . "/jeeves-so-far-$$-" . int(rand 1e9);
  sysopen $copy, $path, Fcntl::O_WRONLY() | Fcntl::O_CREAT() | Fcntl::O_EXCL(), 0600 or return undef $copy;
  $copy_path = $path;
  if ((syswrite($copy, $spool) // 0) < length $spool) { return drop_copy(); }
  my $lines = (substr $spool, $passed) =~ tr/\n//;
  write_all("\n") unless is_line_end($passed);
  write_all("[$lines more lines so far; what matters of them comes when this ends; until then all is in $path]\n");
}

# Whether a directory of modules was named by the environment, which is meant for the command.
sub is_theirs {
  my ($dir) = @_;
  return scalar grep { length && index("$dir/", "$_/") == 0 } split /:/, join ':', map { $_ // '' } @ENV{qw(PERL5LIB PERLLIB)};
}

sub is_line_end {
  my ($at) = @_;
  return $at > 0 && substr($spool, $at - 1, 1) eq "\n";
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

# True where the rest, cut, is printed. Node gets the whole text on stdin and answers `BYTES\n` and so many bytes, or
# nothing. Whatever it does, and if it never ends, this does: all that was kept back is still here.
sub cut_by_node {
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
    open STDIN, '<&', $in;
    open STDOUT, '>&', $answer;
    open STDERR, '>', '/dev/null';
    close $in;
    close $answer;
    @ENV{map { "JEEVES_EXEC_$_" } qw(CLIENT SESSION TRANSCRIPT COMMAND WORD CODE PASSED_ON)} =
      ($client, $session, $transcript, $command, $word, $code, $passed);
    $ENV{JEEVES_MODE} ||= $mode if length $mode;
    $ENV{JEEVES_STATE_DIR} ||= $state_dir if length $state_dir;
    delete $ENV{NODE_OPTIONS};    # meant for the command: a debugger to wait for, a module to load first
    exec { $reader[0] } @reader;
    exit 127;
  }
  close $in;
  close $answer;
  my ($at, $cut, $left_s) = (0, '', $CUT_S);
  while ($left_s > 0) {
    my ($read, $write) = ('', '');
    vec($read, fileno $back, 1) = 1;
    vec($write, fileno $out, 1) = 1 if defined $out;
    my $found = select $read, $write, undef, 0.05;
    if ($found <= 0) { $left_s -= 0.05; next; }
    if (defined $out && vec($write, fileno $out, 1)) {
      # A pipe that can be written takes at least this much at once.
      my $wrote = syswrite $out, $spool, 4096, $at;
      if (defined $wrote) { $at += $wrote; }
      elsif ($! != $EINTR) { $at = length $spool; }
      if ($at >= length $spool) { close $out; undef $out; }
    }
    if (vec($read, fileno $back, 1)) {
      my $got = sysread $back, $cut, 65_536, length $cut;
      next if !defined $got && $! == $EINTR;
      last if !$got || is_whole($cut);
    }
  }
  my $is_cut = is_whole($cut);
  write_all(substr $cut, 1 + index $cut, "\n") if $is_cut;
  # With the end of its output it is gone. One that hangs is not waited for.
  my $ready = '';
  vec($ready, fileno $back, 1) = 1;
  if ($is_cut && select($ready, undef, undef, 1) <= 0 || $left_s <= 0) { kill 'KILL', $node; }
  else { 1 while waitpid($node, 0) == -1 && $! == $EINTR; }
  return $is_cut;
}

# Its argument may be large: no copy is made of it.
sub is_whole {
  my $head = index $_[0], "\n";
  my $bytes = substr $_[0], 0, $head < 0 ? 0 : $head;
  return $bytes =~ /^\d{1,10}$/ && length($_[0]) - $head - 1 == $bytes;
}

# Runs one command and holds back what it prints until it ends; then Node is asked what of it to print, or it is small and
# printed as it is. All that is held is in a file, too: where both are killed, the session's next command names it.
# If anything goes wrong, the command's bytes are printed unchanged. stdin, exit code and signals are always its own.
# It loads no module before the command runs, not even strict: one from PERL5LIB may be broken. Tests check it with -Mstrict.

my ($shell, $wrapped, $streams, $badlang, $client, $session, $transcript, $command, $word, $mode, $state_dir) = @ARGV;
my $SMALL = 1600;    # bytes; less is never worth a cut
my $MAX_SPOOL = 32 * 1024 * 1024;
my $MAX_MEMORY = 1024 * 1024;    # of what is held: of more, the file is enough until it is wanted
my $CHUNK = 256 * 1024;
my $RAW_AFTER_S = ($ENV{JEEVES_EXEC_RAW_AFTER_MS} // 60_000) / 1000;
# A command that hangs prints nothing, and its client may kill it, and us, without warning.
my $RAW_SILENT_S = ($ENV{JEEVES_EXEC_RAW_SILENT_MS} // 30_000) / 1000;
# One that waits behind an unfinished line has asked something, unless it is working: a busy machine is slow.
my $QUESTION_S = ($ENV{JEEVES_EXEC_QUESTION_MS} // 1_000) / 1000;
# Of a Node that does nothing: longer than the store may hang (5 s). One that works is waited for, whatever else the machine
# does meanwhile: what is shown must not depend on that. Without /proc, all of the time counts.
my $CUT_S = ($ENV{JEEVES_EXEC_CUT_MS} // 20_000) / 1000;
my $WORK_S = ($ENV{JEEVES_EXEC_WORK_MS} // 60_000) / 1000;    # of a processor
my $PROC = ($ENV{JEEVES_TEST_HIDE} // '') =~ /\bproc\b/ ? '/nowhere' : '/proc';    # as in optional-parts.ts
my $IDLE_S = 0.2;    # how long to read on when a command has ended and another process still has its output open
my ($NOHANG, $LOCK, $NO_WAIT, $EINTR, $EPIPE) = (1, 2, 4, 4, 32);    # by number: the modules that name them load longer than all the rest
delete $ENV{PERL_BADLANG} unless $badlang;

my $gone = 0;    # why nothing more can be written: the number of the error
my $last_byte = "\n";    # of all that was printed
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
  $last_byte = substr $_[0], -1 if length $_[0];
}

pipe(my $from, my $to) or exec { $shell } $shell, '-c', $wrapped;
# A larger pipe (F_SETPIPE_SZ) wakes us less often while a command prints without a pause; without it all is the same.
fcntl $from, 1031, $CHUNK if $^O eq 'linux';
# exec resets our handlers, so that the command gets its signals; what is ignored (nohup) must stay ignored, for the
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
our $has_started = 1;    # from here on the launcher must not run the command itself
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
# How much is held in all. Of much, $spool has the end alone, and the file what stands before it.
my ($held, $is_spilled, $may_spill) = (0, 0, 1);
my ($status, $is_left, $reads) = (undef, 0, 0);
my ($started, $quiet_s, $over_s, $over_at) = (time, 0, 0, 0);
# Of the silence: when to look next whether the command works, when it last did, and what it had used at the last look.
my ($look_s, $worked_s, @used) = (0, 0);
# The file that has all that is held. Its name says whose it is; who has it open holds a lock on it.
my ($copy, $copy_path, $copy_name) = (undef, '', copy_name());
my $copy_dir = (($ENV{TMPDIR} // '') =~ m{^(/.*)}s ? $1 : '/tmp') . "/jeeves-held-$<";
# If our reader is gone, the command finds out as it would without us: its own next write fails.
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
  my $is_late = time - $started > $RAW_AFTER_S;
  if ($is_raw) { ($is_shadow, $spool) = (0, '') if $is_shadow && ($is_late || length $spool > $MAX_SPOOL); }
  elsif ($shows_all || $held > $MAX_SPOOL) { show_raw(); }
  elsif ($held && !$has_mode && ($found == 0 || $held >= $SMALL)) { ask_mode(); }
  elsif ($is_late || is_idle() >= $RAW_SILENT_S && $held || is_asking()) { show_so_far(); }
  # Now and then, while it prints without a pause: each look costs as much as a read.
  my $looks = $found == 0 || ++$reads % 16 == 0;
  if ($looks && !defined $status && waitpid($pid, $NOHANG) == $pid) {
    # It may have printed more after the select above. From now on its pid may be another process's.
    ($status, $pid, $over_s, $over_at) = ($?, 0, 0, time);
  }
  # A process that it left behind may print without end, and faster than we look.
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
  my $is_cut = !$shows_all && ($is_spilled || length $spool >= $SMALL) && take_back() && cut_by_node($code);
  write_held() unless $is_raw || $is_cut;
}
drop_copy();    # only after the rest is printed: if we are killed before, the file is all that is left of it
name_left_copies() unless $gone;

# The output of a process that was left behind is passed on as it comes.
if ($is_left && !fork) {
  $SIG{$_} = 'DEFAULT' for @heard;
  close STDIN;
  close STDERR;
  while (!$gone && sysread $from, my $bytes, 65_536) { write_all($bytes); }
  exit 0;
}
my $signal = $status & 127;
# The command could not know that what we held would find no reader: exit as if its own write had failed.
if ($gone && $status == 0) { ($signal, $code) = $gone == $EPIPE && $can_pipe_kill ? (13, 141) : (0, 1); }
if ($signal) {
  $SIG{$_} = 'DEFAULT' for @heard, $can_pipe_kill ? 'PIPE' : (), $can_size_kill ? 'XFSZ' : ();
  kill $signal, $$;
}
exit $code;

# Reads what the command printed: it goes on, or to what is held.
sub take_output {
  # is_asking needs no more than this.
  substr $spool, 0, length($spool) - 400, '' if $is_spilled && length $spool > 400;
  my $at = length $spool;
  my $got = sysread $from, $spool, $CHUNK, $at;
  return if !defined $got && $! == $EINTR;
  return $is_open = 0 unless $got;
  ($quiet_s, $look_s, $worked_s) = (0, 0, 0);
  # What is shown as it comes is not held, so all of it is new, and no copy is made.
  write_all($at ? substr($spool, $at) : $spool) if $is_raw;
  return $spool = '' if $is_raw && !$is_shadow;
  # Where the copy cannot be made, or cannot take all of it, nothing is held back.
  return if $is_raw;
  my $has_copy = (defined $copy || open_copy()) && (syswrite($copy, $spool, $got, $at) // 0) == $got;
  $shows_all = 1 unless $has_copy;
  $held += $got;
  # New memory costs more than the file does.
  $is_spilled = 1 if $has_copy && $may_spill && $held > $MAX_MEMORY;
}

# All that is held into memory; false where the file does not give it back.
sub take_back {
  $may_spill = 0;
  return 1 unless $is_spilled;
  my ($all, $left) = ('', $held - length $spool);
  sysseek $copy, 0, 0 or return 0;
  while ($left > 0) {
    my $got = sysread $copy, $all, $left, length $all;
    next if !defined $got && $! == $EINTR;
    return 0 unless $got;
    $left -= $got;
  }
  ($spool, $is_spilled) = ($all . $spool, 0);
  return 1;
}

# Everything that is held, on its way to be shown.
sub write_held {
  my $end = $spool;
  if ($is_spilled && sysseek $copy, 0, 0) {
    my $left = $held - length $end;
    while (!$gone && $left > 0) {
      my $got = sysread $copy, $spool, $left < $CHUNK ? $left : $CHUNK;
      next if !defined $got && $! == $EINTR;
      last unless $got;
      $left -= $got;
      write_all($spool);
    }
  }
  write_all($end);
}

# Prints all that is held, and from now on everything as it comes.
sub show_raw {
  write_held();
  undef $spool;    # its memory, too
  ($spool, $is_raw, $held, $is_spilled) = ('', 1, 0, 0);
  drop_copy();
}

# The command goes on, but what it has printed must be seen: a cut of that. What it prints meanwhile follows.
sub show_so_far {
  return show_raw() unless take_back();
  my $length = length $spool;
  my $is_cut = $length >= $SMALL && cut_by_node('');
  substr($spool, 0, $length) = '' if $is_cut;
  show_raw();
}

# Whether the command waits behind an unfinished line. One that grows by dots or is drawn anew shows progress, and one that
# is only the name of a file or of a test says what runs: a slow test would otherwise be taken for a question.
sub is_asking {
  return 0 if is_idle() < $QUESTION_S || defined $status || $spool eq '' || substr($spool, -1) eq "\n";
  my $end = length $spool > 400 ? substr $spool, -400 : $spool;
  my $line = substr $end, 1 + rindex $end, "\n";
  return $line !~ /^\S+(?:\.\w+|::\S+) \z|\r|\d ?%|\.\.\s*\z|(?:^|\s)(?:[.*,!FEXsx]|\xe2\x9c.|\xc2\xb7)+\s*\z/s;
}

# For how long the command has printed nothing and done nothing.
sub is_idle {
  if ($quiet_s > 0 && $quiet_s >= $look_s && $pid && length $spool) {
    my $step_s = substr($spool, -1) eq "\n" ? $RAW_SILENT_S / 10 : $QUESTION_S / 5;    # often enough for what is awaited
    ($look_s, $worked_s) = ($quiet_s + $step_s, is_working() ? $quiet_s : $worked_s);
  }
  return $quiet_s - $worked_s;
}

# Whether a process of the command runs, would run if there were room, waits for a disk, or has used a fifth of a
# processor since the last look; a loop that only waits does not. Without /proc none is known to.
sub is_working { return works($pid, $quiet_s, \@used, qr/[RD]/); }

# Whether a process or one below it is in one of the states, or is busy. $used has what they had used at the last look, in
# hundredths of a second, and when that was.
sub works {
  my ($root, $at_s, $used, $states) = @_;
  opendir my $list, $PROC or return 0;
  my (%children, %ticks, %busy);
  for my $one (grep { /^\d+$/ } readdir $list) {
    open my $file, '<', "$PROC/$one/stat" or next;
    my $stat = <$file> // next;
    my ($state, $parent, @rest) = split ' ', substr $stat, 1 + rindex $stat, ')';
    push @{ $children{$parent} }, $one;
    # A match in a list is no item where it fails: hence scalar. The ticks are its own, and those of its ended children.
    ($busy{$one}, $ticks{$one}) = (scalar($state =~ $states), $rest[9] + $rest[10] + $rest[11] + $rest[12]);
  }
  my @found = ($root);
  for (my $at = 0; $at < @found; $at++) { push @found, @{ $children{$found[$at]} // [] }; }
  my ($sum, $before, $before_s) = (0, @$used);
  $sum += $ticks{$_} // 0 for @found;
  @$used = ($sum, $at_s);
  return 1 if grep { $busy{$_} } @found;
  return defined $before && $at_s > $before_s && $sum - $before >= 20 * ($at_s - $before_s);
}

# Where nothing is cut (shadow, off), the bytes are the command's and come as it prints them.
sub ask_mode {
  $has_mode = 1;
  my $found = mode_now();
  return if $found eq 'on';
  write_all($spool);
  ($is_raw, $is_shadow) = (1, $found eq 'shadow');
  $spool = '' unless $is_shadow;
  drop_copy();
}

# A client that kills a command kills us, too, with all that we hold: so that is in a file from the first byte on.
# In a directory of our own no other user can have prepared that file. Its lock ends with us, however we end.
# The first number that is free, so that a run names what the last one named.
sub open_copy {
  for my $number (1 .. 99) {
    mkdir $copy_dir, 0700;    # another command may take the empty directory away in between
    return 0 unless is_private($copy_dir);
    $copy_path = "$copy_dir/$copy_name-$number";
    next if -s $copy_path;
    my $mask = umask 077;
    my $is_open = open $copy, '+>>', $copy_path;
    umask $mask;
    # Another command may have made the same file, or may have named and removed it meanwhile.
    return 1 if $is_open && flock($copy, $LOCK | $NO_WAIT) && !-s $copy && is_same_file($copy, $copy_path);
  }
  undef $copy;
  return 0;
}

sub is_same_file {
  my ($device, $inode) = stat $_[0] or return 0;
  my ($named_device, $named_inode) = lstat $_[1] or return 0;
  return $device == $named_device && $inode == $named_inode;
}

sub is_private {
  my (undef, undef, $rights, undef, $owner) = lstat $_[0] or return 0;
  return -d _ && $owner == $< && !($rights & 077);
}

sub drop_copy {
  return unless defined $copy;
  close $copy;
  unlink $copy_path;
  undef $copy;
}

# The end of a session's id: the beginning of one may be the time.
sub copy_name {
  my $id = $session || ($ENV{$client eq 'codex' ? 'CODEX_THREAD_ID' : 'CLAUDE_CODE_SESSION_ID'} // '');
  $id =~ tr/A-Za-z0-9//cd;
  return length $id > 8 ? substr $id, -8 : $id || 'none';
}

# Names the files with what killed commands of this session had printed, each once.
sub name_left_copies {
  return if rmdir $copy_dir;    # empty, as it nearly always is
  return unless is_private($copy_dir);
  opendir my $list, $copy_dir or return;
  for my $name (sort grep { /^\Q$copy_name\E-\d+\z/ } readdir $list) {
    my $path = "$copy_dir/$name";
    my (undef, undef, $rights) = lstat $path or next;
    next unless -f _ && $rights & 0200 && open my $left, '<', $path;
    next unless flock $left, $LOCK | $NO_WAIT;    # its command runs
    my ($lines, $end, $sum) = (0, "\n", 0);
    while (sysread $left, my $bytes, $CHUNK) {
      $lines += $bytes =~ tr/\n//;
      $end = substr $bytes, -1;
      $sum = ($sum * 31 + unpack '%32C*', $_) % 899_999_981 for split /\n/, $bytes;
    }
    $lines++ if $end ne "\n";
    next unless $lines;    # its command has just begun
    $path = renamed($path, "$copy_dir/$copy_name-" . (100_000_000 + $sum));
    my $count = $lines == 1 ? 'the line' : "the $lines lines";
    write_all(($last_byte eq "\n" ? '' : "\n") . "[a command was killed; $count it had printed: $path]\n");
    chmod 0400, $path unless $gone;    # named
  }
}

# The name that a file has by its content: the same output has the same name. It keeps the name that it has where another
# content has the new one.
sub renamed {
  my ($path, $by_content) = @_;
  return $path if $path eq $by_content;
  return $by_content if !-e $by_content && rename $path, $by_content;
  return $path unless -f $by_content && has_same_bytes($path, $by_content);
  unlink $path;
  return $by_content;
}

sub has_same_bytes {
  open my $one, '<', $_[0] or return 0;
  open my $other, '<', $_[1] or return 0;
  while (1) {
    my $got = sysread($one, my $bytes, $CHUNK);
    my $others = sysread($other, my $more, $CHUNK);
    return 0 unless defined $got && defined $others && $bytes eq $more;
    return 1 if $got == 0;
  }
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
# nothing. If it fails or hangs, this still returns, and all that is held is still here. The exit code is empty while
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
    # An earlier version printed the first bytes before it asked; PASSED_ON was their number.
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
  my ($at, $end, $cut) = (0, length $spool, '');
  my ($waited_s, $look_s, $worked_s, @work) = (0, 0, 0);
  my $gives_up = 0;
  while (!($gives_up ||= $waited_s - $worked_s >= $CUT_S || ($work[0] // 0) >= 100 * $WORK_S) && !($shows_all && !$is_raw)) {
    my ($read, $write) = ('', '');
    my $reads_on = $code eq '' && $is_open && length $spool <= $MAX_SPOOL;
    vec($read, fileno $back, 1) = 1;
    vec($read, fileno $from, 1) = 1 if $reads_on;
    vec($write, fileno $out, 1) = 1 if defined $out;
    my $found = select $read, $write, undef, 0.05;
    if ($found <= 0) {
      $waited_s += 0.05;
      next if $waited_s < $look_s + $CUT_S / 20;
      $worked_s += $waited_s - $look_s if works($node, $waited_s, \@work, qr/R/);
      $look_s = $waited_s;
      next;
    }
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
  # Node ends when it closes its output. One that hangs is killed.
  my $ready = '';
  vec($ready, fileno $back, 1) = 1;
  if ($is_cut ? select($ready, undef, undef, 1) <= 0 : $gives_up || $shows_all) { kill 'KILL', $node; }
  else { 1 while waitpid($node, 0) == -1 && $! == $EINTR; }
  return $is_cut;
}

# Its argument may be large: no copy is made of it.
sub is_whole {
  my $head = index $_[0], "\n";
  my $bytes = substr $_[0], 0, $head < 0 ? 0 : $head;
  return $bytes =~ /^\d{1,10}$/ && length($_[0]) - $head - 1 == $bytes;
}

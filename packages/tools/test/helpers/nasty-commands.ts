// Commands that do what they can to outlive their call. `$TAG` is a number in their environment; those that clear the
// environment carry it in their command line. `programs` names what the machine needs for one.

export interface NastyCommand {
  readonly name: string;
  readonly command: string;
  readonly programs?: readonly string[];
  /** It keeps the whole machine busy: not beside others. */
  readonly wild?: boolean;
}

const DAEMONIZE = `
import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
null = os.open('/dev/null', os.O_RDWR)
for fd in (0, 1, 2): os.dup2(null, fd)
time.sleep(1000)
`;

// Chains and storms end by themselves after some seconds and three generations: a fault must not take the machine down.
const BOUND = "export UNTIL=$((EPOCHSECONDS + 6))";

function storm(shell: string): string {
  const body = `[ $DEPTH -gt 0 ] || exec sleep $TAG; DEPTH=$((DEPTH - 1)); while [ $EPOCHSECONDS -lt $UNTIL ]; do ${shell} -c "$STORM" & sleep 0.1; done`;
  return `${BOUND}; export DEPTH=2 STORM='${body}'; bash -c "$STORM"`;
}

export const NASTY_COMMANDS: readonly NastyCommand[] = [
  { name: "a plain sleep", command: "sleep $TAG" },
  { name: "a pipeline", command: "sleep $TAG | cat" },
  { name: "background jobs and wait", command: "sleep $TAG & sleep $TAG & wait" },
  { name: "SIGTERM ignored", command: "trap '' TERM; sleep $TAG" },
  {
    name: "every request to end ignored, again and again",
    command: "trap '' TERM HUP INT QUIT; while :; do sleep $TAG; done",
  },
  {
    name: "SIGTERM answered with more processes",
    command: "trap 'setsid sleep $TAG & sleep $TAG &' TERM; while :; do sleep 0.05; done",
  },
  { name: "nohup", command: "nohup sleep $TAG >/dev/null 2>&1 & wait" },
  { name: "setsid", command: "setsid --wait sleep $TAG" },
  { name: "setsid in the background", command: "setsid -f sleep $TAG; sleep $TAG" },
  {
    name: "a double fork into sessions of their own",
    command: "(setsid bash -c 'setsid sleep $TAG & setsid sleep $TAG & wait' &); sleep $TAG",
  },
  { name: "a daemon as the book says", command: `python3 -c "${DAEMONIZE}"; sleep $TAG`, programs: ["python3"] },
  { name: "the environment cleared by exec", command: "exec env -i sleep $TAG" },
  { name: "the environment cleared, more below", command: 'env -i bash -c "sleep $TAG & sleep $TAG"; sleep $TAG' },
  { name: "the environment cleared in a session of its own", command: "setsid env -i sleep $TAG & wait" },
  {
    name: "the environment cleared, a session of its own, no parent, but the pipes",
    command: "(env -i setsid sleep $TAG &); sleep $TAG",
  },
  { name: "the mark overwritten", command: "SPILLWAY_CALL=none setsid sleep $TAG & wait" },
  { name: "every descriptor closed", command: "exec >/dev/null 2>&1 </dev/null; sleep $TAG" },
  {
    name: "a working directory that is gone",
    command: 'folder=$(mktemp -d); cd "$folder"; rmdir "$folder"; sleep $TAG & wait',
  },
  { name: "no PATH, so no ps", command: "sleep=$(command -v sleep); PATH=/nowhere; $sleep $TAG & wait" },
  { name: "stopped itself", command: "kill -STOP $$; sleep $TAG" },
  { name: "a stopped child", command: "sleep $TAG & kill -STOP $!; wait" },
  { name: "fifty children", command: "for i in $(seq 50); do sleep $TAG & done; wait" },
  { name: "deep nesting", command: `bash -c 'bash -c "bash -c \\"sleep $TAG; :\\"; :"; :'` },
  { name: "a busy loop", command: "while :; do :; done" },
  { name: "endless output", command: "yes $TAG" },
  { name: "endless output to nowhere", command: "yes $TAG >/dev/null & yes $TAG >/dev/null & wait" },
  {
    name: "an open that never returns",
    command: 'fifo=$(mktemp -u); mkfifo "$fifo"; cat "$fifo" & sleep 0.1; rm "$fifo"; wait',
  },
  { name: "a coprocess", command: "coproc sleep $TAG; wait" },
  { name: "a process group of its own by timeout", command: "timeout 1000 sleep $TAG & wait" },
  { name: "job control", command: "set -m; sleep $TAG & sleep $TAG & wait" },
  { name: "a terminal of its own", command: 'script -qc "sleep $TAG; sleep $TAG" /dev/null', programs: ["script"] },
  { name: "a process substitution", command: "cat <(sleep $TAG) <(sleep $TAG)" },
  {
    name: "a reader that was never written to",
    command:
      "mkfifo_dir=$(mktemp -d); mkfifo $mkfifo_dir/f; exec 3<>$mkfifo_dir/f; rm -r $mkfifo_dir; read -r line <&3; sleep $TAG",
  },
  {
    wild: true,
    name: "a chain of bash that moves on to a new process each time",
    command: `${BOUND}; export LINK='[ $EPOCHSECONDS -lt $UNTIL ] && setsid bash -c "$LINK" & exit'; bash -c "$LINK"; sleep $TAG`,
  },
  {
    wild: true,
    name: "a chain of forks without exec",
    command: "perl -e '$end = time + 6; while (time < $end) { my $child = fork; exit if $child }' & sleep $TAG",
    programs: ["perl"],
  },
  {
    wild: true,
    name: "a chain of forks into sessions of their own",
    command:
      "perl -MPOSIX -e '$end = time + 6; while (time < $end) { my $child = fork; exit if $child; POSIX::setsid() }' & sleep $TAG",
    programs: ["perl"],
  },
  { wild: true, name: "a fork storm", command: storm("bash") },
  { wild: true, name: "a fork storm into sessions of their own", command: storm("setsid bash") },
  { wild: true, name: "a fork storm that ignores SIGTERM", command: `trap '' TERM; ${storm("setsid bash")}` },
];

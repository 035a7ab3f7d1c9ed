// One small shell a host: it holds a pipe to the host, and when the host is gone it ends the commands that still ran.
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { shareOne } from "../shared.ts";
import { MARK_VARIABLE } from "./mark.ts";

export interface Watchdog {
  /** From now on the call's processes end with the host. Say it before the spawn; `leader` after it. */
  watch(mark: string, leader?: number): void;
  unwatch(mark: string): void;
  /** The last user ends the process. */
  close(): void;
}

// Its argument and then each line on its input is the whole list of what to end, `mark=leader` words; an empty line is an
// empty list. A line that the dying host did not finish does not count. SIGTERM, half a second, then SIGSTOP and SIGKILL until nobody is
// left. Plain POSIX and grep: it must work when the host's files are gone. Without procfs it knows only the groups.
const SCRIPT = `
trap '' HUP INT TERM QUIT
calls=$1
while IFS= read -r line; do calls=$line; done
[ -n "$calls" ] || exit 0
marks= leaders=
for call in $calls; do
  marks="$marks -e \${call%%=*}"
  leaders="$leaders \${call#*=}"
done
find_groups() {
  for leader in $leaders; do
    kill -s 0 -- "-$leader" 2>/dev/null && targets="$targets-$leader "
  done
}
find_processes() {
  for file in $(grep -lF $marks /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    targets="$targets\${pid%/environ} "
  done
  for folder in /proc/[0-9]*; do
    { read -r stat < "$folder/stat"; } 2>/dev/null || continue
    pid=\${folder#/proc/}
    set -- \${stat##*) }
    case "$1" in Z | X) continue ;; esac
    case "$targets" in *" $pid "*) continue ;; esac
    case "$targets$leaders " in *" $2 "* | *" $4 "*) targets="$targets$pid " ;; esac
  done
}
find_targets() {
  targets=' '
  if [ -r /proc/self/stat ]; then find_processes; else find_groups; fi
  [ "$targets" != ' ' ]
}
signal_targets() {
  kill -s "$1" -- $targets 2>/dev/null
}
some_alive() {
  for pid in $targets; do
    [ -r "/proc/$pid/stat" ] || { kill -s 0 -- "$pid" 2>/dev/null && return 0; continue; }
    { read -r stat < "/proc/$pid/stat"; } 2>/dev/null || continue
    set -- \${stat##*) }
    [ "$1" = Z ] || return 0
  done
  return 1
}
find_targets || exit 0
signal_targets TERM
signal_targets CONT
for turn in 1 2 3 4 5; do
  some_alive || break
  sleep 0.1
done
round=0
while [ $round -lt 50 ] && find_targets; do
  signal_targets STOP
  find_targets
  signal_targets KILL
  round=$((round + 1))
  [ $round -lt 10 ] || sleep 0.05
done
`;

/** Less than the 128 KB that one argument may have; a longer list comes as the first line. */
const MAX_ARGUMENT_CHARS = 100_000;

const share = shareOne(createHostWatchdog, (watchdog) => watchdog.close());

/** The process's one watchdog: made with the first user's first command, ended with the last user. */
export function shareWatchdog(): Watchdog {
  const { thing, release } = share();
  return { ...thing, close: () => void release() };
}

function createHostWatchdog(): Watchdog {
  const calls = new Map<string, number | undefined>();
  let child: ChildProcess | undefined;

  /** It knows the list from its first moment on: the host may die before it has written a line. */
  const start = (list: string): ChildProcess | undefined => {
    if (process.platform === "win32") return undefined;
    const outer = process.env[MARK_VARIABLE];
    const started = spawn(
      "/bin/sh",
      ["-c", SCRIPT, "spillway-watchdog", list.length > MAX_ARGUMENT_CHARS ? "" : list],
      {
        // A session of its own: what is typed at the host's terminal does not reach it.
        detached: true,
        cwd: "/",
        stdio: ["pipe", "ignore", "ignore"],
        env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...(outer !== undefined && { [MARK_VARIABLE]: outer }) },
      },
    );
    const gone = (): void => {
      if (child !== started) return;
      child = undefined;
      // Somebody ended it (`pkill sh`): running commands need another one.
      if (calls.size > 0) tell();
    };
    started.on("exit", gone);
    // Not startable: commands run all the same, only nobody ends them if the host is killed.
    started.on("error", () => {
      child = undefined;
    });
    started.stdin?.on("error", () => undefined);
    started.unref();
    if (started.stdin instanceof Socket) started.stdin.unref();
    return started;
  };

  const tell = (): void => {
    const list = [...calls].map(([mark, leader]) => `${mark}=${leader ?? ""}`).join(" ");
    child ??= start(list);
    child?.stdin?.write(`${list}\n`);
  };

  return {
    watch: (mark, leader) => {
      calls.set(mark, leader);
      tell();
    },
    unwatch: (mark) => {
      if (calls.delete(mark)) tell();
    },
    close: () => {
      calls.clear();
      const ended = child;
      child = undefined;
      ended?.stdin?.end("\n");
    },
  };
}

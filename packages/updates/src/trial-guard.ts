import { spawnSync } from 'node:child_process';

/*
 * Ends a new version that has not been confirmed in time, also when it hangs and nobody else watches over it. A shell and
 * not a part of the program: it must not hang with what it watches. Its parent is gone at once, so that nobody has to
 * wait for it, and it is gone a second after the program or the trial. Every second is noted, so that the next start of the
 * same trial has only what is left.
 */
const GUARD = `(
  pid=$1 left=$2 trial=$3 expired=$4 spent=$5 second=$6
  while [ "$left" -gt 0 ]; do
    sleep "$second"
    [ -e "$trial" ] || exit 0
    printf . >> "$spent"
    kill -0 "$pid" 2>/dev/null || exit 0
    left=$((left - 1))
  done
  : > "$expired"
  kill -TERM "$pid"
  for attempt in 1 2 3 4 5; do
    sleep "$second"
    kill -0 "$pid" 2>/dev/null || exit 0
  done
  kill -KILL "$pid"
) </dev/null >/dev/null 2>&1 &`;

export interface Guarded {
  readonly pid: number;
  readonly seconds: number;
  readonly trialMark: string;
  readonly expiredMark: string;
  readonly spentFile: string;
  /** How long the shell sleeps for each second of the trial. Tests shorten it. */
  readonly sleepSeconds?: number;
}

export const startGuard = ({ pid, seconds, trialMark, expiredMark, spentFile, sleepSeconds = 1 }: Guarded): void => {
  const args = [String(pid), String(seconds), trialMark, expiredMark, spentFile, String(sleepSeconds)];
  spawnSync('/bin/sh', ['-c', GUARD, 'lintel-trial-guard', ...args], { stdio: 'ignore' });
};

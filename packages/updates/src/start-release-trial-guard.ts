import { spawnSync } from 'node:child_process';

/*
 * Ends a new version that is not confirmed in time, also when it hangs. A shell script outside the program, so that it cannot hang with
 * it. It is detached from its parent and exits a second after the program or the trial. It records each second, so that the next start
 * of the same trial has the remaining time only.
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

export interface ReleaseTrialGuardOptions {
  readonly pid: number;
  readonly seconds: number;
  readonly trialFile: string;
  readonly expiredFile: string;
  readonly spentSecondsFile: string;
  /** How long the shell sleeps for each second of the trial. Tests shorten it. */
  readonly sleepSeconds?: number;
}

export const startReleaseTrialGuard = ({
  pid,
  seconds,
  trialFile,
  expiredFile,
  spentSecondsFile,
  sleepSeconds = 1,
}: ReleaseTrialGuardOptions): void => {
  const args = [String(pid), String(seconds), trialFile, expiredFile, spentSecondsFile, String(sleepSeconds)];
  spawnSync('/bin/sh', ['-c', GUARD, 'lintel-trial-guard', ...args], { stdio: 'ignore' });
};

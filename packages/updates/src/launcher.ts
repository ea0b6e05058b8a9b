import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import {
  rollBackTrialCandidate,
  type ProgramLaunchPlan,
  type ProgramLaunchOptions,
  decideAndSaveProgramLaunch,
} from './decide-and-save-program-launch.ts';
import { ReleasesFolder } from './releases-folder.ts';
import { startReleaseTrialGuard } from './start-release-trial-guard.ts';

/*
 * Started by the systemd unit of a controller or a gateway. Decides which version runs, and replaces itself by that program, so that
 * systemd supervises the same process.
 *
 *   node launcher.js --releases DIR --package DIR [--trial-seconds N] -- ARGUMENTS OF THE PROGRAM
 */

const TRIAL_SECONDS = 300;

const warn = (message: string): void => {
  process.stderr.write(
    `${JSON.stringify({ time: new Date().toISOString(), level: 'warn', msg: `launcher: ${message}` })}\n`,
  );
};

/** Tells the program its release, see ProgramUpdateService. */
const environment = ({ releases, package: own }: ProgramLaunchOptions, launch: ProgramLaunchPlan) => ({
  ...process.env,
  LINTEL_RELEASES: releases,
  LINTEL_PACKAGE: own,
  LINTEL_RELEASE: launch.release,
  LINTEL_RELEASE_VERSION: launch.version,
  LINTEL_TRIAL_SECONDS: String(launch.secondsLeft),
});

const execProgram = (options: ProgramLaunchOptions, launch: ProgramLaunchPlan, args: readonly string[]): never => {
  const env = environment(options, launch) as Record<string, string>;
  if (process.execve !== undefined) process.execve(launch.entry, [launch.entry, ...args], env);
  // Without execve, the launcher waits for the program.
  const { status } = spawnSync(launch.entry, [...args], { stdio: 'inherit', env });
  process.exit(status ?? 1);
};

const launch = (options: ProgramLaunchOptions, args: readonly string[]): void => {
  const plan = decideAndSaveProgramLaunch(options, warn);
  if (plan.isTrial) {
    warn(`Starting a trial of ${plan.version}`);
    const { trialFile, expiredFile, spentSecondsFile } = new ReleasesFolder(options.releases);
    startReleaseTrialGuard({ pid: process.pid, seconds: plan.secondsLeft, trialFile, expiredFile, spentSecondsFile });
  }
  try {
    execProgram(options, plan, args);
  } catch (error) {
    if (!plan.isTrial) throw error;
    rollBackTrialCandidate(options, (error as Error).message);
    launch(options, args);
  }
};

const parseCommandLine = () => {
  const { values, positionals } = parseArgs({
    options: {
      releases: { type: 'string' },
      package: { type: 'string' },
      'trial-seconds': { type: 'string', default: String(TRIAL_SECONDS) },
    },
    allowPositionals: true,
  });
  const { releases, package: own } = values;
  if (releases === undefined || own === undefined) throw new Error('--releases and --package are required');
  const trialSeconds = Number(values['trial-seconds']);
  return { options: { releases, package: own, trialSeconds }, args: positionals };
};

const { options, args } = parseCommandLine();
launch(options, args);

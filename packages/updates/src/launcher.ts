import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { giveUpCandidate, type Launch, type LaunchOptions, planLaunch } from './launch-plan.ts';
import { SlotFiles } from './slot-files.ts';
import { startGuard } from './trial-guard.ts';

/*
 * What the unit of a controller or a gateway starts. It decides which version runs and becomes it: the process stays the same, so
 * that whoever watches over it goes on watching.
 *
 *   node launcher.js --releases DIR --package DIR [--trial-seconds N] -- ARGUMENTS OF THE PROGRAM
 */

const TRIAL_SECONDS = 300;

const say = (message: string): void => {
  process.stderr.write(`${JSON.stringify({ level: 'warn', message: `launcher: ${message}` })}\n`);
};

/** What the program knows its place by. */
const environment = ({ releases, package: own }: LaunchOptions, launch: Launch) => ({
  ...process.env,
  LINTEL_RELEASES: releases,
  LINTEL_PACKAGE: own,
  LINTEL_RELEASE: launch.release,
  LINTEL_RELEASE_VERSION: launch.version,
  LINTEL_TRIAL_SECONDS: String(launch.secondsLeft),
});

const become = (options: LaunchOptions, launch: Launch, args: readonly string[]): never => {
  const env = environment(options, launch) as Record<string, string>;
  if (process.execve !== undefined) process.execve(launch.entry, [launch.entry, ...args], env);
  // Where a process cannot become another one, it waits for it.
  const { status } = spawnSync(launch.entry, [...args], { stdio: 'inherit', env });
  process.exit(status ?? 1);
};

const launched = (options: LaunchOptions, args: readonly string[]): void => {
  const launch = planLaunch(options, say);
  if (launch.isTrial) {
    say(`${launch.version} is on trial`);
    const { trialMark, expiredMark, spentFile } = new SlotFiles(options.releases);
    startGuard({ pid: process.pid, seconds: launch.secondsLeft, trialMark, expiredMark, spentFile });
  }
  try {
    become(options, launch, args);
  } catch (error) {
    if (!launch.isTrial) throw error;
    giveUpCandidate(options, (error as Error).message);
    launched(options, args);
  }
};

const given = () => {
  const { values, positionals } = parseArgs({
    options: {
      releases: { type: 'string' },
      package: { type: 'string' },
      'trial-seconds': { type: 'string', default: String(TRIAL_SECONDS) },
    },
    allowPositionals: true,
  });
  const { releases, package: own } = values;
  if (releases === undefined || own === undefined) throw new Error('--releases and --package are needed');
  const trialSeconds = Number(values['trial-seconds']);
  return { options: { releases, package: own, trialSeconds }, args: positionals };
};

const { options, args } = given();
launched(options, args);

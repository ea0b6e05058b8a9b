import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideStart, rolledBack, type Slots, type StartDecision } from './slot-machine.ts';
import { programIn, SlotFiles } from './slot-files.ts';

export interface LaunchOptions {
  /** The folder of releases. */
  readonly releases: string;
  /** Where the package has put its own program. */
  readonly package: string;
  /** How long a trial may last, over all its starts. */
  readonly trialSeconds: number;
}

export interface Launch {
  readonly entry: string;
  /** The name of the release; empty for the package's own. */
  readonly release: string;
  readonly version: string;
  readonly isTrial: boolean;
  /** Of the trial. */
  readonly secondsLeft: number;
}

type Say = (message: string) => void;

/** The oldest of all: a package that is not whole is not newer than anything. */
const NO_VERSION = '0.0.0';

const launchOf = (files: SlotFiles, options: LaunchOptions, { run, isTrial }: StartDecision): Launch => {
  const folder = run === null ? options.package : files.releaseFolder(run);
  const facts = programIn(folder);
  if (facts === null) throw new Error(`${folder} has no release.json with a program that can be started`);
  const secondsLeft = options.trialSeconds - files.spentSeconds;
  return { entry: join(folder, facts.entry), release: run ?? '', version: facts.version, isTrial, secondsLeft };
};

/**
 * What is written down is on the disk before anything is started. Where nothing can be written no trial begins, since
 * nobody could count its attempts: what was good runs.
 */
export const planLaunch = (options: LaunchOptions, say: Say): Launch => {
  const files = new SlotFiles(options.releases);
  const { slots: before, damage, isTwofold } = files.kept();
  if (damage !== null) say(damage);
  const decision = decideStart(before, {
    pending: files.pending(),
    isThere: release => files.isThere(release),
    isExpired: existsSync(files.expiredMark) || files.spentSeconds >= options.trialSeconds,
    packageVersion: programIn(options.package)?.version ?? NO_VERSION,
  });
  try {
    if (decision.slots !== before || !isTwofold) keep(files, before, decision, say);
    if (decision.dropsPending) files.dropWish();
    const launch = launchOf(files, options, decision);
    if (existsSync(options.releases))
      files.pointCurrentAt(launch.release === '' ? options.package : files.releaseFolder(launch.release));
    return launch;
  } catch (error) {
    say(`${options.releases} cannot be written: ${(error as Error).message}`);
    const good = before.good !== null && files.isThere(before.good.release) ? before.good.release : null;
    return launchOf(files, options, { ...decision, run: good, isTrial: false });
  }
};

const keep = (files: SlotFiles, before: Slots, { slots, isTrial }: StartDecision, say: Say): void => {
  // The marks first: one that is left of an earlier trial would end this one before its time.
  if (before.candidate === null || slots.candidate === null) files.endTrial();
  files.write(slots);
  if (isTrial) writeFileSync(files.trialMark, '');
  if (slots.last !== null && slots.last !== before.last) say(`${slots.last.version} is given up: ${slots.last.reason}`);
};

/** The program could not even be started. */
export const giveUpCandidate = ({ releases }: Pick<LaunchOptions, 'releases'>, why: string): void => {
  const files = new SlotFiles(releases);
  files.write(rolledBack(files.read(), `crashed: ${why}`));
  files.endTrial();
};

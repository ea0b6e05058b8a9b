import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decideProgramStart,
  rollBackCandidateInSlots,
  type UpdateSlots,
  type ProgramStartDecision,
} from './update-slot-state.ts';
import { readProgramDescription, ReleasesFolder } from './releases-folder.ts';

export interface ProgramLaunchOptions {
  /** Folder of the releases. */
  readonly releases: string;
  /** Folder of the program that the package installed. */
  readonly package: string;
  /** Total duration of a trial over all its starts. */
  readonly trialSeconds: number;
}

export interface ProgramLaunchPlan {
  readonly entry: string;
  /** Name of the release; empty for the program of the package. */
  readonly release: string;
  readonly version: string;
  readonly isTrial: boolean;
  /** Remaining time of the trial. */
  readonly secondsLeft: number;
}

type Warn = (message: string) => void;

/** For an incomplete package: older than every release. */
const NO_VERSION = '0.0.0';

const launchOf = (
  files: ReleasesFolder,
  options: ProgramLaunchOptions,
  { run, isTrial }: ProgramStartDecision,
): ProgramLaunchPlan => {
  const folder = run === null ? options.package : files.releaseFolder(run);
  const facts = readProgramDescription(folder);
  if (facts === null) throw new Error(`${folder} has no release.json with an executable program`);
  const secondsLeft = options.trialSeconds - files.spentSeconds;
  return { entry: join(folder, facts.entry), release: run ?? '', version: facts.version, isTrial, secondsLeft };
};

/**
 * Writes the decision to the disk before the program starts. When the disk cannot be written, the confirmed version runs: the
 * starts of a trial could not be counted.
 */
export const decideAndSaveProgramLaunch = (options: ProgramLaunchOptions, warn: Warn): ProgramLaunchPlan => {
  const files = new ReleasesFolder(options.releases);
  const { slots: before, damage, isCopyCurrent } = files.load();
  if (damage !== null) warn(damage);
  const decision = decideProgramStart(before, {
    pending: files.pending(),
    hasRelease: release => files.hasRelease(release),
    isExpired: existsSync(files.expiredFile) || files.spentSeconds >= options.trialSeconds,
    packageVersion: readProgramDescription(options.package)?.version ?? NO_VERSION,
  });
  try {
    if (decision.slots !== before || !isCopyCurrent) saveDecision(files, before, decision, warn);
    if (decision.clearsPending) files.clearPending();
    const launch = launchOf(files, options, decision);
    if (existsSync(options.releases))
      files.pointCurrentAt(launch.release === '' ? options.package : files.releaseFolder(launch.release));
    return launch;
  } catch (error) {
    warn(`${options.releases} cannot be written: ${(error as Error).message}`);
    const good = before.good !== null && files.hasRelease(before.good.release) ? before.good.release : null;
    return launchOf(files, options, { ...decision, run: good, isTrial: false });
  }
};

const saveDecision = (
  files: ReleasesFolder,
  before: UpdateSlots,
  { slots, isTrial }: ProgramStartDecision,
  warn: Warn,
): void => {
  // First, because files of an earlier trial would end this one early.
  if (before.candidate === null || slots.candidate === null) files.endTrial();
  files.write(slots);
  if (isTrial) writeFileSync(files.trialFile, '');
  if (slots.last !== null && slots.last !== before.last)
    warn(`Rolled back ${slots.last.version}: ${slots.last.reason}`);
};

/** For a program that cannot be started. */
export const rollBackTrialCandidate = ({ releases }: Pick<ProgramLaunchOptions, 'releases'>, reason: string): void => {
  const files = new ReleasesFolder(releases);
  files.write(rollBackCandidateInSlots(files.read(), `crashed: ${reason}`));
  files.endTrial();
};

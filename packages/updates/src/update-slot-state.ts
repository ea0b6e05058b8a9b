import { compareReleaseVersions } from '@lintel/wire-protocol/updates/release-version';

/** Starts after which an unconfirmed version is rolled back. A start that a power cut interrupts counts. */
export const MAX_TRIAL_STARTS = 3;

const MAX_GIVEN_UP = 20;

/** The health of a program before an update, for comparison with its health afterwards. */
export interface HealthBaseline {
  readonly online: boolean;
  /** Fault codes. */
  readonly faults: readonly string[];
}

/** An unpacked release that the next start runs. */
export interface PendingRelease {
  /** Identifies the request, because the same release may be requested again. */
  readonly id: string;
  /** Name of its folder. */
  readonly release: string;
  readonly version: string;
  readonly rollout_id: string | null;
  readonly before: HealthBaseline | null;
}

export interface TrialCandidate extends PendingRelease {
  readonly attempts: number;
}

export interface ReleaseTrialResult extends Pick<PendingRelease, 'id' | 'release' | 'version' | 'rollout_id'> {
  readonly result: 'confirmed' | 'rolled_back';
  readonly reason: string | null;
  /** Whether the event was recorded. */
  readonly is_logged: boolean;
}

export interface UpdateSlots {
  readonly v: 1;
  /** The confirmed release; null for the program of the package. */
  readonly good: { readonly release: string; readonly version: string } | null;
  /** On trial. */
  readonly candidate: TrialCandidate | null;
  readonly last: ReleaseTrialResult | null;
  /** Id of the last pending release that was started. */
  readonly taken: string | null;
  /** Releases that were rolled back, the latest last. */
  readonly given_up: readonly string[];
}

export const emptyUpdateSlots: UpdateSlots = {
  v: 1,
  good: null,
  candidate: null,
  last: null,
  taken: null,
  given_up: [],
};

export interface ProgramStartInputs {
  readonly pending: PendingRelease | null;
  readonly hasRelease: (release: string) => boolean;
  /** The trial guard ended the trial, or its time is used up. */
  readonly isExpired: boolean;
  readonly packageVersion: string;
}

export interface ProgramStartDecision {
  readonly slots: UpdateSlots;
  /** Name of a release; null for the program of the package. */
  readonly run: string | null;
  readonly isTrial: boolean;
  /** The pending release was started or is obsolete, and must be deleted. */
  readonly clearsPending: boolean;
}

const endTrial = (
  slots: UpdateSlots,
  candidate: TrialCandidate,
  result: ReleaseTrialResult['result'],
  reason: string | null,
): UpdateSlots => {
  const { id, release, version, rollout_id } = candidate;
  const others = slots.given_up.filter(name => name !== release);
  const given_up = result === 'confirmed' ? others : [...others, release].slice(-MAX_GIVEN_UP);
  const last = { id, release, version, rollout_id, result, reason, is_logged: false };
  return { ...slots, candidate: null, last, given_up };
};

export const rollBackCandidateInSlots = (slots: UpdateSlots, reason: string): UpdateSlots =>
  slots.candidate === null ? slots : endTrial(slots, slots.candidate, 'rolled_back', reason);

export const confirmCandidateInSlots = (slots: UpdateSlots): UpdateSlots => {
  const { candidate } = slots;
  if (candidate === null) return slots;
  const { release, version } = candidate;
  return { ...endTrial(slots, candidate, 'confirmed', null), good: { release, version } };
};

/** Why a candidate is rolled back; null when it is started again. */
const rollbackReason = (
  { release, attempts }: TrialCandidate,
  { hasRelease, isExpired }: ProgramStartInputs,
): string | null => {
  if (!hasRelease(release)) return 'files: its files are missing';
  if (isExpired) return 'late: not confirmed in time';
  return attempts >= MAX_TRIAL_STARTS ? `crashed: started ${attempts} times and never confirmed` : null;
};

/** A package that is newer than the confirmed release was installed by hand and takes precedence. */
const preferNewerPackage = (slots: UpdateSlots, packageVersion: string): UpdateSlots =>
  slots.good === null || compareReleaseVersions(packageVersion, slots.good.version) <= 0
    ? slots
    : { ...slots, good: null };

/** Decides which program to run, and the state to save before it runs. */
export const decideProgramStart = (before: UpdateSlots, conditions: ProgramStartInputs): ProgramStartDecision => {
  const { pending, hasRelease } = conditions;
  let slots = preferNewerPackage(before, conditions.packageVersion);
  if (slots.candidate !== null) {
    const reason = rollbackReason(slots.candidate, conditions);
    if (reason === null) {
      const candidate = { ...slots.candidate, attempts: slots.candidate.attempts + 1 };
      const clearsPending = pending !== null && pending.id === candidate.id;
      return { slots: { ...slots, candidate }, run: candidate.release, isTrial: true, clearsPending };
    }
    slots = rollBackCandidateInSlots(slots, reason);
  }
  const isNew = pending !== null && pending.id !== slots.taken && hasRelease(pending.release);
  if (isNew && before.candidate === null) {
    const candidate = { ...pending, attempts: 1 };
    slots = { ...slots, candidate, taken: pending.id };
    return { slots, run: candidate.release, isTrial: true, clearsPending: true };
  }
  const run = slots.good !== null && hasRelease(slots.good.release) ? slots.good.release : null;
  return { slots, run, isTrial: false, clearsPending: pending !== null && !isNew };
};

/** The releases that must not be deleted. */
export const listReleasesInUse = (
  { good, candidate }: UpdateSlots,
  pending: PendingRelease | null,
): ReadonlySet<string> =>
  new Set([good?.release, candidate?.release, pending?.release].filter(name => name !== undefined));

/** Older releases are rejected, unless they are signed as downgrades. */
export const computeOldestAcceptedVersion = ({ good }: UpdateSlots, packageVersion: string): string =>
  good !== null && compareReleaseVersions(good.version, packageVersion) > 0 ? good.version : packageVersion;

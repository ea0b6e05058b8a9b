import { compareVersions } from '@lintel/wire-protocol/updates/compare-versions';

/** So many starts has a new version to be confirmed. A power cut in the middle counts as one of them. */
export const MOST_ATTEMPTS = 3;

/** So many of those that were given up are remembered. */
const MOST_GIVEN_UP = 20;

/** How a program was before it was updated, to be compared with how it is afterwards. */
export interface Health {
  readonly online: boolean;
  /** Codes of what was wrong. */
  readonly faults: readonly string[];
}

/** A release that is unpacked and waits for the next start. */
export interface Pending {
  /** Of this very wish: the same release may be wished for again. */
  readonly id: string;
  /** The name of its folder. */
  readonly release: string;
  readonly version: string;
  readonly rollout_id: string | null;
  readonly before: Health | null;
}

export interface Candidate extends Pending {
  readonly attempts: number;
}

export interface Outcome extends Pick<Pending, 'id' | 'release' | 'version' | 'rollout_id'> {
  readonly result: 'confirmed' | 'rolled_back';
  readonly reason: string | null;
  /** Whether it is among the events. */
  readonly is_logged: boolean;
}

export interface Slots {
  readonly v: 1;
  /** Was confirmed last; null: the program of the package. */
  readonly good: { readonly release: string; readonly version: string } | null;
  /** On trial. */
  readonly candidate: Candidate | null;
  readonly last: Outcome | null;
  /** Of the wish that was taken up last. */
  readonly taken: string | null;
  /** Releases that were tried and left again, the latest last. */
  readonly given_up: readonly string[];
}

export const emptySlots: Slots = { v: 1, good: null, candidate: null, last: null, taken: null, given_up: [] };

export interface StartLook {
  readonly pending: Pending | null;
  readonly isThere: (release: string) => boolean;
  /** The trial ran out of time, and whoever watched it has ended it. */
  readonly isExpired: boolean;
  readonly packageVersion: string;
}

export interface StartDecision {
  readonly slots: Slots;
  /** The name of a release; null: the program of the package. */
  readonly run: string | null;
  readonly isTrial: boolean;
  /** The wish has been dealt with, and is not to be found again. */
  readonly dropsPending: boolean;
}

const ended = (slots: Slots, candidate: Candidate, result: Outcome['result'], reason: string | null): Slots => {
  const { id, release, version, rollout_id } = candidate;
  const others = slots.given_up.filter(one => one !== release);
  const given_up = result === 'confirmed' ? others : [...others, release].slice(-MOST_GIVEN_UP);
  const last = { id, release, version, rollout_id, result, reason, is_logged: false };
  return { ...slots, candidate: null, last, given_up };
};

export const rolledBack = (slots: Slots, reason: string): Slots =>
  slots.candidate === null ? slots : ended(slots, slots.candidate, 'rolled_back', reason);

export const confirmed = (slots: Slots): Slots => {
  const { candidate } = slots;
  if (candidate === null) return slots;
  const { release, version } = candidate;
  return { ...ended(slots, candidate, 'confirmed', null), good: { release, version } };
};

/** Why a candidate gets no further chance; null: it gets one. */
const objectionTo = ({ release, attempts }: Candidate, { isThere, isExpired }: StartLook): string | null => {
  if (!isThere(release)) return 'files: its files are not there';
  if (isExpired) return 'late: it was not confirmed in time';
  return attempts >= MOST_ATTEMPTS ? `crashed: it was started ${attempts} times and never confirmed` : null;
};

/** A package that is newer than what was confirmed has been installed by hand, and is meant to run. */
const settled = (slots: Slots, packageVersion: string): Slots =>
  slots.good === null || compareVersions(packageVersion, slots.good.version) <= 0 ? slots : { ...slots, good: null };

/** What to run now, and what to write down before it runs. */
export const decideStart = (before: Slots, look: StartLook): StartDecision => {
  const { pending, isThere } = look;
  let slots = settled(before, look.packageVersion);
  if (slots.candidate !== null) {
    const objection = objectionTo(slots.candidate, look);
    if (objection === null) {
      const candidate = { ...slots.candidate, attempts: slots.candidate.attempts + 1 };
      const dropsPending = pending !== null && pending.id === candidate.id;
      return { slots: { ...slots, candidate }, run: candidate.release, isTrial: true, dropsPending };
    }
    slots = rolledBack(slots, objection);
  }
  const isNew = pending !== null && pending.id !== slots.taken && isThere(pending.release);
  if (isNew && before.candidate === null) {
    const candidate = { ...pending, attempts: 1 };
    slots = { ...slots, candidate, taken: pending.id };
    return { slots, run: candidate.release, isTrial: true, dropsPending: true };
  }
  const run = slots.good !== null && isThere(slots.good.release) ? slots.good.release : null;
  return { slots, run, isTrial: false, dropsPending: pending !== null && !isNew };
};

/** What must not be deleted. */
export const inUse = ({ good, candidate }: Slots, pending: Pending | null): ReadonlySet<string> =>
  new Set([good?.release, candidate?.release, pending?.release].filter(name => name !== undefined));

/** Nothing older is taken unless it was signed for that. */
export const floorOf = ({ good }: Slots, packageVersion: string): string =>
  good !== null && compareVersions(good.version, packageVersion) > 0 ? good.version : packageVersion;

import type { SimulatorState } from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';
import { findCommonLinkMode } from '../faults/describe-fault-effect.ts';

export const tourSteps = ['open', 'cut', 'arrive'] as const;
export type TourStep = (typeof tourSteps)[number];

export interface TourProgress {
  /** `done` after the last step. */
  readonly step: TourStep | 'done';
  /** Events that happened before the current step, which do not complete it. */
  readonly earlier: ReadonlySet<string>;
  /** The event that happened without internet; null before that. */
  readonly heldEvent: string | null;
}

const openingsOf = ({ activity }: SimulatorState) => activity.filter(({ kind }) => kind === 'use');

const idsOf = (world: SimulatorState): ReadonlySet<string> => new Set(openingsOf(world).map(({ id }) => id));

export const startTour = (world: SimulatorState): TourProgress => ({
  step: 'open',
  earlier: idsOf(world),
  heldEvent: null,
});

/** The tour after a change of the world; the same object if nothing is completed. */
export const advanceTourIfStepDone = (tour: TourProgress, world: SimulatorState): TourProgress => {
  const { step, earlier, heldEvent } = tour;
  if (step === 'arrive') {
    const hasArrived = openingsOf(world).some(({ id, way }) => id === heldEvent && way.bridge !== null);
    return hasArrived ? { ...tour, step: 'done' } : tour;
  }
  const opened = openingsOf(world).find(({ id }) => !earlier.has(id));
  if (step === 'done' || opened === undefined) return tour;
  if (step === 'open') return { step: 'cut', earlier: idsOf(world), heldEvent: null };
  return findCommonLinkMode(world, 'internet') === 'cut' && opened.way.bridge === null
    ? { ...tour, step: 'arrive', heldEvent: opened.id }
    : tour;
};

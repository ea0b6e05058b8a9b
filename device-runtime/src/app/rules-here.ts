import type { SliceStore } from '../ports/slice-store.ts';
import type { MonotonicClock } from '../ports/monotonic-clock.ts';
import type { StateStore } from '../ports/state-store.ts';
import type { WallClock } from '../ports/wall-clock.ts';
import type { EventLog } from './event-log.ts';
import type { LiveFeed } from './live-feed.ts';
import { LocalRules } from './local-rules.ts';
import { RuleCopies } from './rule-copies.ts';
import type { ServedSlice } from './served-slice.ts';
import { SiteDirectory } from './site-directory.ts';

interface RulesHereParts {
  readonly slice: () => ServedSlice;
  readonly slices: Pick<SliceStore, 'held'>;
  readonly state: StateStore;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly log: EventLog;
  readonly live: LiveFeed;
  readonly randomBytes: (count: number) => Uint8Array;
  /** There may be another deadline. */
  readonly rearm: () => void;
}

/** The input rules of this controller, their copies for others, and what else there is at the site for them to lead to. */
export const rulesHere = ({ slice, slices, live, rearm, ...parts }: RulesHereParts) => {
  const changed = (): void => {
    live.rules(localRules);
    rearm();
  };
  const siteDirectory = new SiteDirectory({ ...parts, changed });
  const actionsOf = (id: string): readonly string[] | undefined => {
    const known = slice().gadget(id);
    return known === undefined ? siteDirectory.actionsOf(id) : known.actions.map(action => action.id);
  };
  const localRules: LocalRules = new LocalRules({ ...parts, slice, held: () => slices.held(), actionsOf, changed });
  const ruleCopies = new RuleCopies({ ...parts, rules: localRules, changed });
  return {
    localRules,
    ruleCopies,
    siteDirectory,

    /** Made for another organization's gadgets and devices. */
    forget: (): void => {
      localRules.forget();
      ruleCopies.forget();
      siteDirectory.forget();
    },
  };
};

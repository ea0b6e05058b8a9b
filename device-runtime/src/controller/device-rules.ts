import type { SnapshotStore } from '../snapshot/snapshot-store-port.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import { LocalRules } from '../input-rules/local-rules.ts';
import { RuleCopies } from '../input-rules/rule-copies.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SiteDirectory } from '../snapshot/site-directory.ts';

interface DeviceRulesParts {
  readonly snapshot: () => ActiveSnapshot;
  readonly snapshotStore: Pick<SnapshotStore, 'held'>;
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
export const createDeviceRules = ({ snapshot, snapshotStore, live, rearm, ...parts }: DeviceRulesParts) => {
  const changed = (): void => {
    live.rules(localRules);
    rearm();
  };
  const siteDirectory = new SiteDirectory({ ...parts, changed });
  const actionsOf = (id: string): readonly string[] | undefined => {
    const known = snapshot().gadget(id);
    return known === undefined ? siteDirectory.actionsOf(id) : known.actions.map(action => action.id);
  };
  const localRules: LocalRules = new LocalRules({
    ...parts,
    snapshot,
    held: () => snapshotStore.held(),
    actionsOf,
    changed,
  });
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

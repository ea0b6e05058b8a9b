import type { SnapshotStore } from '../snapshot/snapshot-store-interface.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { EventLog } from '../events/event-log.ts';
import type { LiveFeed } from '../live/live-feed.ts';
import { LocalInputRules } from '../input-rules/local-rules.ts';
import { InputRulesCopies } from '../input-rules/copy-input-rules-to-other-controllers.ts';
import { InputRulesHistory } from '../input-rules/rules-history.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SiteDirectory } from '../snapshot/site-directory.ts';

interface DeviceRulesDependencies {
  readonly snapshot: () => ActiveSnapshot;
  readonly snapshotStore: Pick<SnapshotStore, 'held'>;
  readonly state: ControllerStateStore;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly log: EventLog;
  readonly live: LiveFeed;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Called when the deadline may have changed. */
  readonly rearm: () => void;
}

/** The input rules of this controller, copies for other controllers, and the gadgets of the site. */
export const createInputRuleComponents = ({
  snapshot,
  snapshotStore,
  live,
  rearm,
  ...parts
}: DeviceRulesDependencies) => {
  const onChange = (): void => {
    live.rules(localRules);
    rearm();
  };
  const siteDirectory = new SiteDirectory({ ...parts, onChange });
  const actionsOf = (id: string): readonly string[] | undefined => {
    const known = snapshot().gadget(id);
    return known === undefined ? siteDirectory.actionsOf(id) : known.actions.map(action => action.id);
  };
  const history = new InputRulesHistory(parts);
  const localRules: LocalInputRules = new LocalInputRules({
    ...parts,
    snapshot,
    storedSnapshot: () => snapshotStore.held(),
    actionsOf,
    history,
    onChange,
  });
  const ruleCopies = new InputRulesCopies({
    ...parts,
    rulesAt: id => siteDirectory.devices.find(device => device.id === id)?.input_rules ?? null,
    onChange,
  });
  return {
    localRules,
    ruleCopies,
    siteDirectory,

    /** For a new owner. */
    forget: (): void => {
      localRules.discard();
      history.clear();
      ruleCopies.discard();
      siteDirectory.clear();
    },
  };
};

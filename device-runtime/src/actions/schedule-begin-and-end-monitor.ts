import { compileSchedule } from '@lintel/access-core/schedule';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import type { TriggerInput } from '@lintel/access-core/triggers/compute-trigger-effects';
import {
  type ScheduleStates,
  type WatchedSchedule,
  detectScheduleChanges,
} from '@lintel/access-core/triggers/detect-schedule-start-and-end';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

const readWatch = (state: ControllerStateStore): ScheduleStates => {
  const saved = state.read('schedule_watch');
  if (typeof saved !== 'object' || saved === null) return {};
  return Object.fromEntries(Object.entries(saved).filter(([, inside]) => typeof inside === 'boolean'));
};

/** Schedules that triggers wait for. Only the owner of the target gadget acts, so that it acts once. */
const watchedIn = (snapshot: ActiveSnapshot): WatchedSchedule[] => {
  const watched = new Map<string, WatchedSchedule>();
  for (const trigger of snapshot.triggers) {
    if (trigger.source_type !== 'schedule' || !snapshot.isOwn(trigger.target_gadget_id)) continue;
    const schedule = snapshot.index.schedule(trigger.source_schedule_id);
    if (schedule === undefined) continue;
    const { site_id } = trigger;
    const zone = resolveTimeZone(snapshot.index.site(site_id)?.timezone);
    watched.set(`${site_id}/${schedule.id}`, {
      schedule_id: schedule.id,
      site_id,
      schedule: compileSchedule(schedule.weekdays),
      zone: zone.ok ? zone.value : null,
    });
  }
  return [...watched.values()];
};

/** Detects when schedules begin or end, for triggers. */
export class ScheduleChangeMonitor {
  readonly #snapshot: () => ActiveSnapshot;
  readonly #wall: WallClock;
  readonly #state: ControllerStateStore;
  #watch: ScheduleStates;
  #watched: readonly WatchedSchedule[] | null = null;

  constructor(snapshot: () => ActiveSnapshot, wall: WallClock, state: ControllerStateStore) {
    this.#snapshot = snapshot;
    this.#wall = wall;
    this.#state = state;
    this.#watch = readWatch(state);
  }

  onSnapshotChanged(): void {
    this.#watched = null;
  }

  /** What began or ended since the last call. */
  poll(): readonly TriggerInput[] {
    this.#watched ??= watchedIn(this.#snapshot());
    const { state, inputs } = detectScheduleChanges(
      this.#watched,
      this.#watch,
      this.#wall.isTrusted() ? this.#wall.now() : null,
    );
    const changed = JSON.stringify(state) !== JSON.stringify(this.#watch);
    this.#watch = state;
    if (changed) this.#state.write('schedule_watch', state);
    return inputs;
  }
}

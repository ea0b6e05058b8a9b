import { compileSchedule } from '@lintel/access-core/schedule';
import { zoneFor } from '@lintel/access-core/time-zone';
import type { Happening } from '@lintel/access-core/triggers/fire-triggers';
import { type ScheduleWatch, type WatchedSchedule, watchSchedules } from '@lintel/access-core/triggers/schedule-watch';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

const readWatch = (state: StateStore): ScheduleWatch => {
  const saved = state.read('schedule_watch');
  if (typeof saved !== 'object' || saved === null) return {};
  return Object.fromEntries(Object.entries(saved).filter(([, inside]) => typeof inside === 'boolean'));
};

/** Of the schedules that some trigger waits for; the owner of the target is the one who acts, so that it happens once. */
const watchedIn = (snapshot: ActiveSnapshot): WatchedSchedule[] => {
  const watched = new Map<string, WatchedSchedule>();
  for (const trigger of snapshot.triggers) {
    if (trigger.source_type !== 'schedule' || !snapshot.isOwn(trigger.target_gadget_id)) continue;
    const schedule = snapshot.index.schedule(trigger.source_schedule_id);
    if (schedule === undefined) continue;
    const { site_id } = trigger;
    const zone = zoneFor(snapshot.index.site(site_id)?.timezone);
    watched.set(`${site_id}/${schedule.id}`, {
      schedule_id: schedule.id,
      site_id,
      schedule: compileSchedule(schedule.weekdays),
      zone: zone.ok ? zone.value : null,
    });
  }
  return [...watched.values()];
};

/** Triggers that wait for a schedule to begin or to end. */
export class ScheduleRunner {
  readonly #snapshot: () => ActiveSnapshot;
  readonly #wall: WallClock;
  readonly #state: StateStore;
  #watch: ScheduleWatch;
  #watched: readonly WatchedSchedule[] | null = null;

  constructor(snapshot: () => ActiveSnapshot, wall: WallClock, state: StateStore) {
    this.#snapshot = snapshot;
    this.#wall = wall;
    this.#state = state;
    this.#watch = readWatch(state);
  }

  /** The snapshot has changed. */
  forget(): void {
    this.#watched = null;
  }

  /** What began or ended since the last look. */
  look(): readonly Happening[] {
    this.#watched ??= watchedIn(this.#snapshot());
    const { state, happenings } = watchSchedules(
      this.#watched,
      this.#watch,
      this.#wall.trusted() ? this.#wall.now() : null,
    );
    const changed = JSON.stringify(state) !== JSON.stringify(this.#watch);
    this.#watch = state;
    if (changed) this.#state.write('schedule_watch', state);
    return happenings;
  }
}

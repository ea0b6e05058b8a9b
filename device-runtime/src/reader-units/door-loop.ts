import type { Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PeerGadgets } from '../gadgets/peer-gadgets.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import type { Judge, Judgement } from '../access/access-checker.ts';
import { aimedAt, type Order, type Performer } from '../actions/action-executor.ts';
import type { ServedSlice } from '../snapshot/active-snapshot.ts';
import type { Station, StationEffect, StationInput } from './reader-unit.ts';
import { inDetail } from '../events/technician-record.ts';
import type { TriggerRunner } from '../actions/trigger-runner.ts';

export interface DoorLoopParts {
  readonly slice: () => ServedSlice;
  readonly judge: Judge;
  readonly log: EventLog;
  readonly performer: Performer;
  readonly triggers: TriggerRunner;
  readonly peers: PeerGadgets;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly show: (station: string, kind: FeedbackKind) => void;
  /** The technician's own credential has opened something. */
  readonly commissioned: () => void;
  /** A turn that begins by itself, when another controller has answered. */
  readonly turn: (work: () => void) => void;
}

type Executors = {
  readonly [T in StationEffect['type']]: (station: Station, effect: Extract<StationEffect, { type: T }>) => void;
};

type Granted = Extract<Judgement, { granted: true }>;
type Denied = Extract<Judgement, { granted: false }>;

const ENTER_AFTER_GRANT_MS = 2_000;

const detailOf = ({ commissioning }: Judgement): { readonly detail?: string } =>
  commissioning === undefined ? {} : { detail: inDetail('commissioning', commissioning) };

/** From a key, a card or a phone to an open door. */
export class DoorLoop {
  readonly #parts: DoorLoopParts;
  /** Of stations where nothing was shown since. */
  readonly #grantedAt = new Map<string, Monotonic>();

  readonly #executors: Executors = {
    present_pin: (station, { verdict }) => this.#conclude(station, verdict),
    present_card: (station, { destination, card }) => this.#conclude(station, this.#parts.judge.tap(destination, card)),
    deny: (station, effect) => this.#refuseEntry(station, effect),
    feedback: (station, { kind }) => this.#show(station, kind),
  };

  constructor(parts: DoorLoopParts) {
    this.#parts = parts;
  }

  take(station: Station, input: StationInput): void {
    const now = this.#parts.clock.now();
    const isHabit = this.#isEnterAfterGrant(station, input, now);
    for (const effect of station.take(input, now))
      if (!isHabit || effect.type !== 'feedback' || effect.kind !== 'dropped') this.#execute(station, effect);
  }

  /** A PIN that nobody's longer one begins with opens at its last digit; whoever then presses enter must not see red. */
  #isEnterAfterGrant(station: Station, input: StationInput, now: Monotonic): boolean {
    if (input.type !== 'key' || input.key !== '#' || station.entry.phase !== 'idle') return false;
    const granted = this.#grantedAt.get(station.id);
    return granted !== undefined && now - granted <= ENTER_AFTER_GRANT_MS;
  }

  #show(station: Station, kind: FeedbackKind): void {
    if (kind === 'granted') this.#grantedAt.set(station.id, this.#parts.clock.now());
    else this.#grantedAt.delete(station.id);
    this.#parts.show(station.id, kind);
  }

  #execute<T extends StationEffect['type']>(station: Station, effect: Extract<StationEffect, { type: T }>): void {
    (this.#executors[effect.type] as (station: Station, effect: StationEffect) => void)(station, effect);
  }

  #conclude(station: Station, judgement: Judgement): void {
    if (!judgement.granted) this.#deny(station, judgement);
    else if (this.#parts.slice().isOwn(judgement.target.gadget_id)) this.#open(station, judgement);
    else void this.#askOwner(station, judgement);
  }

  #deny(station: Station, denied: Denied): void {
    const { target, reason, subject } = denied;
    const gadget = target === null ? {} : aimedAt(target);
    this.#parts.log.record({ ...gadget, kind: 'deny', subject, reason, ...detailOf(denied) });
    this.#show(station, 'denied');
  }

  #open(station: Station, granted: Granted): void {
    const { target, subject } = granted;
    const { performer, triggers, clock, commissioned } = this.#parts;
    const now: Monotonic = clock.now();
    const { gadget_id, action_id } = target;
    const order: Order = { ...detailOf(granted), gadget_id, gadget_action_id: action_id, subject };
    triggers.remember(order, 0, now);
    const { outcome } = performer.perform(order, now);
    if (granted.commissioning !== undefined && outcome === 'done') commissioned();
    this.#show(station, outcome === 'done' ? 'granted' : 'refused');
  }

  /** The gadget hangs on another controller, which decides again and writes the one event there is. */
  async #askOwner(station: Station, { target, subject }: Granted): Promise<void> {
    const { peers, wall, log, turn } = this.#parts;
    const occurred_at = wall.now();
    const order = { ...target, occurred_at, time_trusted: wall.trusted(), subject, trigger: null };
    const { outcome } = await peers.execute(order);
    turn(() => {
      this.#show(station, outcome === 'done' ? 'granted' : 'denied');
      if (outcome === 'denied' && subject.access_method === 'pin') this.take(station, { type: 'refused_elsewhere' });
      if (outcome === 'unreachable')
        log.record({ ...aimedAt(target), kind: 'fault', fault: 'gadget_unreachable', occurred_at, subject });
    });
  }

  #refuseEntry(station: Station, effect: Extract<StationEffect, { type: 'deny' }>): void {
    const { reason } = effect;
    const subject =
      reason === 'no_input_rule' ? this.#parts.judge.subjectOfTap(effect.card) : { access_method: 'pin' as const };
    this.#parts.log.record({ kind: 'deny', subject, reason });
    this.#show(station, reason === 'locked_out' ? 'locked_out' : 'denied');
  }
}

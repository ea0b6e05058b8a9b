import type { Monotonic } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PeerGadgets } from '../gadgets/peer-gadgets.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import type { FeedbackKind } from '@lintel/drivers/ports/feedback';
import type { AccessChecker, AccessDecision } from '../access/access-checker.ts';
import { actionFields, type ActionOrder, type ActionExecutor } from '../actions/action-executor.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import type { ReaderUnit, ReaderUnitEffect, ReaderUnitInput } from './reader-unit.ts';
import { inDetail } from '../events/technician-record.ts';
import type { TriggerRunner } from '../actions/trigger-runner.ts';

interface DoorLoopParts {
  readonly snapshot: () => ActiveSnapshot;
  readonly checker: AccessChecker;
  readonly log: EventLog;
  readonly executor: ActionExecutor;
  readonly triggers: TriggerRunner;
  readonly peers: PeerGadgets;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly show: (unit: string, kind: FeedbackKind) => void;
  /** The technician's own credential has opened something. */
  readonly commissioned: () => void;
  /** A turn that begins by itself, when another controller has answered. */
  readonly turn: (work: () => void) => void;
}

type Executors = {
  readonly [T in ReaderUnitEffect['type']]: (unit: ReaderUnit, effect: Extract<ReaderUnitEffect, { type: T }>) => void;
};

type Granted = Extract<AccessDecision, { granted: true }>;
type Denied = Extract<AccessDecision, { granted: false }>;

const ENTER_AFTER_GRANT_MS = 2_000;

const detailOf = ({ commissioning }: AccessDecision): { readonly detail?: string } =>
  commissioning === undefined ? {} : { detail: inDetail('commissioning', commissioning) };

/** From a key, a card or a phone to an open door. */
export class DoorLoop {
  readonly #parts: DoorLoopParts;
  /** Of reader units where nothing was shown since. */
  readonly #grantedAt = new Map<string, Monotonic>();

  readonly #executors: Executors = {
    present_pin: (unit, { verdict }) => this.#conclude(unit, verdict),
    present_card: (unit, { destination, card }) => this.#conclude(unit, this.#parts.checker.tap(destination, card)),
    deny: (unit, effect) => this.#refuseEntry(unit, effect),
    feedback: (unit, { kind }) => this.#show(unit, kind),
  };

  constructor(parts: DoorLoopParts) {
    this.#parts = parts;
  }

  take(unit: ReaderUnit, input: ReaderUnitInput): void {
    const now = this.#parts.clock.now();
    const isHabit = this.#isEnterAfterGrant(unit, input, now);
    for (const effect of unit.take(input, now))
      if (!isHabit || effect.type !== 'feedback' || effect.kind !== 'dropped') this.#execute(unit, effect);
  }

  /** A PIN that nobody's longer one begins with opens at its last digit; whoever then presses enter must not see red. */
  #isEnterAfterGrant(unit: ReaderUnit, input: ReaderUnitInput, now: Monotonic): boolean {
    if (input.type !== 'key' || input.key !== '#' || unit.entry.phase !== 'idle') return false;
    const granted = this.#grantedAt.get(unit.id);
    return granted !== undefined && now - granted <= ENTER_AFTER_GRANT_MS;
  }

  #show(unit: ReaderUnit, kind: FeedbackKind): void {
    if (kind === 'granted') this.#grantedAt.set(unit.id, this.#parts.clock.now());
    else this.#grantedAt.delete(unit.id);
    this.#parts.show(unit.id, kind);
  }

  #execute<T extends ReaderUnitEffect['type']>(unit: ReaderUnit, effect: Extract<ReaderUnitEffect, { type: T }>): void {
    (this.#executors[effect.type] as (unit: ReaderUnit, effect: ReaderUnitEffect) => void)(unit, effect);
  }

  #conclude(unit: ReaderUnit, decision: AccessDecision): void {
    if (!decision.granted) this.#deny(unit, decision);
    else if (this.#parts.snapshot().isOwn(decision.target.gadget_id)) this.#open(unit, decision);
    else void this.#askOwner(unit, decision);
  }

  #deny(unit: ReaderUnit, denied: Denied): void {
    const { target, reason, subject } = denied;
    const gadget = target === null ? {} : actionFields(target);
    this.#parts.log.record({ ...gadget, kind: 'deny', subject, reason, ...detailOf(denied) });
    this.#show(unit, 'denied');
  }

  #open(unit: ReaderUnit, granted: Granted): void {
    const { target, subject } = granted;
    const { executor, triggers, clock, commissioned } = this.#parts;
    const now: Monotonic = clock.now();
    const { gadget_id, action_id } = target;
    const order: ActionOrder = { ...detailOf(granted), gadget_id, gadget_action_id: action_id, subject };
    triggers.remember(order, 0, now);
    const { outcome } = executor.execute(order, now);
    if (granted.commissioning !== undefined && outcome === 'done') commissioned();
    this.#show(unit, outcome === 'done' ? 'granted' : 'refused');
  }

  /** The gadget hangs on another controller, which decides again and writes the one event there is. */
  async #askOwner(unit: ReaderUnit, { target, subject }: Granted): Promise<void> {
    const { peers, wall, log, turn } = this.#parts;
    const occurred_at = wall.now();
    const order = { ...target, occurred_at, time_trusted: wall.trusted(), subject, trigger: null };
    const { outcome } = await peers.execute(order);
    turn(() => {
      this.#show(unit, outcome === 'done' ? 'granted' : 'denied');
      if (outcome === 'denied' && subject.access_method === 'pin') this.take(unit, { type: 'refused_elsewhere' });
      if (outcome === 'unreachable')
        log.record({ ...actionFields(target), kind: 'fault', fault: 'gadget_unreachable', occurred_at, subject });
    });
  }

  #refuseEntry(unit: ReaderUnit, effect: Extract<ReaderUnitEffect, { type: 'deny' }>): void {
    const { reason } = effect;
    const subject =
      reason === 'no_input_rule' ? this.#parts.checker.subjectOfTap(effect.card) : { access_method: 'pin' as const };
    this.#parts.log.record({ kind: 'deny', subject, reason });
    this.#show(unit, reason === 'locked_out' ? 'locked_out' : 'denied');
  }
}

import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PeerActionExecutor } from '../gadgets/peer-action-executor-interface.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { EventLog } from '../events/event-log.ts';
import type { FeedbackKind } from '@lintel/drivers/interfaces';
import type { AccessChecker, AccessDecision, GadgetActionIds } from '../access/access-checker.ts';
import {
  toApprovedActionFields,
  type ApprovedAction,
  type ActionExecutor,
  type ActionExecutionResult,
} from '../actions/action-executor.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import type { ReaderUnit, ReaderUnitKeyEntryEffect, ReaderUnitKeyEntryInput } from './reader-unit.ts';
import { describeTechnicianAction } from '../events/acting-technician.ts';
import type { TriggerRunner } from '../actions/trigger-runner.ts';

interface ReaderInputHandlerDependencies {
  readonly snapshot: () => ActiveSnapshot;
  readonly checker: AccessChecker;
  readonly log: EventLog;
  readonly executor: ActionExecutor;
  readonly triggers: TriggerRunner;
  readonly peers: PeerActionExecutor;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  readonly readerUnit: (id: string) => ReaderUnit | undefined;
  readonly show: (unit: string, kind: FeedbackKind) => void;
  /** Called when the commissioning credential opened a gadget. */
  readonly onCommissioningUse: (target: GadgetActionIds) => void;
  /** Runs work in a turn of its own after the response of another controller. */
  readonly turn: (work: () => void) => void;
}

type Executors = {
  readonly [T in ReaderUnitKeyEntryEffect['type']]: (
    unit: ReaderUnit,
    effect: Extract<ReaderUnitKeyEntryEffect, { type: T }>,
  ) => void;
};

type Granted = Extract<AccessDecision, { granted: true }>;
type Denied = Extract<AccessDecision, { granted: false }>;

const detailOf = ({ commissioning }: AccessDecision): { readonly detail?: string } =>
  commissioning === undefined ? {} : { detail: describeTechnicianAction('commissioning', commissioning) };

/** Turns keys, cards and phones into access decisions and actions. */
export class ReaderInputHandler {
  readonly #parts: ReaderInputHandlerDependencies;

  readonly #executors: Executors = {
    present_pin: (unit, { result }) => this.#applyDecision(unit, result),
    present_card: (unit, { destination, card }) =>
      this.#applyDecision(unit, this.#parts.checker.checkTap(destination, card)),
    deny: (unit, effect) => this.#denyEntry(unit, effect),
    feedback: (unit, { kind }) => this.#show(unit, kind),
  };

  constructor(parts: ReaderInputHandlerDependencies) {
    this.#parts = parts;
  }

  handleInput(unit: ReaderUnit, input: ReaderUnitKeyEntryInput): void {
    for (const effect of unit.handleInput(input, this.#parts.clock.now())) this.#execute(unit, effect);
  }

  /** Without a reader unit, there are no lights. */
  #show(unit: ReaderUnit | null, kind: FeedbackKind): void {
    if (unit === null) return;
    this.#parts.show(unit.id, kind);
    if (kind === 'granted') this.handleInput(unit, { type: 'granted' });
  }

  #execute<T extends ReaderUnitKeyEntryEffect['type']>(
    unit: ReaderUnit,
    effect: Extract<ReaderUnitKeyEntryEffect, { type: T }>,
  ): void {
    (this.#executors[effect.type] as (unit: ReaderUnit, effect: ReaderUnitKeyEntryEffect) => void)(unit, effect);
  }

  #applyDecision(unit: ReaderUnit, decision: AccessDecision): void {
    if (!decision.granted) this.#deny(unit, decision);
    else if (this.#parts.snapshot().isOwn(decision.target.gadget_id)) this.#open(unit, decision);
    else void this.#requestFromOwner(unit, decision);
  }

  /** For a phone over Bluetooth at one of the own gadgets. `station`: the reader unit with the lights of the door. */
  handlePhone(station: string | null, decision: AccessDecision): 'granted' | 'denied' | 'door_fault' {
    const unit = (station === null ? undefined : this.#parts.readerUnit(station)) ?? null;
    if (!decision.granted) {
      this.#deny(unit, decision);
      return 'denied';
    }
    return this.#open(unit, decision) === 'done' ? 'granted' : 'door_fault';
  }

  #deny(unit: ReaderUnit | null, denied: Denied): void {
    const { target, reason, subject } = denied;
    const gadget = target === null ? {} : toApprovedActionFields(target);
    this.#parts.log.record({ ...gadget, kind: 'deny', subject, reason, ...detailOf(denied) });
    this.#show(unit, 'denied');
  }

  #open(unit: ReaderUnit | null, granted: Granted): ActionExecutionResult['outcome'] {
    const { target, subject } = granted;
    const { executor, triggers, clock, onCommissioningUse } = this.#parts;
    const now: MonotonicTime = clock.now();
    const { gadget_id, action_id } = target;
    const order: ApprovedAction = { ...detailOf(granted), gadget_id, gadget_action_id: action_id, subject };
    triggers.recordDepth(order, 0, now);
    const { outcome } = executor.execute(order, now);
    if (granted.commissioning !== undefined && outcome === 'done') onCommissioningUse(target);
    this.#show(unit, outcome === 'done' ? 'granted' : 'refused');
    return outcome;
  }

  /** The other controller decides again and records the only event. */
  async #requestFromOwner(unit: ReaderUnit, { target, subject }: Granted): Promise<void> {
    const { peers, wall, log, turn } = this.#parts;
    const occurred_at = wall.now();
    const order = { ...target, occurred_at, time_trusted: wall.isTrusted(), subject, trigger: null };
    const { outcome } = await peers.execute(order);
    turn(() => {
      this.#show(unit, outcome === 'done' ? 'granted' : 'denied');
      if (outcome === 'denied' && subject.access_method === 'pin')
        this.handleInput(unit, { type: 'refused_elsewhere' });
      if (outcome === 'unreachable')
        log.record({
          ...toApprovedActionFields(target),
          kind: 'fault',
          fault: 'gadget_unreachable',
          occurred_at,
          subject,
        });
    });
  }

  #denyEntry(unit: ReaderUnit, effect: Extract<ReaderUnitKeyEntryEffect, { type: 'deny' }>): void {
    const { reason } = effect;
    const subject =
      reason === 'no_input_rule' ? this.#parts.checker.subjectOfTap(effect.card) : { access_method: 'pin' as const };
    this.#parts.log.record({ kind: 'deny', subject, reason });
    this.#show(unit, reason === 'locked_out' ? 'locked_out' : 'denied');
  }
}

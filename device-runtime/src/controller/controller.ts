import type { DeviceId, GadgetTriggerId, MemberId } from '@lintel/access-core/ids';
import type { AccessMethod } from '@lintel/access-core/access-model';
import type { Instant } from '@lintel/access-core/instant';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { Revoke } from '@lintel/wire-protocol/mqtt/messages/revoke';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { StateStore } from '../state/state-store.ts';
import type { HeldSnapshot } from '../snapshot/snapshot-store-port.ts';
import { type ControllerParts, type Assembly, assemble } from './assembly.ts';
import type { TurnResult } from './turn.ts';
import type { Fault } from '../faults/fault-registry.ts';
import type { Target } from '../access/access-checker.ts';
import type { Owner } from '../state/ownership.ts';
import { actionFields, type ActionOrder, type ExecutionResult } from '../actions/action-executor.ts';
import { PersistedDoorState } from './persisted-door-state.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SnapshotReceiver } from './snapshot-receiver.ts';
import { TechnicianActions } from './technician-actions.ts';

/** How long the door has to be left alone before anything else is done. */
const IDLE_MS = 1_000;
const BUSY_MS = 20;
const LATE_MS = 15_000;
const LONGEST_DETAIL = 200;

type Refused = { readonly outcome: 'denied'; readonly reason: string; readonly event_id: DeviceEvent['id'] | null };

const resultOf = (turn: TurnResult<ExecutionResult>): ExecutionResult =>
  turn.ok ? turn.value : { outcome: 'failed', reason: turn.error, event: null };

/** A door controller: everything that works without a network, and the places where one plugs in. */
export class Controller {
  readonly technician: TechnicianActions;
  /** Edits of the input rules made at this controller, and the bridge's responses to them. */
  readonly localRules: Assembly['localRules'];
  readonly ruleCopies: Assembly['rules']['ruleCopies'];
  readonly siteDirectory: Assembly['rules']['siteDirectory'];
  /** Small values that outlive a restart. */
  readonly state: StateStore;
  readonly lanes: Assembly['lanes'];
  readonly #parts: ControllerParts;
  readonly #assembly: Assembly;
  readonly #snapshotReceiver: SnapshotReceiver;
  readonly #doorState: PersistedDoorState;
  #cancelTimer: () => void = () => undefined;
  #cancelUpkeep: () => void = () => undefined;
  #isInTurn = false;
  #lastUpkeep: Monotonic | null = null;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#assembly = assemble(parts, work => this.#turn(work));
    ({ localRules: this.localRules, state: this.state, lanes: this.lanes } = this.#assembly);
    ({ ruleCopies: this.ruleCopies, siteDirectory: this.siteDirectory } = this.#assembly.rules);
    this.#snapshotReceiver = new SnapshotReceiver(parts.snapshotStore, this.#assembly);
    this.#doorState = new PersistedDoorState(this.#assembly);
    this.technician = new TechnicianActions({
      assembly: this.#assembly,
      events: parts.events,
      snapshotStore: parts.snapshotStore,
      execute: order => this.execute(order),
      turn: work => this.#turn(work),
    });
  }

  /** Loads what it decides by, takes up its lines, and listens. Ready when it returns. */
  start(): void {
    this.#doorState.begin();
    for (const { code, message } of this.#parts.faultsAtStart ?? []) this.#assembly.faults.raise(code, message);
    this.#snapshotReceiver.load();
    this.#refuseForeignSlice();
    this.#turn(() => this.#rewire());
    this.#turn(() => this.#assembly.listen());
    this.#keepUp();
  }

  /**
   * Whose it is, at the start and after each claim. When that is another organization than before, or another device of
   * it, the door opens from this moment on for nobody whom it knew, and nothing of what happened before is told.
   */
  belongsTo(owner: Owner): void {
    const { ownership } = this.#assembly;
    this.#turn(() => {
      if (ownership.isAnother(owner)) this.#leaveOwner();
      ownership.bind(owner);
    });
  }

  #leaveOwner(): void {
    const { log, lanes, revocations, rules, commissioning, snapshotAge } = this.#assembly;
    this.#snapshotReceiver.forget();
    revocations.forget();
    rules.forget();
    commissioning.forget();
    snapshotAge.forget();
    if (this.#lastUpkeep !== null) this.#rewire();
    log.leaveBehind();
    lanes.restart();
  }

  /** A snapshot that was kept before anybody wrote down whose it is. */
  #refuseForeignSlice(): void {
    const { ownership, served } = this.#assembly;
    const { deviceId } = served.snapshot;
    if (deviceId === null || ownership.deviceId === null || deviceId === ownership.deviceId) return;
    this.#turn(() => this.#leaveOwner());
  }

  /**
   * Handles one input completely before the next one; the events that follow from it are recorded at its end. A defect
   * in one turn is reported as a fault and must not stop the controller.
   */
  #turn<T>(work: () => T): TurnResult<T> {
    // The outer turn handles the errors of an inner one.
    if (this.#isInTurn) return { ok: true, value: work() };
    this.#isInTurn = true;
    let result: TurnResult<T> = { ok: false, error: '' };
    try {
      result = { ok: true, value: work() };
      this.#assembly.postDecision.settle();
      this.#doorState.save();
      this.#assembly.log.tookEffect();
    } catch (error) {
      const message = this.#reportInternal(error);
      if (!result.ok) result = { ok: false, error: message };
    } finally {
      this.#isInTurn = false;
      this.#setTimer();
    }
    return result;
  }

  #reportInternal(error: unknown): string {
    const message = `Internal error: ${String(error)}`;
    try {
      this.#assembly.faults.raise('internal', message);
    } catch (unrecorded) {
      this.#parts.log('error', `The fault could not be recorded: ${String(unrecorded)}`, { fault: 'internal' });
    }
    return message;
  }

  #setTimer(): void {
    this.#cancelTimer();
    const deadline = this.#assembly.deadline();
    if (deadline === null) return;
    this.#cancelTimer = this.#assembly.clock.wake(deadline, () => this.#turn(() => this.#assembly.timer()));
  }

  #keepUp(): void {
    this.#lastUpkeep = this.#assembly.clock.now();
    const turn = this.#turn(() => this.#assembly.upkeep());
    const { clock } = this.#assembly;
    const pause = turn.ok && turn.value ? BUSY_MS : IDLE_MS;
    this.#cancelUpkeep = clock.wake(after(clock.now(), pause), () => this.#keepUp());
  }

  #rewire(): void {
    const { board, served, schedules, clock, localRules } = this.#assembly;
    schedules.forget();
    localRules.snapshotChanged();
    board.rewire(served.snapshot.ownGadgets, clock.now());
  }

  /** A chunk that came signed. The answer says what to report, or what to ask for. */
  receiveSnapshot(chunk: Slice): ReturnType<SnapshotReceiver['receive']> {
    return this.#snapshotReceiver.receive(chunk, () => this.#turn(() => this.#rewire()));
  }

  /** In force when it returns, and after a restart too. */
  revoke(revoked: Revoke): void {
    if (this.#snapshotReceiver.servedRevision < revoked.revision) this.#assembly.revocations.add(revoked);
  }

  /** An action that somebody else has decided: the bridge, or a technician. */
  execute(order: ActionOrder): ExecutionResult {
    const { executor, triggers, clock } = this.#assembly;
    const turn = this.#turn(() => {
      triggers.remember(order, 0, clock.now());
      return executor.execute(order, clock.now());
    });
    return resultOf(turn);
  }

  /** Another controller has read a credential for a gadget of ours: decided again, by our own snapshot. */
  executeForPeer(
    reader_device_id: DeviceId,
    target: Target,
    member: {
      readonly id: MemberId;
      readonly access_method: AccessMethod;
      readonly subject: NonNullable<ActionOrder['subject']>;
    },
  ): ExecutionResult | Refused {
    const decision = this.#assembly.checker.checkForPeer(target, member.id, member.access_method, member.subject);
    const order: ActionOrder = { ...actionFields(target), subject: member.subject, reader_device_id };
    if (decision.granted) return this.execute(order);
    const { reason } = decision;
    const turn = this.#turn(() => this.#assembly.log.record({ ...order, kind: 'deny', reason }));
    return { outcome: 'denied', reason, event_id: (turn.ok && turn.value[0]?.id) || null };
  }

  /** Another controller's trigger has fired for a gadget of ours. */
  executeForTrigger(
    reader_device_id: DeviceId,
    target: Target,
    trigger: { readonly id: GadgetTriggerId; readonly depth: number },
  ): ExecutionResult {
    const order: ActionOrder = {
      ...actionFields(target),
      subject: null,
      reader_device_id,
      gadget_trigger_id: trigger.id,
    };
    return resultOf(this.#turn(() => this.#assembly.triggers.execute(order, trigger.depth)));
  }

  /** The loop turns and does its work in time; otherwise somebody should begin anew. */
  isWell(): boolean {
    return this.#lastUpkeep !== null && this.#assembly.clock.now() - this.#lastUpkeep < LATE_MS;
  }

  /** No door or motor is in the middle of something, and nobody is typing. */
  isResting(): boolean {
    const { board, readerUnits } = this.#assembly;
    return board.deadline() === null && readerUnits.every(({ entry }) => entry.phase === 'idle');
  }

  /** Another version of the program runs, or was tried: it is among the events. */
  noteUpdate(kind: 'updated' | 'update_rolled_back', detail: string): void {
    this.#turn(() => void this.#assembly.log.record({ kind, detail: detail.slice(0, LONGEST_DETAIL) }));
  }

  /** What it decides by, unless that was made for another key. */
  get heldSnapshot(): HeldSnapshot | null {
    const held = this.#parts.snapshotStore.held();
    return held?.digest_key_id === this.digestKeyId ? held : null;
  }

  /** A change of the snapshot that has come in part. */
  get transferUnderWay(): ReturnType<ControllerParts['snapshotStore']['underWay']> {
    return this.#parts.snapshotStore.underWay();
  }

  get lastEventSequence(): number {
    return this.#parts.events.lastSequence();
  }

  /** Revocations that no snapshot contains yet. */
  get keptRevocations(): number {
    return this.#assembly.revocations.count;
  }

  /** When the bridge last said so, as far as it is known. */
  get lastContact(): Instant | null {
    return this.#assembly.snapshotAge.contact;
  }

  /** The bridge has said that the snapshot is what it should be. */
  inTouch(): void {
    this.#assembly.snapshotAge.inTouch();
  }

  /** Something is wrong outside of the door; null when it is over. */
  setFault(code: string, message: string | null): void {
    const { faults } = this.#assembly;
    this.#turn(() => (message === null ? faults.clear(code) : faults.raise(code, message)));
  }

  get snapshot(): ActiveSnapshot {
    return this.#assembly.served.snapshot;
  }

  get digestKeyId(): string {
    return this.#assembly.digests.keyId;
  }

  faults(): readonly Fault[] {
    return this.#assembly.faults.list();
  }

  gadgetStates(): ReturnType<Assembly['postDecision']['states']> {
    return this.#assembly.postDecision.states();
  }

  waitingEvents(): number {
    return this.#parts.events.waiting() + this.#assembly.log.inMemory().length;
  }

  /** Stops listening and writes what can still be written. Doors stay as they are: the next start takes them up. */
  stop(): void {
    this.#snapshotReceiver.stop();
    this.technician.stop();
    this.#cancelTimer();
    this.#cancelUpkeep();
    this.#assembly.log.settle();
    this.#parts.events.close();
    this.#parts.snapshotStore.close();
  }
}

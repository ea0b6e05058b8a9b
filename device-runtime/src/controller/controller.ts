import type { GadgetTriggerId, MemberId } from '@lintel/access-core/ids';
import type { AccessMethod } from '@lintel/access-core/access-data-types';
import type { Instant } from '@lintel/access-core/instant';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { StoredSnapshot } from '../snapshot/snapshot-store-interface.ts';
import { type ControllerDependencies, type ControllerAssembly, assembleController } from './controller-assembly.ts';
import type { ControllerTurnResult } from './controller-turn-types.ts';
import type { ControllerFault } from '../faults/controller-fault-registry.ts';
import type { GadgetActionIds } from '../access/access-checker.ts';
import type { DeviceOwner } from '../state/ownership-record.ts';
import type { ReplacementStatement } from '../state/replacement-record.ts';
import { reportReplacementFault } from './report-clock-snapshot-tamper-faults.ts';
import {
  toApprovedActionFields,
  type ActionExecutionResult,
  type ApprovedAction,
  type PeerReader,
} from '../actions/action-executor.ts';
import { PersistedDoorState } from './persisted-door-modes-and-keypad-lockouts.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { SnapshotActivator } from './snapshot-activator.ts';
import { TechnicianActions } from './technician-view-and-actions.ts';

/** Pause between upkeep runs when there is nothing to do. */
const IDLE_MS = 1_000;
const BUSY_MS = 20;
const UPKEEP_OVERDUE_MS = 15_000;
const LONGEST_DETAIL = 200;

type DeniedResult = {
  readonly outcome: 'denied';
  readonly reason: string;
  readonly event_id: DeviceEvent['id'] | null;
};

const resultOf = (turn: ControllerTurnResult<ActionExecutionResult>): ActionExecutionResult =>
  turn.ok ? turn.value : { outcome: 'failed', reason: turn.error, event: null };

/** A door controller: everything that works without a network, and the entry points for the network. */
export class Controller {
  readonly technician: TechnicianActions;
  /** Edits of the input rules made at this controller, and the bridge's responses to them. */
  readonly localRules: ControllerAssembly['localRules'];
  readonly ruleCopies: ControllerAssembly['rules']['ruleCopies'];
  readonly siteDirectory: ControllerAssembly['rules']['siteDirectory'];
  /** Small values that outlive a restart. */
  readonly state: ControllerStateStore;
  readonly eventQueues: ControllerAssembly['eventQueues'];
  readonly eventTimes: ControllerAssembly['eventTimes'];
  readonly #parts: ControllerDependencies;
  readonly #assembly: ControllerAssembly;
  readonly #snapshotReceiver: SnapshotActivator;
  readonly #doorState: PersistedDoorState;
  #cancelTimer: () => void = () => undefined;
  #cancelUpkeep: () => void = () => undefined;
  #isInTurn = false;
  #lastUpkeep: MonotonicTime | null = null;

  constructor(parts: ControllerDependencies) {
    this.#parts = parts;
    this.#assembly = assembleController(parts, work => this.#turn(work));
    ({ localRules: this.localRules, state: this.state, eventQueues: this.eventQueues } = this.#assembly);
    ({ eventTimes: this.eventTimes } = this.#assembly);
    ({ ruleCopies: this.ruleCopies, siteDirectory: this.siteDirectory } = this.#assembly.rules);
    this.#snapshotReceiver = new SnapshotActivator(parts.snapshotStore, this.#assembly);
    this.#doorState = new PersistedDoorState(this.#assembly);
    this.technician = new TechnicianActions({
      assembly: this.#assembly,
      events: parts.events,
      snapshotStore: parts.snapshotStore,
      execute: order => this.execute(order),
      turn: work => this.#turn(work),
    });
  }

  /** Loads the snapshot, takes over the outputs, and listens to inputs. Ready when it returns. */
  start(): void {
    this.#doorState.begin();
    this.#parts.reportStartupFaults?.((code, message) => this.setFault(code, message));
    this.#snapshotReceiver.load();
    this.#discardForeignSnapshot();
    this.#turn(() => this.#rewire());
    this.#turn(() => this.#assembly.listen());
    this.#runUpkeep();
  }

  /**
   * Called at the start and after each claim. When the organization or the device differs from before, access of all
   * previous members ends at once, and earlier events are not uploaded.
   */
  setOwner(owner: DeviceOwner & { readonly serial?: string }): void {
    const { ownership, replacement, faults } = this.#assembly;
    this.#turn(() => {
      if (ownership.isDifferentOwner(owner)) this.#discardOwnerData();
      ownership.setOwner(owner);
      if (owner.serial !== undefined) replacement.keepOnly(owner.serial);
      if (replacement.message === null) faults.clear('replaced');
    });
  }

  /** Signed by the organization: another controller has taken the place of this one. Null: this one is in use. */
  setReplacement(statement: ReplacementStatement | null): void {
    const { replacement, faults } = this.#assembly;
    this.#turn(() => {
      replacement.set(statement);
      reportReplacementFault(faults, replacement);
    });
  }

  #discardOwnerData(): void {
    const { log, eventQueues, revocations, rules, commissioning, snapshotAge } = this.#assembly;
    this.#snapshotReceiver.discard();
    revocations.clear();
    rules.forget();
    commissioning.discard();
    snapshotAge.clear();
    if (this.#lastUpkeep !== null) this.#rewire();
    log.archiveEvents();
    eventQueues.restart();
  }

  /** A snapshot of another device, stored before its owner was recorded. */
  #discardForeignSnapshot(): void {
    const { ownership, served } = this.#assembly;
    const { deviceId } = served.snapshot;
    if (deviceId === null || ownership.deviceId === null || deviceId === ownership.deviceId) return;
    this.#turn(() => this.#discardOwnerData());
  }

  /**
   * Handles one input completely before the next one; the events that follow from it are recorded at its end. A defect
   * in one turn is reported as a fault and must not stop the controller.
   */
  #turn<T>(work: () => T): ControllerTurnResult<T> {
    // The outer turn handles the errors of an inner one.
    if (this.#isInTurn) return { ok: true, value: work() };
    this.#isInTurn = true;
    let result: ControllerTurnResult<T> = { ok: false, error: '' };
    try {
      result = { ok: true, value: work() };
      this.#assembly.gadgetReports.runAll();
      this.#doorState.save();
      this.#assembly.log.reserveNumbers();
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

  #runUpkeep(): void {
    this.#lastUpkeep = this.#assembly.clock.now();
    const turn = this.#turn(() => this.#assembly.upkeep());
    const { clock } = this.#assembly;
    const pause = turn.ok && turn.value ? BUSY_MS : IDLE_MS;
    this.#cancelUpkeep = clock.wake(addMilliseconds(clock.now(), pause), () => this.#runUpkeep());
  }

  #rewire(): void {
    const { board, served, schedules, clock, localRules } = this.#assembly;
    schedules.onSnapshotChanged();
    localRules.onSnapshotChanged();
    board.rewire(served.snapshot.ownGadgets, clock.now());
  }

  /** The chunk was verified. The result tells what to report or to request. */
  receiveSnapshot(chunk: SnapshotChunkMqttMessage): ReturnType<SnapshotActivator['receive']> {
    return this.#snapshotReceiver.receive(chunk, () => this.#turn(() => this.#rewire()));
  }

  /** Applies when it returns, and after a restart. */
  revoke(revoked: RevocationMqttMessage): void {
    if (this.#snapshotReceiver.servedRevision < revoked.revision) this.#assembly.revocations.add(revoked);
  }

  /** An action that the bridge or a technician decided. */
  execute(order: ApprovedAction): ActionExecutionResult {
    const { executor, triggers, clock } = this.#assembly;
    const turn = this.#turn(() => {
      triggers.recordDepth(order, 0, clock.now());
      return executor.execute(order, clock.now());
    });
    return resultOf(turn);
  }

  /** For a credential that another controller read. Access is decided again, by the local snapshot. */
  executeForPeer(
    reader: PeerReader,
    target: GadgetActionIds,
    member: {
      readonly id: MemberId;
      readonly access_method: AccessMethod;
      readonly subject: NonNullable<ApprovedAction['subject']>;
    },
  ): ActionExecutionResult | DeniedResult {
    const decision = this.#assembly.checker.checkForPeer(target, member.id, member.access_method, member.subject);
    const order: ApprovedAction = { ...toApprovedActionFields(target), subject: member.subject, ...reader };
    if (decision.granted) return this.execute(order);
    const { reason } = decision;
    const turn = this.#turn(() => this.#assembly.log.record({ ...order, kind: 'deny', reason }));
    return { outcome: 'denied', reason, event_id: (turn.ok && turn.value[0]?.id) || null };
  }

  /** For a trigger that another controller fired. */
  executeForTrigger(
    reader: PeerReader,
    target: GadgetActionIds,
    trigger: { readonly id: GadgetTriggerId; readonly depth: number },
  ): ActionExecutionResult {
    const order: ApprovedAction = {
      ...toApprovedActionFields(target),
      subject: null,
      ...reader,
      gadget_trigger_id: trigger.id,
    };
    return resultOf(this.#turn(() => this.#assembly.triggers.execute(order, trigger.depth)));
  }

  /** False when upkeep is overdue: the watchdog then restarts the controller. */
  isHealthy(): boolean {
    return this.#lastUpkeep !== null && this.#assembly.clock.now() - this.#lastUpkeep < UPKEEP_OVERDUE_MS;
  }

  /** No door or motor is moving, and no PIN is being entered. */
  isIdle(): boolean {
    const { board, readerUnits } = this.#assembly;
    return board.deadline() === null && readerUnits.every(({ entry }) => entry.phase === 'idle');
  }

  /** Records an update or a rollback as an event. */
  recordUpdate(kind: 'updated' | 'update_rolled_back', detail: string): void {
    this.#turn(() => void this.#assembly.log.record({ kind, detail: detail.slice(0, LONGEST_DETAIL) }));
  }

  /** Null when the stored snapshot was made for another digest key. */
  get storedSnapshot(): StoredSnapshot | null {
    const held = this.#parts.snapshotStore.held();
    return held?.digest_key_id === this.digestKeyId ? held : null;
  }

  /** A snapshot transfer of which some chunks have arrived. */
  get pendingTransfer(): ReturnType<ControllerDependencies['snapshotStore']['pendingTransfer']> {
    return this.#parts.snapshotStore.pendingTransfer();
  }

  get lastEventSequence(): number {
    return this.#parts.events.lastSequence();
  }

  /** The highest number that the bridge has acknowledged; null when the disk cannot be read. */
  get highestAcknowledgedSequence(): number | null {
    try {
      return this.#parts.events.highestConfirmed();
    } catch {
      return null;
    }
  }

  /** The bridge has lost events. Uploads those again that the controller still has, from this number on. */
  resendEvents(from: number): void {
    this.#assembly.log.resend(from);
  }

  /** Revocations that the snapshot does not contain yet. */
  get pendingRevocationCount(): number {
    return this.#assembly.revocations.count;
  }

  /** When the bridge last confirmed the snapshot. */
  get lastContact(): Instant | null {
    return this.#assembly.snapshotAge.lastContact;
  }

  /** The bridge has confirmed that the snapshot is current. */
  confirmSnapshot(): void {
    this.#assembly.snapshotAge.confirm();
  }

  /** Whether the data folder has an owner, also if the enrollment is lost. */
  get wasClaimed(): boolean {
    return this.#assembly.ownership.deviceId !== null;
  }

  /** Raises or, with null, clears a fault outside of the door. */
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

  faults(): readonly ControllerFault[] {
    return this.#assembly.faults.list();
  }

  gadgetStates(): ReturnType<ControllerAssembly['gadgetReports']['states']> {
    return this.#assembly.gadgetReports.states();
  }

  waitingEventCount(): number {
    return this.#parts.events.waitingCount() + this.#assembly.log.inMemory().length;
  }

  /** Stops listening and writes waiting events. Doors keep their state for the next start. */
  stop(): void {
    this.#snapshotReceiver.stop();
    this.technician.stop();
    this.#cancelTimer();
    this.#cancelUpkeep();
    this.#assembly.log.flush();
    this.#parts.events.close();
    this.#parts.snapshotStore.close();
  }
}

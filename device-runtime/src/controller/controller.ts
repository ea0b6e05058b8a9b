import type { DeviceId, GadgetTriggerId, MemberId } from '@lintel/access-core/ids';
import type { AccessMethod } from '@lintel/access-core/access-model';
import type { Instant } from '@lintel/access-core/instant';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { Revoke } from '@lintel/wire-protocol/mqtt/messages/revoke';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { StateStore } from '../state/state-store.ts';
import type { HeldSlice } from '../snapshot/snapshot-store-port.ts';
import { type ControllerParts, type Assembly, assemble } from './assembly.ts';
import type { Fault } from '../faults/fault-registry.ts';
import type { Target } from '../access/access-checker.ts';
import type { Owner } from '../state/ownership.ts';
import { aimedAt, type Order, type Performed } from '../actions/action-executor.ts';
import { RememberedMarks } from './persisted-door-state.ts';
import type { ServedSlice } from '../snapshot/active-snapshot.ts';
import { SliceKeeper } from './snapshot-receiver.ts';
import { TechnicianDesk } from './technician-actions.ts';

/** How long the door has to be left alone before anything else is done. */
const IDLE_MS = 1_000;
const BUSY_MS = 20;
const LATE_MS = 15_000;
const LONGEST_DETAIL = 200;

type Refused = { readonly outcome: 'denied'; readonly reason: string; readonly event_id: DeviceEvent['id'] };

/** A door controller: everything that works without a network, and the places where one plugs in. */
export class Controller {
  readonly technician: TechnicianDesk;
  readonly #parts: ControllerParts;
  readonly #assembly: Assembly;
  readonly #slice: SliceKeeper;
  readonly #marks: RememberedMarks;
  #cancelTimer: () => void = () => undefined;
  #cancelUpkeep: () => void = () => undefined;
  #isInTurn = false;
  #lastUpkeep: Monotonic | null = null;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#assembly = assemble(parts, work => this.#turn(work));
    this.#slice = new SliceKeeper(parts.slices, this.#assembly);
    this.#marks = new RememberedMarks(this.#assembly);
    this.technician = new TechnicianDesk({
      assembly: this.#assembly,
      events: parts.events,
      slices: parts.slices,
      execute: order => this.execute(order),
      turn: work => this.#turn(work),
    });
  }

  /** Loads what it decides by, takes up its lines, and listens. Ready when it returns. */
  start(): void {
    this.#marks.begin();
    for (const { code, message } of this.#parts.faultsAtStart ?? []) this.#assembly.faults.raise(code, message);
    this.#slice.load();
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
    const { log, lanes, revocations, rules, commissioning, sliceAge } = this.#assembly;
    this.#slice.forget();
    revocations.forget();
    rules.forget();
    commissioning.forget();
    sliceAge.forget();
    if (this.#lastUpkeep !== null) this.#rewire();
    log.leaveBehind();
    lanes.restart();
  }

  /** A slice that was kept before anybody wrote down whose it is. */
  #refuseForeignSlice(): void {
    const { ownership, served } = this.#assembly;
    const { deviceId } = served.slice;
    if (deviceId === null || ownership.deviceId === null || deviceId === ownership.deviceId) return;
    this.#turn(() => this.#leaveOwner());
  }

  /** One input from its beginning to its end: nothing comes between, and what follows is told at its end. */
  #turn(work: () => void): void {
    if (this.#isInTurn) return work();
    this.#isInTurn = true;
    try {
      work();
      this.#assembly.aftermath.settle();
      this.#marks.save();
      this.#assembly.log.tookEffect();
    } catch (error) {
      // A mistake of ours in one input must not be the end of the door.
      this.#assembly.faults.raise('internal', `an input could not be handled: ${String(error)}`);
    } finally {
      this.#isInTurn = false;
      this.#setTimer();
    }
  }

  #setTimer(): void {
    this.#cancelTimer();
    const deadline = this.#assembly.deadline();
    if (deadline === null) return;
    this.#cancelTimer = this.#assembly.clock.wake(deadline, () => this.#turn(() => this.#assembly.timer()));
  }

  #keepUp(): void {
    this.#lastUpkeep = this.#assembly.clock.now();
    let hasMore = false;
    this.#turn(() => {
      hasMore = this.#assembly.upkeep();
    });
    const { clock } = this.#assembly;
    this.#cancelUpkeep = clock.wake(after(clock.now(), hasMore ? BUSY_MS : IDLE_MS), () => this.#keepUp());
  }

  #rewire(): void {
    const { board, served, schedules, clock, localRules } = this.#assembly;
    schedules.forget();
    localRules.sliced();
    board.rewire(served.slice.ownGadgets, clock.now());
  }

  /** A chunk that came signed. The answer says what to report, or what to ask for. */
  receiveSlice(chunk: Slice): ReturnType<SliceKeeper['receive']> {
    return this.#slice.receive(chunk, () => this.#turn(() => this.#rewire()));
  }

  /** In force when it returns, and after a restart too. */
  revoke(revoked: Revoke): void {
    if (this.#slice.servedRevision < revoked.revision) this.#assembly.revocations.add(revoked);
  }

  /** An action that somebody else has decided: the bridge, or a technician. */
  execute(order: Order): Performed {
    const { performer, triggers, clock } = this.#assembly;
    return this.#inTurn(() => {
      triggers.remember(order, 0, clock.now());
      return performer.perform(order, clock.now());
    });
  }

  /** Another controller has read a credential for a gadget of ours: decided again, by our own slice. */
  executeForPeer(
    reader_device_id: DeviceId,
    target: Target,
    member: {
      readonly id: MemberId;
      readonly access_method: AccessMethod;
      readonly subject: NonNullable<Order['subject']>;
    },
  ): Performed | Refused {
    const judgement = this.#assembly.judge.judgeForPeer(target, member.id, member.access_method, member.subject);
    const order: Order = { ...aimedAt(target), subject: member.subject, reader_device_id };
    if (judgement.granted) return this.execute(order);
    const { reason } = judgement;
    const [event] = this.#inTurn(() => this.#assembly.log.record({ ...order, kind: 'deny', reason }));
    return { outcome: 'denied', reason, event_id: event!.id };
  }

  /** Another controller's trigger has fired for a gadget of ours. */
  executeForTrigger(
    reader_device_id: DeviceId,
    target: Target,
    trigger: { readonly id: GadgetTriggerId; readonly depth: number },
  ): Performed {
    const order: Order = { ...aimedAt(target), subject: null, reader_device_id, gadget_trigger_id: trigger.id };
    return this.#inTurn(() => this.#assembly.triggers.performed(order, trigger.depth));
  }

  #inTurn<T>(work: () => T): T {
    const done: T[] = [];
    this.#turn(() => {
      done.push(work());
    });
    return done[0]!;
  }

  /** The loop turns and does its work in time; otherwise somebody should begin anew. */
  isWell(): boolean {
    return this.#lastUpkeep !== null && this.#assembly.clock.now() - this.#lastUpkeep < LATE_MS;
  }

  /** No door or motor is in the middle of something, and nobody is typing. */
  isResting(): boolean {
    const { board, stations } = this.#assembly;
    return board.deadline() === null && stations.every(({ entry }) => entry.phase === 'idle');
  }

  /** Another version of the program runs, or was tried: it is among the events. */
  noteUpdate(kind: 'updated' | 'update_rolled_back', detail: string): void {
    this.#turn(() => void this.#assembly.log.record({ kind, detail: detail.slice(0, LONGEST_DETAIL) }));
  }

  /** Edits of the rules made at the door, and what the bridge says to them. */
  get localRules(): Assembly['localRules'] {
    return this.#assembly.localRules;
  }

  get ruleCopies(): Assembly['rules']['ruleCopies'] {
    return this.#assembly.rules.ruleCopies;
  }

  get siteDirectory(): Assembly['rules']['siteDirectory'] {
    return this.#assembly.rules.siteDirectory;
  }

  /** The events' way up. */
  get lanes(): Assembly['lanes'] {
    return this.#assembly.lanes;
  }

  /** What it decides by, unless that was made for another key. */
  get heldSlice(): HeldSlice | null {
    const held = this.#parts.slices.held();
    return held?.digest_key_id === this.digestKeyId ? held : null;
  }

  /** A change of the slice that has come in part. */
  get transferUnderWay(): ReturnType<ControllerParts['slices']['underWay']> {
    return this.#parts.slices.underWay();
  }

  get lastEventSequence(): number {
    return this.#parts.events.lastSequence();
  }

  /** Revocations that no slice contains yet. */
  get keptRevocations(): number {
    return this.#assembly.revocations.count;
  }

  /** When the bridge last said so, as far as it is known. */
  get lastContact(): Instant | null {
    return this.#assembly.sliceAge.contact;
  }

  /** The few small things that outlive a restart. */
  get state(): StateStore {
    return this.#assembly.state;
  }

  /** The bridge has said that the slice is what it should be. */
  inTouch(): void {
    this.#assembly.sliceAge.inTouch();
  }

  /** Something is wrong outside of the door; null when it is over. */
  setFault(code: string, message: string | null): void {
    const { faults } = this.#assembly;
    this.#turn(() => (message === null ? faults.clear(code) : faults.raise(code, message)));
  }

  get slice(): ServedSlice {
    return this.#assembly.served.slice;
  }

  get digestKeyId(): string {
    return this.#assembly.digests.keyId;
  }

  faults(): readonly Fault[] {
    return this.#assembly.faults.list();
  }

  gadgetStates(): ReturnType<Assembly['aftermath']['states']> {
    return this.#assembly.aftermath.states();
  }

  waitingEvents(): number {
    return this.#parts.events.waiting() + this.#assembly.log.inMemory().length;
  }

  /** Stops listening and writes what can still be written. Doors stay as they are: the next start takes them up. */
  stop(): void {
    this.#slice.stop();
    this.technician.stop();
    this.#cancelTimer();
    this.#cancelUpkeep();
    this.#assembly.log.settle();
    this.#parts.events.close();
    this.#parts.slices.close();
  }
}

import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { parseInputRules } from '@lintel/access-core/input-rules';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { after, type Monotonic } from '@lintel/access-core/monotonic';
import type { Result } from '@lintel/access-core/result';
import type { Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import type { RulesChanged } from '@lintel/wire-protocol/mqtt/messages/rules-changed';
import type { HeldSnapshot } from '../snapshot/snapshot-store-port.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import {
  handedOver,
  keptTheirs,
  localRulesState,
  noLocalRules,
  type RulesConflict,
  type RulesEdit,
  rulesInForce,
} from './local-rules-state.ts';
import {
  answeredBelow,
  confirmed,
  type DoorRules,
  editedForGood,
  editedForNow,
  inForce,
  isOver,
  reverted,
  snapshotChangedBelow,
} from './provisional-rules.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import { inDetail, readTechnician, subjectOf, type Technician } from '../events/technician-record.ts';

interface LocalRulesParts {
  readonly snapshot: () => ActiveSnapshot;
  readonly held: () => HeldSnapshot | null;
  /** The actions of a gadget that a rule may lead to; undefined where nobody here knows of it. */
  readonly actionsOf: (gadgetId: string) => readonly string[] | undefined;
  readonly state: StateStore;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly wall: WallClock;
  readonly log: EventLog;
  /** Told when other rules hold, or when something else has become of them. */
  readonly changed: () => void;
}

/** An edit that ends by itself. */
export interface ProvisionalRules {
  readonly left_ms: number;
  readonly by: Technician;
  /** What holds afterwards. */
  readonly previous: readonly InputRule[];
}

const readState = (state: StateStore): DoorRules => {
  const saved = localRulesState.safeParse(state.read('local_rules'));
  return { lasting: saved.success ? saved.data : noLocalRules, provisional: null };
};

/**
 * Input rules as they hold at this door: those of the snapshot, under an edit made here that the bridge has not answered
 * yet, under one that is tried for a while. What the bridge refuses is kept until a person has settled it.
 */
export class LocalRules {
  readonly #parts: LocalRulesParts;
  #rules: DoorRules;
  #overlay: CompiledInputRules | null;
  #tell: () => void = () => undefined;

  constructor(parts: LocalRulesParts) {
    this.#parts = parts;
    this.#rules = readState(parts.state);
    this.#overlay = this.#compiledOverlay();
  }

  /** A restart has ended what was provisional; that it did is told. */
  begin(): void {
    const left = readTechnician(this.#parts.state.read('provisional_rules'));
    if (left === null) return;
    this.#parts.state.write('provisional_rules', null);
    this.#recordReverted('restart', left);
  }

  #compiledOverlay(): CompiledInputRules | null {
    const rules = inForce(this.#rules);
    return rules === null ? null : compileInputRules(rules);
  }

  #become(rules: DoorRules): void {
    const before = this.#rules;
    if (rules === before) return;
    const { state, changed } = this.#parts;
    this.#rules = rules;
    this.#overlay = this.#compiledOverlay();
    if (rules.lasting !== before.lasting) state.write('local_rules', rules.lasting);
    const { provisional } = rules;
    if (provisional?.by !== before.provisional?.by) state.write('provisional_rules', provisional?.by ?? null);
    changed();
  }

  /** What the keypads go by. */
  get compiled(): CompiledInputRules {
    return this.#overlay ?? this.#parts.snapshot().rules;
  }

  get inForce(): readonly InputRule[] {
    return this.compiled.rules;
  }

  /** Stands for these very rules, so that an edit of others is noticed. */
  get base(): string {
    return createHash('sha256').update(JSON.stringify(this.inForce)).digest('base64url').slice(0, 22);
  }

  get isPending(): boolean {
    return this.#rules.lasting.asked !== null;
  }

  get conflict(): RulesConflict | null {
    return this.#rules.lasting.conflict;
  }

  get provisional(): ProvisionalRules | null {
    const { provisional, lasting } = this.#rules;
    if (provisional === null) return null;
    return {
      left_ms: Math.max(0, provisional.reverts - this.#parts.clock.now()),
      by: provisional.by,
      previous: rulesInForce(lasting) ?? this.#parts.snapshot().rules.rules,
    };
  }

  /** The newest revision of the organization that is known here. */
  get knownRevision(): number | null {
    const revisions = [this.#parts.held()?.revision, this.#rules.lasting.settled?.revision];
    const known = revisions.filter(one => one !== undefined);
    return known.length === 0 ? null : Math.max(...known);
  }

  /** As strictly as the bridge, by the gadgets that the controller knows of. */
  check(input: unknown): Result<readonly InputRule[]> {
    return parseInputRules(input, id => this.#parts.actionsOf(id));
  }

  #made(input_rules: readonly InputRule[], by: Technician): RulesEdit {
    const { snapshot, wall } = this.#parts;
    return {
      v: 1,
      base_revision: this.knownRevision,
      edited_at: wall.now(),
      pass_id: by.pass_id,
      user_id: by.user_id,
      input_rules,
      device_id: snapshot().deviceId,
    };
  }

  /** In force when it returns, and after a restart; the bridge is told when there is a line. Settles a conflict, too. */
  edit(input_rules: readonly InputRule[], by: Technician): void {
    this.#become(editedForGood(this.#rules, this.#made(input_rules, by)));
    this.#record('rules_edited', `${input_rules.length} rules`, by);
    this.#tell();
  }

  /** In force when it returns, and over after this time or a restart. Nobody else is told of it until it is confirmed. */
  editForNow(input_rules: readonly InputRule[], by: Technician, ms: number): void {
    const reverts = after(this.#parts.clock.now(), ms);
    this.#become(editedForNow(this.#rules, { made: this.#made(input_rules, by), by, reverts }));
    this.#record('rules_edited', `${input_rules.length} rules, for ${Math.round(ms / 1_000)} s unless confirmed`, by);
  }

  /** False when there is nothing to confirm. */
  confirm(by: Technician): boolean {
    const { provisional } = this.#rules;
    if (provisional === null) return false;
    this.#become(confirmed(this.#rules));
    this.#record('rules_confirmed', `${provisional.made.input_rules.length} rules`, by);
    this.#tell();
    return true;
  }

  /** False when there is nothing to go back from. */
  revert(by: Technician): boolean {
    if (this.#rules.provisional === null) return false;
    this.#become(reverted(this.#rules));
    this.#recordReverted('asked for', by);
    return true;
  }

  deadline(): Monotonic | null {
    return this.#rules.provisional?.reverts ?? null;
  }

  timer(): void {
    const { provisional } = this.#rules;
    if (provisional === null || !isOver(this.#rules, this.#parts.clock.now())) return;
    this.#become(reverted(this.#rules));
    this.#recordReverted('timeout', provisional.by);
  }

  #record(kind: string, what: string, by: Technician): void {
    this.#parts.log.record({ kind, subject: subjectOf(by), detail: inDetail(what, by) });
  }

  #recordReverted(why: string, by: Technician): void {
    this.#record('rules_reverted', why, by);
  }

  /** The desk's rules it is; below anything provisional they are in force already. */
  keepTheirs(by: Technician): void {
    const { lasting } = this.#rules;
    if (this.#rules.provisional !== null) this.revert(by);
    this.#become({ lasting: keptTheirs(lasting), provisional: null });
    this.#record('rules_edited', "the desk's rules were kept", by);
  }

  /** What to tell the bridge, again after each reconnection until it has answered. */
  pending(): RulesChanged | null {
    const { lasting, provisional } = this.#rules;
    const handed = handedOver(lasting);
    if (handed !== lasting) this.#become({ lasting: handed, provisional });
    if (handed.asked === null) return null;
    const { device_id: _, ...change } = handed.asked;
    return change;
  }

  /** Told whenever there is something new to send. */
  onPending(listener: () => void): void {
    this.#tell = listener;
  }

  answered(answer: Rules): void {
    this.#become(answeredBelow(this.#rules, answer, this.#parts.wall.now()));
    // A snapshot that is newer than the answer may have overtaken it.
    this.snapshotChanged();
    if (this.isPending) this.#tell();
  }

  /** Made for another organization's gadgets. */
  forget(): void {
    this.#become({ lasting: noLocalRules, provisional: null });
  }

  /** The snapshot has changed. */
  snapshotChanged(): void {
    const held = this.#parts.held();
    const snapshot = this.#parts.snapshot();
    const { lasting, provisional } = this.#rules;
    if (held === null || (lasting === noLocalRules && provisional === null)) return;
    const served = { revision: held.revision, device_id: snapshot.deviceId, input_rules: snapshot.rules.rules };
    const rules = snapshotChangedBelow(this.#rules, served, this.#parts.wall.now());
    if (JSON.stringify(rules) !== JSON.stringify(this.#rules)) this.#become(rules);
    if (provisional !== null && rules.provisional === null) this.#recordReverted('another device', provisional.by);
  }
}

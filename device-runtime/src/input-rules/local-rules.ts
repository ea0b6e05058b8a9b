import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { parseInputRules } from '@lintel/access-core/input-rules';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Result } from '@lintel/access-core/result';
import type { InputRulesEditResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import type { InputRulesChangedMqttMessage } from '@lintel/wire-protocol/mqtt/messages/input-rules-changed';
import type { StoredSnapshot } from '../snapshot/snapshot-store-interface.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { EventLog } from '../events/event-log.ts';
import {
  markInputRulesEditSent,
  dismissInputRulesConflict,
  localInputRulesStateSchema,
  emptyLocalInputRulesState,
  type InputRulesConflict,
  type InputRulesEdit,
  selectEffectiveInputRules,
} from './local-rules-state.ts';
import {
  applyInputRulesEditResultWithProvisionalEdit,
  confirmProvisionalInputRulesEdit,
  type InputRulesWithProvisionalEdit,
  applyPermanentInputRulesEdit,
  applyProvisionalInputRulesEdit,
  selectEffectiveInputRulesWithProvisionalEdit,
  isProvisionalInputRulesEditExpired,
  revertProvisionalInputRulesEdit,
  applySnapshotInputRulesWithProvisionalEdit,
} from './provisional-rules.ts';
import type { InputRulesHistory, InputRulesVersion } from './rules-history.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';
import {
  describeTechnicianAction,
  parseActingTechnician,
  toTechnicianEventSubject,
  type ActingTechnician,
} from '../events/acting-technician.ts';

interface LocalRulesDependencies {
  readonly snapshot: () => ActiveSnapshot;
  readonly storedSnapshot: () => StoredSnapshot | null;
  /** The actions of a gadget; undefined for an unknown gadget. */
  readonly actionsOf: (gadgetId: string) => readonly string[] | undefined;
  readonly state: ControllerStateStore;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly wall: WallClock;
  readonly log: EventLog;
  readonly history: InputRulesHistory;
  /** Called when the rules or their upload state change. */
  readonly onChange: () => void;
}

/** An edit that reverts unless it is confirmed. */
export interface ProvisionalInputRulesStatus {
  readonly left_ms: number;
  readonly by: ActingTechnician;
  /** The rules after a revert. */
  readonly previous: readonly InputRule[];
}

const readState = (state: ControllerStateStore): InputRulesWithProvisionalEdit => {
  const saved = localInputRulesStateSchema.safeParse(state.read('local_rules'));
  return { lasting: saved.success ? saved.data : emptyLocalInputRulesState, provisional: null };
};

/**
 * The input rules of this controller, in layers: the snapshot, a local edit that waits for the bridge, and a provisional
 * edit. An edit that the bridge rejects is kept until a person resolves the conflict.
 */
export class LocalInputRules {
  readonly #parts: LocalRulesDependencies;
  #rules: InputRulesWithProvisionalEdit;
  #overlay: CompiledInputRules | null;
  #onPending: () => void = () => undefined;

  constructor(parts: LocalRulesDependencies) {
    this.#parts = parts;
    this.#rules = readState(parts.state);
    this.#overlay = this.#compiledOverlay();
  }

  /** Records the end of a provisional edit that a restart ended. */
  reportRevertByRestart(): void {
    const left = parseActingTechnician(this.#parts.state.read('provisional_rules'));
    if (left === null) return;
    this.#parts.state.write('provisional_rules', null);
    this.#recordReverted('restart', left);
  }

  #compiledOverlay(): CompiledInputRules | null {
    const rules = selectEffectiveInputRulesWithProvisionalEdit(this.#rules);
    return rules === null ? null : compileInputRules(rules);
  }

  #update(rules: InputRulesWithProvisionalEdit): void {
    const before = this.#rules;
    if (rules === before) return;
    const { state, onChange } = this.#parts;
    this.#rules = rules;
    this.#overlay = this.#compiledOverlay();
    if (rules.lasting !== before.lasting) state.write('local_rules', rules.lasting);
    const { provisional } = rules;
    if (provisional?.by !== before.provisional?.by) state.write('provisional_rules', provisional?.by ?? null);
    onChange();
  }

  /** The rules that apply at the keypads. */
  get compiled(): CompiledInputRules {
    return this.#overlay ?? this.#parts.snapshot().rules;
  }

  get current(): readonly InputRule[] {
    return this.compiled.rules;
  }

  /** Identifies the current rules, to detect concurrent edits. */
  get base(): string {
    return createHash('sha256').update(JSON.stringify(this.current)).digest('base64url').slice(0, 22);
  }

  get isPending(): boolean {
    return this.#rules.lasting.asked !== null;
  }

  get conflict(): InputRulesConflict | null {
    return this.#rules.lasting.conflict;
  }

  get provisional(): ProvisionalInputRulesStatus | null {
    const { provisional, lasting } = this.#rules;
    if (provisional === null) return null;
    return {
      left_ms: Math.max(0, provisional.revertsAt - this.#parts.clock.now()),
      by: provisional.by,
      previous: this.#lastingRules(lasting),
    };
  }

  /** The rules without a provisional edit. */
  #lastingRules(lasting = this.#rules.lasting): readonly InputRule[] {
    return selectEffectiveInputRules(lasting) ?? this.#parts.snapshot().rules.rules;
  }

  #addVersion(by: ActingTechnician | null): void {
    this.#parts.history.add(this.#lastingRules(), by);
  }

  /** The newest first. */
  get versions(): readonly InputRulesVersion[] {
    return this.#parts.history.versions;
  }

  /** The newest known revision of the organization. */
  get knownRevision(): number | null {
    const revisions = [this.#parts.storedSnapshot()?.revision, this.#rules.lasting.settled?.revision];
    const known = revisions.filter(revision => revision !== undefined);
    return known.length === 0 ? null : Math.max(...known);
  }

  /** Checks as strictly as the bridge, against the known gadgets. */
  check(input: unknown): Result<readonly InputRule[]> {
    return parseInputRules(input, id => this.#parts.actionsOf(id));
  }

  #newEdit(input_rules: readonly InputRule[], by: ActingTechnician): InputRulesEdit {
    const { snapshot, wall } = this.#parts;
    return {
      v: 1,
      base_revision: this.knownRevision,
      edited_at: wall.now(),
      pass_id: by.pass_id,
      user_id: by.user_id,
      oauth_application_id: by.oauth_application_id ?? null,
      ...by.proof,
      input_rules,
      device_id: snapshot().deviceId,
    };
  }

  /** Applies at once and survives a restart; uploaded when online. Also resolves a conflict. */
  edit(input_rules: readonly InputRule[], by: ActingTechnician): void {
    this.#update(applyPermanentInputRulesEdit(this.#rules, this.#newEdit(input_rules, by)));
    this.#addVersion(by);
    this.#record('rules_edited', `${input_rules.length} rules`, by);
    this.#onPending();
  }

  /** Applies at once, until this time or a restart. Uploaded only after it is confirmed. */
  editProvisionally(input_rules: readonly InputRule[], by: ActingTechnician, ms: number): void {
    const revertsAt = addMilliseconds(this.#parts.clock.now(), ms);
    this.#update(applyProvisionalInputRulesEdit(this.#rules, { edit: this.#newEdit(input_rules, by), by, revertsAt }));
    this.#record('rules_edited', `${input_rules.length} rules, for ${Math.round(ms / 1_000)} s unless confirmed`, by);
  }

  /** False when there is no provisional edit. */
  confirm(by: ActingTechnician): boolean {
    const { provisional } = this.#rules;
    if (provisional === null) return false;
    this.#update(confirmProvisionalInputRulesEdit(this.#rules));
    this.#addVersion(by);
    this.#record('rules_confirmed', `${provisional.edit.input_rules.length} rules`, by);
    this.#onPending();
    return true;
  }

  /** False when there is no provisional edit. */
  revert(by: ActingTechnician): boolean {
    if (this.#rules.provisional === null) return false;
    this.#update(revertProvisionalInputRulesEdit(this.#rules));
    this.#recordReverted('asked for', by);
    return true;
  }

  deadline(): MonotonicTime | null {
    return this.#rules.provisional?.revertsAt ?? null;
  }

  timer(): void {
    const { provisional } = this.#rules;
    if (provisional === null || !isProvisionalInputRulesEditExpired(this.#rules, this.#parts.clock.now())) return;
    this.#update(revertProvisionalInputRulesEdit(this.#rules));
    this.#recordReverted('timeout', provisional.by);
  }

  #record(kind: string, what: string, by: ActingTechnician): void {
    this.#parts.log.record({ kind, subject: toTechnicianEventSubject(by), detail: describeTechnicianAction(what, by) });
  }

  #recordReverted(why: string, by: ActingTechnician): void {
    this.#record('rules_reverted', why, by);
  }

  /** Resolves a conflict in favor of the bridge, whose rules already apply. */
  acceptBridgeRules(by: ActingTechnician): void {
    const { lasting } = this.#rules;
    if (this.#rules.provisional !== null) this.revert(by);
    this.#update({ lasting: dismissInputRulesConflict(lasting), provisional: null });
    this.#record('rules_edited', 'rules of the bridge accepted', by);
  }

  /** The edit to upload, again after each reconnection until the response. */
  pending(): InputRulesChangedMqttMessage | null {
    const { lasting, provisional } = this.#rules;
    const handed = markInputRulesEditSent(lasting);
    if (handed !== lasting) this.#update({ lasting: handed, provisional });
    if (handed.asked === null) return null;
    const { device_id: _, ...change } = handed.asked;
    return change;
  }

  /** Called when there is something new to upload. */
  onPending(listener: () => void): void {
    this.#onPending = listener;
  }

  acknowledged(response: InputRulesEditResultMqttMessage): void {
    this.#update(applyInputRulesEditResultWithProvisionalEdit(this.#rules, response, this.#parts.wall.now()));
    // A newer snapshot may have arrived before the response.
    this.#applySnapshot();
    this.#addVersion(null);
    if (this.isPending) this.#onPending();
  }

  /** For a new owner. */
  discard(): void {
    this.#update({ lasting: emptyLocalInputRulesState, provisional: null });
  }

  onSnapshotChanged(): void {
    this.#applySnapshot();
    this.#addVersion(null);
  }

  #applySnapshot(): void {
    const held = this.#parts.storedSnapshot();
    const snapshot = this.#parts.snapshot();
    const { lasting, provisional } = this.#rules;
    if (held === null || (lasting === emptyLocalInputRulesState && provisional === null)) return;
    const served = { revision: held.revision, device_id: snapshot.deviceId, input_rules: snapshot.rules.rules };
    const rules = applySnapshotInputRulesWithProvisionalEdit(this.#rules, served, this.#parts.wall.now());
    if (JSON.stringify(rules) !== JSON.stringify(this.#rules)) this.#update(rules);
    if (provisional !== null && rules.provisional === null) this.#recordReverted('another device', provisional.by);
  }
}

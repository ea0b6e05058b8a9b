import { createHash } from 'node:crypto';
import type { InputRule } from '@lintel/access-core/input-rules';
import { parseInputRules } from '@lintel/access-core/input-rules';
import { type CompiledInputRules, compileInputRules } from '@lintel/access-core/input-rules-compiled';
import type { Result } from '@lintel/access-core/result';
import type { Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import type { RulesChanged } from '@lintel/wire-protocol/mqtt/messages/rules-changed';
import type { HeldSlice } from '../ports/slice-store.ts';
import type { StateStore } from '../ports/state-store.ts';
import type { WallClock } from '../ports/wall-clock.ts';
import type { EventLog } from './event-log.ts';
import {
  answered,
  edited,
  handedOver,
  keptTheirs,
  type LocalRulesState,
  localRulesState,
  noLocalRules,
  type RulesConflict,
  rulesInForce,
  sliced,
} from './local-rules-state.ts';
import type { ServedSlice } from './served-slice.ts';
import { inDetail, subjectOf, type Technician } from './technician-record.ts';

interface LocalRulesParts {
  readonly slice: () => ServedSlice;
  readonly held: () => HeldSlice | null;
  readonly state: StateStore;
  readonly wall: WallClock;
  readonly log: EventLog;
}

const readState = (state: StateStore): LocalRulesState => {
  const saved = localRulesState.safeParse(state.read('local_rules'));
  return saved.success ? saved.data : noLocalRules;
};

/**
 * Input rules as they hold at this door: those of the slice, under an edit made here that the bridge has not answered
 * yet. What the bridge refuses is kept until a person has settled it.
 */
export class LocalRules {
  readonly #parts: LocalRulesParts;
  #state: LocalRulesState;
  #overlay: CompiledInputRules | null;
  #tell: () => void = () => undefined;

  constructor(parts: LocalRulesParts) {
    this.#parts = parts;
    this.#state = readState(parts.state);
    this.#overlay = this.#compiledOverlay();
  }

  #compiledOverlay(): CompiledInputRules | null {
    const rules = rulesInForce(this.#state);
    return rules === null ? null : compileInputRules(rules);
  }

  #become(state: LocalRulesState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#overlay = this.#compiledOverlay();
    this.#parts.state.write('local_rules', state);
  }

  /** What the keypads go by. */
  get compiled(): CompiledInputRules {
    return this.#overlay ?? this.#parts.slice().rules;
  }

  get inForce(): readonly InputRule[] {
    return this.compiled.rules;
  }

  /** Stands for these very rules, so that an edit of others is noticed. */
  get base(): string {
    return createHash('sha256').update(JSON.stringify(this.inForce)).digest('base64url').slice(0, 22);
  }

  get isPending(): boolean {
    return this.#state.asked !== null;
  }

  get conflict(): RulesConflict | null {
    return this.#state.conflict;
  }

  /** As strictly as the bridge, by the gadgets that the controller knows of. */
  check(input: unknown): Result<readonly InputRule[]> {
    return parseInputRules(input, id =>
      this.#parts
        .slice()
        .gadget(id)
        ?.actions.map(action => action.id),
    );
  }

  /** In force when it returns, and after a restart; the bridge is told when there is a line. Settles a conflict, too. */
  edit(input_rules: readonly InputRule[], by: Technician): void {
    const { slice, held, wall, log } = this.#parts;
    const revisions = [held()?.revision, this.#state.settled?.revision].filter(one => one !== undefined);
    const made = {
      v: 1,
      base_revision: revisions.length === 0 ? null : Math.max(...revisions),
      edited_at: wall.now(),
      pass_id: by.pass_id,
      user_id: by.user_id,
      input_rules,
      device_id: slice().deviceId,
    } as const;
    this.#become(edited(this.#state, made));
    log.record({ kind: 'rules_edited', subject: subjectOf(by), detail: inDetail(`${input_rules.length} rules`, by) });
    this.#tell();
  }

  /** The desk's rules it is; they are in force already. */
  keepTheirs(by: Technician): void {
    this.#become(keptTheirs(this.#state));
    this.#parts.log.record({
      kind: 'rules_edited',
      subject: subjectOf(by),
      detail: inDetail("the desk's rules were kept", by),
    });
  }

  /** What to tell the bridge, again after each reconnection until it has answered. */
  pending(): RulesChanged | null {
    this.#become(handedOver(this.#state));
    if (this.#state.asked === null) return null;
    const { device_id: _, ...change } = this.#state.asked;
    return change;
  }

  /** Told whenever there is something new to send. */
  onPending(listener: () => void): void {
    this.#tell = listener;
  }

  answered(answer: Rules): void {
    this.#become(answered(this.#state, answer, this.#parts.wall.now()));
    if (this.#state.asked !== null) this.#tell();
  }

  /** Made for another organization's gadgets. */
  forget(): void {
    this.#become(noLocalRules);
  }

  /** The slice has changed. */
  sliced(): void {
    const held = this.#parts.held();
    const slice = this.#parts.slice();
    if (held === null || this.#state === noLocalRules) return;
    const served = { revision: held.revision, device_id: slice.deviceId, input_rules: slice.rules.rules };
    const state = sliced(this.#state, served, this.#parts.wall.now());
    if (JSON.stringify(state) !== JSON.stringify(this.#state)) this.#become(state);
  }
}

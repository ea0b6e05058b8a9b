import type { InputRule } from '@lintel/access-core/input-rules';
import { rules as rulesAnswer, type Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import { rulesChanged } from '@lintel/wire-protocol/mqtt/messages/rules-changed';
import { milliseconds, revision } from '@lintel/wire-protocol/mqtt/message-fields';
import * as z from 'zod';

/** An edit at the door, and the device that the controller was then. */
const edit = rulesChanged.extend({ device_id: z.string().nullable() });
export type RulesEdit = z.infer<typeof edit>;

const conflict = z.object({
  yours: edit,
  theirs: rulesAnswer.shape.input_rules,
  revision: revision.nullable(),
  outcome: z.enum(['superseded', 'refused']),
  message: z.string().nullable(),
  at: milliseconds,
});
export type RulesConflict = z.infer<typeof conflict>;

export const localRulesState = z.object({
  /** Waits for the bridge's word. Once it was handed over it is asked until it is answered, whatever is edited meanwhile. */
  asked: edit.nullable(),
  handed: z.boolean(),
  /** The newest edit, made while the one before it was being asked. */
  next: edit.nullable(),
  /** What the bridge said last, until a snapshot as new as that is here. */
  settled: z.object({ revision, input_rules: rulesAnswer.shape.input_rules }).nullable(),
  conflict: conflict.nullable(),
});
export type LocalRulesState = z.infer<typeof localRulesState>;

export const noLocalRules: LocalRulesState = { asked: null, handed: false, next: null, settled: null, conflict: null };

/** Null when the slice's rules hold. */
export const rulesInForce = ({ next, asked, settled }: LocalRulesState): readonly InputRule[] | null =>
  (next ?? asked ?? settled)?.input_rules ?? null;

const inOneForm = (rules: readonly InputRule[]): string =>
  JSON.stringify(rules.map(({ code, gadget_id, action_id }) => [code, gadget_id, action_id]));

const areSame = (a: readonly InputRule[], b: readonly InputRule[]): boolean => inOneForm(a) === inOneForm(b);

export const newestEdit = ({ next, asked }: LocalRulesState): RulesEdit | null => next ?? asked;

/** An edit that the bridge cannot have seen is replaced; behind one that it may have seen the next one waits. */
export const edited = (state: LocalRulesState, made: RulesEdit): LocalRulesState =>
  state.asked !== null && state.handed
    ? { ...state, next: made, conflict: null }
    : { ...state, asked: made, handed: false, next: null, conflict: null };

export const handedOver = (state: LocalRulesState): LocalRulesState =>
  state.asked === null || state.handed ? state : { ...state, handed: true };

const promoted = (state: LocalRulesState, base_revision: number): LocalRulesState => ({
  ...state,
  asked: state.next === null ? null : { ...state.next, base_revision },
  handed: false,
  next: null,
});

const refused = (
  state: LocalRulesState,
  yours: RulesEdit,
  { outcome, message, revision: at_revision, input_rules }: Rules,
  at: RulesConflict['at'],
): LocalRulesState => ({
  asked: null,
  handed: false,
  next: null,
  settled: { revision: at_revision, input_rules },
  conflict: {
    yours,
    theirs: input_rules,
    revision: at_revision,
    outcome: outcome === 'superseded' ? 'superseded' : 'refused',
    message,
    at,
  },
});

/** The bridge's word on the edit that was asked. An answer that cannot be to it (it came twice) changes nothing. */
export const answered = (state: LocalRulesState, answer: Rules, at: RulesConflict['at']): LocalRulesState => {
  const { asked, next } = state;
  if (asked === null || !state.handed) return state;
  const settled = { revision: answer.revision, input_rules: answer.input_rules };
  if (answer.outcome === 'accepted') {
    return areSame(answer.input_rules, asked.input_rules)
      ? { ...promoted(state, answer.revision), settled, conflict: null }
      : state;
  }
  // Somebody mended at the door what the bridge would not have: that is asked now.
  if (answer.outcome !== 'superseded' && next !== null) return { ...promoted(state, answer.revision), settled };
  return refused(state, next ?? asked, answer, at);
};

/** What the controller serves now. */
export interface ServedRules {
  readonly revision: number;
  readonly device_id: string | null;
  readonly input_rules: readonly InputRule[];
}

/** A new snapshot ends what it has caught up with. An edit that nobody has answered stays in force over it. */
export const snapshotChanged = (
  state: LocalRulesState,
  served: ServedRules,
  at: RulesConflict['at'],
): LocalRulesState => {
  const settled = state.settled !== null && state.settled.revision <= served.revision ? null : state.settled;
  const yours = newestEdit(state);
  if (yours !== null && yours.device_id !== null && yours.device_id !== served.device_id) {
    const message = 'The controller has become another device since the edit';
    const answer = { v: 1, outcome: 'refused', message, ...served } as const;
    return { ...refused(state, yours, answer, at), settled: null };
  }
  const isAgreed = state.conflict !== null && areSame(state.conflict.yours.input_rules, served.input_rules);
  const theirs = served.input_rules;
  const shown = state.conflict === null || isAgreed ? null : { ...state.conflict, theirs };
  return { ...state, settled, conflict: settled === null ? shown : state.conflict };
};

export const keptTheirs = (state: LocalRulesState): LocalRulesState => ({ ...state, conflict: null });

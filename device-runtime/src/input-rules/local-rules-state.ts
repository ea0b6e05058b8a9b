import type { InputRule } from '@lintel/access-core/input-rules';
import {
  inputRulesEditResultMqttMessageSchema as rulesAnswer,
  type InputRulesEditResultMqttMessage,
} from '@lintel/wire-protocol/mqtt/messages/input-rules-edit-result';
import { inputRulesChangedMqttMessageSchema } from '@lintel/wire-protocol/mqtt/messages/input-rules-changed';
import { epochMillisecondsSchema, revisionSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import * as z from 'zod';

/** A local edit, with the id of the device at that time. */
const edit = inputRulesChangedMqttMessageSchema.extend({ device_id: z.string().nullable() });
export type InputRulesEdit = z.infer<typeof edit>;

const conflict = z.object({
  yours: edit,
  theirs: rulesAnswer.shape.input_rules,
  revision: revisionSchema.nullable(),
  outcome: z.enum(['superseded', 'refused']),
  message: z.string().nullable(),
  at: epochMillisecondsSchema,
});
export type InputRulesConflict = z.infer<typeof conflict>;

export const localInputRulesStateSchema = z.object({
  /** Waits for the response of the bridge. Once sent, it is repeated until the response, regardless of later edits. */
  asked: edit.nullable(),
  handed: z.boolean(),
  /** The newest edit, made while the previous one waits for its response. */
  next: edit.nullable(),
  /** The last response of the bridge, until a snapshot of that revision arrives. */
  settled: z.object({ revision: revisionSchema, input_rules: rulesAnswer.shape.input_rules }).nullable(),
  conflict: conflict.nullable(),
});
export type LocalInputRulesState = z.infer<typeof localInputRulesStateSchema>;

export const emptyLocalInputRulesState: LocalInputRulesState = {
  asked: null,
  handed: false,
  next: null,
  settled: null,
  conflict: null,
};

/** Null when the rules of the snapshot apply. */
export const selectEffectiveInputRules = ({
  next,
  asked,
  settled,
}: LocalInputRulesState): readonly InputRule[] | null => (next ?? asked ?? settled)?.input_rules ?? null;

const canonicalRules = (rules: readonly InputRule[]): string =>
  JSON.stringify(
    rules.map(({ code, gadget_id, action_id }) => JSON.stringify([code, gadget_id, action_id])).toSorted(),
  );

/** Ignores the order, which has no meaning at the keypad. */
export const haveSameInputRules = (a: readonly InputRule[], b: readonly InputRule[]): boolean =>
  canonicalRules(a) === canonicalRules(b);

export const findNewestInputRulesEdit = ({ next, asked }: LocalInputRulesState): InputRulesEdit | null => next ?? asked;

/** Replaces an edit that was not sent. Waits behind one that was sent. */
export const applyInputRulesEdit = (state: LocalInputRulesState, made: InputRulesEdit): LocalInputRulesState =>
  state.asked !== null && state.handed
    ? { ...state, next: made, conflict: null }
    : { ...state, asked: made, handed: false, next: null, conflict: null };

export const markInputRulesEditSent = (state: LocalInputRulesState): LocalInputRulesState =>
  state.asked === null || state.handed ? state : { ...state, handed: true };

const sendNext = (state: LocalInputRulesState, base_revision: number): LocalInputRulesState => ({
  ...state,
  asked: state.next === null ? null : { ...state.next, base_revision },
  handed: false,
  next: null,
});

const recordConflict = (
  state: LocalInputRulesState,
  yours: InputRulesEdit,
  { outcome, message, revision: at_revision, input_rules }: InputRulesEditResultMqttMessage,
  at: InputRulesConflict['at'],
): LocalInputRulesState => ({
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

/** Applies the response to the sent edit. Ignores duplicate responses. */
export const applyInputRulesResponse = (
  state: LocalInputRulesState,
  answer: InputRulesEditResultMqttMessage,
  at: InputRulesConflict['at'],
): LocalInputRulesState => {
  const { asked, next } = state;
  if (asked === null || !state.handed) return state;
  const settled = { revision: answer.revision, input_rules: answer.input_rules };
  if (answer.outcome === 'accepted') {
    return haveSameInputRules(answer.input_rules, asked.input_rules)
      ? { ...sendNext(state, answer.revision), settled, conflict: null }
      : state;
  }
  // The next edit replaces the rejected one.
  if (answer.outcome !== 'superseded' && next !== null) return { ...sendNext(state, answer.revision), settled };
  return recordConflict(state, next ?? asked, answer, at);
};

/** The rules of the active snapshot. */
export interface SnapshotInputRules {
  readonly revision: number;
  readonly device_id: string | null;
  readonly input_rules: readonly InputRule[];
}

/** A new snapshot replaces older responses. An edit without a response still overrides it. */
export const applySnapshotInputRules = (
  state: LocalInputRulesState,
  served: SnapshotInputRules,
  at: InputRulesConflict['at'],
): LocalInputRulesState => {
  const settled = state.settled !== null && state.settled.revision <= served.revision ? null : state.settled;
  const yours = findNewestInputRulesEdit(state);
  if (yours !== null && yours.device_id !== null && yours.device_id !== served.device_id) {
    const message = 'The controller was enrolled as another device after the edit';
    const answer = { v: 1, outcome: 'refused', message, ...served } as const;
    return { ...recordConflict(state, yours, answer, at), settled: null };
  }
  const isAgreed = state.conflict !== null && haveSameInputRules(state.conflict.yours.input_rules, served.input_rules);
  const theirs = served.input_rules;
  const shown = state.conflict === null || isAgreed ? null : { ...state.conflict, theirs };
  return { ...state, settled, conflict: settled === null ? shown : state.conflict };
};

export const dismissInputRulesConflict = (state: LocalInputRulesState): LocalInputRulesState => ({
  ...state,
  conflict: null,
});

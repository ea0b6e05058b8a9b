import type { DeviceId } from '@lintel/access-core/ids';
import type { RulesCopiedMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import { rulesCopyMessage, type RulesCopyMessage } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import { epochMillisecondsSchema, revisionSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import * as z from 'zod';

const MOST_REMEMBERED = 100;

const settledCopy = z.object({
  device_id: z.string() as unknown as z.ZodType<DeviceId, string>,
  state: z.enum(['copied', 'refused']),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  asked_at: epochMillisecondsSchema,
});
type SettledCopy = z.infer<typeof settledCopy>;

export const ruleCopyStateSchema = z.object({
  /** Without a response, the oldest first. Only the oldest is sent. */
  asks: z.array(rulesCopyMessage),
  handed: z.boolean(),
  done: z.array(settledCopy),
  /** Of the last response. */
  revision: revisionSchema.nullable(),
});
export type RuleCopyState = z.infer<typeof ruleCopyStateSchema>;

export const emptyRuleCopyState: RuleCopyState = { asks: [], handed: false, done: [], revision: null };

export interface RuleCopyReport extends Omit<SettledCopy, 'state'> {
  readonly state: SettledCopy['state'] | 'waiting';
}

const without = (ask: RulesCopyMessage, targets: readonly DeviceId[]): RulesCopyMessage => ({
  ...ask,
  to: ask.to.filter(id => !targets.includes(id)),
});

/** Replaces older copies for the same devices that were not sent. Waits behind one that was sent. */
export const addRuleCopy = (state: RuleCopyState, ask: RulesCopyMessage): RuleCopyState => {
  const sent = state.handed ? state.asks.slice(0, 1) : [];
  const unsent = state.asks.slice(sent.length).map(copy => without(copy, ask.to));
  return { ...state, asks: [...sent, ...unsent.filter(({ to }) => to.length > 0), ask] };
};

export const markRuleCopySent = (state: RuleCopyState): RuleCopyState =>
  state.asks.length === 0 || state.handed ? state : { ...state, handed: true };

/** Changes by the previous copy are known to the author of the next one; changes by others are not. */
const withBaseOfPrevious = (
  results: RulesCopiedMessage['results'],
  at: number,
  ask: RulesCopyMessage,
): RulesCopyMessage => {
  const isKnown = results.every(({ device_id, outcome }) => outcome === 'copied' || !ask.to.includes(device_id));
  return isKnown ? { ...ask, base_revision: Math.max(at, ask.base_revision ?? 0) } : ask;
};

/** Applies a response. Ignores duplicates. */
export const applyRuleCopyResponse = (state: RuleCopyState, answer: RulesCopiedMessage): RuleCopyState => {
  const [first, ...rest] = state.asks;
  if (first === undefined || first.copy_id !== answer.copy_id || !state.handed) return state;
  const settled = first.to.map((device_id): SettledCopy => {
    const result = answer.results.find(entry => entry.device_id === device_id);
    const isCopied = result?.outcome === 'copied';
    return {
      device_id,
      state: isCopied ? 'copied' : 'refused',
      reason: isCopied ? null : (result?.reason ?? 'unanswered'),
      message: isCopied ? null : (result?.message ?? null),
      asked_at: first.asked_at,
    };
  });
  const older = state.done.filter(({ device_id }) => !first.to.includes(device_id));
  return {
    asks: rest.map(ask => withBaseOfPrevious(answer.results, answer.revision, ask)),
    handed: false,
    done: [...settled, ...older].slice(0, MOST_REMEMBERED),
    revision: Math.max(answer.revision, state.revision ?? 0),
  };
};

/** The newest state for each device, waiting copies first. */
export const listRuleCopyReports = ({ asks, done }: RuleCopyState): readonly RuleCopyReport[] => {
  const reports = new Map<DeviceId, RuleCopyReport>();
  for (const { to, asked_at } of asks)
    for (const device_id of to)
      reports.set(device_id, { device_id, state: 'waiting', reason: null, message: null, asked_at });
  for (const copy of done) if (!reports.has(copy.device_id)) reports.set(copy.device_id, copy);
  return [...reports.values()];
};

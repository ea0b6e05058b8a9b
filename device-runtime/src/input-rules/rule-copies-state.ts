import type { DeviceId } from '@lintel/access-core/ids';
import type { RulesCopied } from '@lintel/wire-protocol/mqtt/messages/rules-copied';
import { rulesCopy, type RulesCopy } from '@lintel/wire-protocol/mqtt/messages/rules-copy';
import { milliseconds, revision } from '@lintel/wire-protocol/mqtt/message-fields';
import * as z from 'zod';

const MOST_REMEMBERED = 100;

const settledCopy = z.object({
  device_id: z.string() as unknown as z.ZodType<DeviceId, string>,
  state: z.enum(['copied', 'refused']),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  asked_at: milliseconds,
});
type SettledCopy = z.infer<typeof settledCopy>;

export const ruleCopiesState = z.object({
  /** Not answered yet, the oldest first. That one may be with the bridge, once it was handed over. */
  asks: z.array(rulesCopy),
  handed: z.boolean(),
  done: z.array(settledCopy),
  /** At the bridge's last answer. */
  revision: revision.nullable(),
});
export type RuleCopiesState = z.infer<typeof ruleCopiesState>;

export const noCopies: RuleCopiesState = { asks: [], handed: false, done: [], revision: null };

export interface CopyReport extends Omit<SettledCopy, 'state'> {
  readonly state: SettledCopy['state'] | 'waiting';
}

const without = (ask: RulesCopy, targets: readonly DeviceId[]): RulesCopy => ({
  ...ask,
  to: ask.to.filter(id => !targets.includes(id)),
});

/** A newer copy for a device takes the place of one that the bridge cannot have seen; behind another it waits. */
export const copyAsked = (state: RuleCopiesState, ask: RulesCopy): RuleCopiesState => {
  const told = state.handed ? state.asks.slice(0, 1) : [];
  const untold = state.asks.slice(told.length).map(one => without(one, ask.to));
  return { ...state, asks: [...told, ...untold.filter(({ to }) => to.length > 0), ask] };
};

export const copyHanded = (state: RuleCopiesState): RuleCopiesState =>
  state.asks.length === 0 || state.handed ? state : { ...state, handed: true };

/** What the copy before it has changed is no surprise to the next one; what somebody else has changed is. */
const onTopOf = (results: RulesCopied['results'], at: number, ask: RulesCopy): RulesCopy => {
  const isKnown = results.every(({ device_id, outcome }) => outcome === 'copied' || !ask.to.includes(device_id));
  return isKnown ? { ...ask, base_revision: Math.max(at, ask.base_revision ?? 0) } : ask;
};

/** The bridge's word. One that is to no copy under way (it came twice) changes nothing. */
export const copyAnswered = (state: RuleCopiesState, answer: RulesCopied): RuleCopiesState => {
  const [first, ...rest] = state.asks;
  if (first === undefined || first.copy_id !== answer.copy_id || !state.handed) return state;
  const settled = first.to.map((device_id): SettledCopy => {
    const result = answer.results.find(one => one.device_id === device_id);
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
    asks: rest.map(ask => onTopOf(answer.results, answer.revision, ask)),
    handed: false,
    done: [...settled, ...older].slice(0, MOST_REMEMBERED),
    revision: Math.max(answer.revision, state.revision ?? 0),
  };
};

/** The newest word on each device, what still waits first. */
export const copyReports = ({ asks, done }: RuleCopiesState): readonly CopyReport[] => {
  const reports = new Map<DeviceId, CopyReport>();
  for (const { to, asked_at } of asks)
    for (const device_id of to)
      reports.set(device_id, { device_id, state: 'waiting', reason: null, message: null, asked_at });
  for (const one of done) if (!reports.has(one.device_id)) reports.set(one.device_id, one);
  return [...reports.values()];
};

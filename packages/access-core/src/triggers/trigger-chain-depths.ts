import { MAX_ACTION_STEPS_MS } from '../gadgets/action-steps.ts';
import { MAX_BLIND_ACTION_MS } from '../gadgets/blind.ts';
import { MAX_DOOR_ACTION_MS } from '../door/door-config.ts';
import type { GadgetId } from '../ids.ts';
import { addMilliseconds, type MonotonicTime } from '../monotonic-time.ts';

/**
 * The gadgets that triggers moved, with the depth in their chain; the latest comes last. Later reports of such a
 * gadget, such as a relock or an arrived blind, still belong to the chain: otherwise two gadgets that trigger each
 * other through their timers would never stop.
 */
export type TriggerChainDepths = ReadonlyMap<GadgetId, { readonly depth: number; readonly until: MonotonicTime }>;

/**
 * Longer than any gadget acts by itself. Limited, so that a gadget that is later moved by people only is not blocked.
 */
const MEMORY_MS = Math.max(MAX_DOOR_ACTION_MS, MAX_BLIND_ACTION_MS, MAX_ACTION_STEPS_MS) + 1;

const MOST_GADGETS = 10_000;

/** Called for every action of a gadget; an action by a person has depth 0 and ends the chain. */
export const setTriggerChainDepth = (
  depths: TriggerChainDepths,
  gadget: GadgetId,
  depth: number,
  now: MonotonicTime,
): TriggerChainDepths => {
  if (depth === 0 && depths.size === 0) return depths;
  const remembered = new Map([...depths].filter(([id, { until }]) => id !== gadget && now < until));
  if (depth > 0) remembered.set(gadget, { depth, until: addMilliseconds(now, MEMORY_MS) });
  for (const earliest of remembered.keys()) {
    if (remembered.size <= MOST_GADGETS) break;
    remembered.delete(earliest);
  }
  return remembered;
};

export const getTriggerChainDepth = (depths: TriggerChainDepths, gadget: GadgetId, now: MonotonicTime): number => {
  const chain = depths.get(gadget);
  return chain !== undefined && now < chain.until ? chain.depth : 0;
};

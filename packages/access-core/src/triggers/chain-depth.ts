import { LONGEST_STEPS_MS } from '../door/action-steps.ts';
import { LONGEST_BLIND_MS } from '../door/blind.ts';
import { LONGEST_DOOR_MS } from '../door/door-config.ts';
import type { GadgetId } from '../ids.ts';
import { after, type Monotonic } from '../monotonic.ts';

/**
 * Which gadgets were moved by a trigger, and how deep in its chain; the one that was moved last comes last. What such a
 * gadget reports later, a door that relocks or a blind that arrives, still belongs to the chain: two gadgets that set one
 * another off through their timers would otherwise begin anew each time and never stop.
 */
export type ChainDepths = ReadonlyMap<GadgetId, { readonly depth: number; readonly until: Monotonic }>;

/** Longer than any gadget goes on by itself. Not for ever: who is moved by hand alone must not stay stopped. */
const MEMORY_MS = Math.max(LONGEST_DOOR_MS, LONGEST_BLIND_MS, LONGEST_STEPS_MS) + 1;

const MOST_GADGETS = 10_000;

/** To be told of every action of a gadget; one by a person has depth 0 and ends the chain there. */
export const rememberDepth = (depths: ChainDepths, gadget: GadgetId, depth: number, now: Monotonic): ChainDepths => {
  if (depth === 0 && depths.size === 0) return depths;
  const remembered = new Map([...depths].filter(([id, { until }]) => id !== gadget && now < until));
  if (depth > 0) remembered.set(gadget, { depth, until: after(now, MEMORY_MS) });
  for (const earliest of remembered.keys()) {
    if (remembered.size <= MOST_GADGETS) break;
    remembered.delete(earliest);
  }
  return remembered;
};

export const depthOf = (depths: ChainDepths, gadget: GadgetId, now: Monotonic): number => {
  const chain = depths.get(gadget);
  return chain !== undefined && now < chain.until ? chain.depth : 0;
};

import type { TapOrder } from './fleet-crew.ts';
import type { TallyCounts } from './fleet-tally.ts';

/** What a process of the fleet is told, one thing after another. */
export type FleetOrder =
  /** These controllers of those in the file of keys. */
  | { readonly type: 'assemble'; readonly keys: string; readonly ids: readonly string[]; readonly broker: string }
  | { readonly type: 'connect' }
  | { readonly type: 'tap'; readonly order: TapOrder }
  | { readonly type: 'rest' }
  | { readonly type: 'report' }
  | { readonly type: 'stop' };

/** `failed` is why an order could not be carried out. */
export type FleetAnswer = { readonly tally: TallyCounts | null } | { readonly failed: string };

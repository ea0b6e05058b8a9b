import type { FleetTapMode } from './fleet-worker.ts';
import type { FleetMetricsSnapshot } from './fleet-metrics.ts';

/** A request from the parent process. Each request has one response. */
export type FleetProcessRequest =
  /** Creates the controllers with these ids from the key file. */
  | { readonly type: 'assemble'; readonly keys: string; readonly ids: readonly string[]; readonly broker: string }
  | { readonly type: 'connect' }
  | { readonly type: 'disconnect' }
  | { readonly type: 'tap'; readonly mode: FleetTapMode }
  | { readonly type: 'rest' }
  | { readonly type: 'report' }
  | { readonly type: 'stop' };

/** `failed`: the reason why the request failed. */
export type FleetProcessResponse = { readonly metrics: FleetMetricsSnapshot | null } | { readonly failed: string };

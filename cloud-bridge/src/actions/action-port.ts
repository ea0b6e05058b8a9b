import type { Actor } from '../transactions/actor.ts';

export interface ActionOrder {
  readonly organizationId: string;
  readonly deviceId: string;
  readonly gadgetId: string;
  readonly actionId: string;
  readonly actor: Actor;
}

/**
 * `offline`: the device is not reachable, cannot act now, or has not answered within the action's deadline. `loggedAs`: it
 * has acted, and the event of that id, which it tells itself, is the only one.
 */
export type ActionOutcome = 'done' | 'offline' | { readonly loggedAs: string };

/** Asks a controller to act and waits for its word. */
export interface ActionPort {
  perform(order: ActionOrder): Promise<ActionOutcome>;
}

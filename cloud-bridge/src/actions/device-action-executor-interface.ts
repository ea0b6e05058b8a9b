import type { AuthorizedAction } from '../authorization/authorize-strike.ts';
import type { Actor } from '../transactions/actor.ts';

export interface DeviceActionRequest {
  readonly organizationId: string;
  readonly action: AuthorizedAction;
  readonly actor: Actor;
}

/**
 * `offline`: the device is unreachable, cannot act, or has not responded within the deadline. `eventId`: the device has
 * acted and sends the event with this id itself.
 */
export type DeviceActionResult = 'done' | 'offline' | { readonly eventId: string };

/** Executes actions on controllers and waits for the results. */
export interface DeviceActionExecutor {
  execute(request: DeviceActionRequest): Promise<DeviceActionResult>;
}

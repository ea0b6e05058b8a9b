import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { denialReasons } from '../../rest/event-terms.ts';
import { actingSubject, counter, milliseconds, requestId, version } from '../message-fields.ts';

export const deviceEventKinds = [
  'use',
  'deny',
  'state',
  'signal',
  /** Events `lost.first` to `lost.last`, both included, could not be kept: told instead of hidden. */
  'gap',
  'fault',
  'trigger_chain_stopped',
  /** A technician at the controller: `detail` says what was done. */
  'rules_edited',
  'rules_confirmed',
  'rules_reverted',
  'rules_copied',
  'commissioning_made',
  'commissioning_ended',
  'output_tested',
  /** Another version of the program runs, or was tried and left again: `detail` names it. */
  'updated',
  'update_rolled_back',
] as const;

export const deviceEvent = z.object({
  id: idOf('event'),
  /** Grows by one with each event of the device and is never used twice. */
  sequence: counter,
  kind: openEnum(deviceEventKinds),
  occurred_at: milliseconds,
  time_trusted: z.boolean(),
  subject: actingSubject.nullish(),
  /** The controller that read the credential, when the gadget hangs on another one. */
  reader_device_id: idOf('device').nullish(),
  gadget_id: idOf('gadget').nullish(),
  gadget_action_id: z.string().nullish(),
  gadget_state_id: z.string().nullish(),
  gadget_signal_id: z.string().nullish(),
  gadget_trigger_id: idOf('gadget_trigger').nullish(),
  reason: openEnum(denialReasons).nullish(),
  /** `from` and `to` are when the first and the last of them happened, in milliseconds since 1970, where it is known. */
  lost: z.object({ first: counter, last: counter, from: z.int().nullable(), to: z.int().nullable() }).nullish(),
  /** The request of the bridge that this carried out, or refused. */
  request_id: requestId.nullish(),
  fault: z.string().max(200).nullish(),
  detail: z.string().max(200).nullish(),
});
export type DeviceEvent = z.infer<typeof deviceEvent>;

/** In the order of their sequence. They stay on the device until an `ack` names them. */
export const events = z.object({ v: version, events: z.array(deviceEvent).min(1).max(500) });
export type Events = z.infer<typeof events>;

import { denialReasons } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import {
  actingProofFields,
  actingSubjectSchema,
  nonNegativeIntegerSchema,
  epochMillisecondsSchema,
  eventEpochSchema,
  requestIdSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

export const deviceEventKinds = [
  'use',
  'deny',
  'state',
  'signal',
  /** Events `lost.first` to `lost.last`, inclusive, could not be stored. */
  'gap',
  'fault',
  'trigger_chain_stopped',
  /** Actions of a technician at the controller; see `detail`. */
  'rules_edited',
  'rules_confirmed',
  'rules_reverted',
  'rules_copied',
  'commissioning_made',
  'commissioning_ended',
  'output_tested',
  'profile_changed',
  /** Another version runs, or was tried and rolled back; `detail` names it. */
  'updated',
  'update_rolled_back',
] as const;

export const deviceEventSchema = z.object({
  id: idSchema('event'),
  /** Ascends with each event of the device. Numbers that were reserved before a crash are skipped. */
  sequence: nonNegativeIntegerSchema,
  epoch: eventEpochSchema.nullish(),
  kind: openEnumSchema(deviceEventKinds),
  occurred_at: epochMillisecondsSchema,
  /** The controller knew the time when it recorded the event. */
  time_trusted: z.boolean(),
  /** What its clock showed, if it did not know the time and `occurred_at` was corrected later. */
  device_time: epochMillisecondsSchema.nullish(),
  /** `user_id` and `oauth_application_id` count only with a proof: `pass`, `request_id`, or `request_id` of the event. */
  subject: actingSubjectSchema.extend(actingProofFields).nullish(),
  /** The controller that read the credential, if another one owns the gadget. */
  reader_device_id: idSchema('device').nullish(),
  /** The request of that controller as it arrived, with its signature, in base64url: the proof of the reader. */
  peer_request: z.string().max(8_000).nullish(),
  gadget_id: idSchema('gadget').nullish(),
  gadget_action_id: z.string().nullish(),
  gadget_state_id: z.string().nullish(),
  gadget_signal_id: z.string().nullish(),
  gadget_trigger_id: idSchema('gadget_trigger').nullish(),
  reason: openEnumSchema(denialReasons).nullish(),
  /**
   * Numbers of `epoch`, or of any epoch. `from` and `to` are the times of the first and last lost event, in
   * milliseconds since 1970, if known. `at_most`: some of the numbers may never have been used. The bridge reports the
   * numbers that have not arrived by another way.
   */
  lost: z
    .object({
      epoch: eventEpochSchema.nullish(),
      first: nonNegativeIntegerSchema,
      last: nonNegativeIntegerSchema,
      from: z.int().nullable(),
      to: z.int().nullable(),
      at_most: z.boolean().nullish(),
    })
    .nullish(),
  /** The bridge request that this event executed or denied. */
  request_id: requestIdSchema.nullish(),
  fault: z.string().max(200).nullish(),
  detail: z.string().max(200).nullish(),
});
export type DeviceEvent = z.infer<typeof deviceEventSchema>;

/** In order of sequence. The device keeps them until an `ack` names them. */
export const eventsMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  events: z.array(deviceEventSchema).min(1).max(500),
});
export type EventsMqttMessage = z.infer<typeof eventsMqttMessageSchema>;

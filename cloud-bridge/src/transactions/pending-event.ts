import type { EventReason } from '@lintel/wire-protocol/rest/event-reasons';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { RecordedChanges } from './recorded-changes.ts';
import { type Actor, type EventSubjectColumns, toEventSubjectColumns } from './actor.ts';

type ObjectReferences = Pick<
  OrganizationEventRow,
  Exclude<Extract<keyof OrganizationEventRow, `object_${string}`>, 'object_type'>
>;

/** The object of an event as in the API: `{type: 'member', member_id: …}`. */
export interface NewEventObject extends Partial<Record<ObjectField, string>> {
  readonly type: string;
}
type ObjectField = keyof ObjectReferences extends `object_${infer Field}` ? Field : never;

export interface NewEvent {
  readonly id?: string;
  readonly verb: 'create' | 'edit' | 'delete' | 'use' | 'reveal' | 'deny' | 'check';
  readonly object: NewEventObject;
  readonly reason?: EventReason;
  readonly changes?: RecordedChanges;
  /** Beside those of the actor. */
  readonly details?: Readonly<Record<string, string>>;
  /** Default: now. Earlier for events of a device that was offline. */
  readonly created_at?: number;
  readonly time_trusted?: boolean;
  /** The controller that reported the event. */
  readonly reported_by?: string;
}

const noReferences: ObjectReferences = {
  object_device_id: null,
  object_gadget_id: null,
  object_gadget_action_id: null,
  object_gadget_state_id: null,
  object_gadget_signal_id: null,
  object_gadget_trigger_id: null,
  object_member_id: null,
  object_member_email_id: null,
  object_member_magic_link_id: null,
  object_member_group_id: null,
  object_member_group_association_id: null,
  object_member_pin_id: null,
  object_member_card_id: null,
  object_member_token_id: null,
  object_organization_id: null,
  object_site_id: null,
  object_webhook_id: null,
  object_hardware_id: null,
  object_card_id: null,
  object_schedule_id: null,
  object_tag_id: null,
  object_user_id: null,
  object_oauth_application_id: null,
  object_claim_ticket_id: null,
  object_technician_pass_id: null,
};

/** An event before the commit assigns `recorded_at`. */
export type PendingEvent = Omit<OrganizationEventRow, 'recorded_at'>;

export const toPendingEvent = (
  event: NewEvent & { readonly id: string },
  actor: Actor,
  organizationId: string,
  now: number,
): PendingEvent => {
  const { type, ...references } = event.object;
  const columns = Object.fromEntries(Object.entries(references).map(([field, id]) => [`object_${field}`, id]));
  const subject: EventSubjectColumns = toEventSubjectColumns(actor);
  const details = { ...actor.details, ...event.details };
  return {
    id: event.id,
    organization_id: organizationId,
    created_at: event.created_at ?? now,
    verb: event.verb,
    reason: event.reason ?? null,
    changes: event.changes === undefined ? null : JSON.stringify(event.changes),
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
    time_trusted: event.time_trusted === undefined ? null : event.time_trusted ? 1 : 0,
    reported_by: event.reported_by ?? null,
    ...subject,
    object_type: type,
    ...noReferences,
    ...columns,
  };
};

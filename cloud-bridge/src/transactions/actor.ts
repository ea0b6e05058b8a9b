import type { AccessMethod } from '@lintel/access-core/access-data-types';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { parseUserAgent } from '../http/user-agent.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';

/** Who performs a write. Becomes the subject of the event; absent fields are stored as null. */
export interface Actor {
  readonly member_id?: string;
  readonly member_email_id?: string;
  readonly member_magic_link_id?: string;
  readonly member_pin_id?: string;
  readonly member_card_id?: string;
  readonly member_token_id?: string;
  readonly user_id?: string;
  readonly oauth_application_id?: string;
  readonly device_id?: string;
  readonly access_method?: AccessMethod;
  readonly ip_address?: string;
  readonly client?: Readonly<Record<string, string | null>>;
  /** Facts about what happened, such as the text of a fault. Becomes `details` of the event. */
  readonly details?: Readonly<Record<string, string>>;
}

/** The bridge itself, for example during auto-deletion. */
export const systemActor: Actor = {};

/** An application together with the user who authorized it, or a user who is signed in. */
export const toActor = (caller: Pick<OrganizationCaller, 'applicationId' | 'userId' | 'ip' | 'userAgent'>): Actor => ({
  ...(caller.applicationId === null ? {} : { oauth_application_id: caller.applicationId }),
  ...(caller.userId === null ? {} : { user_id: caller.userId }),
  ip_address: caller.ip,
  client: parseUserAgent(caller.userAgent),
});

export type EventSubjectColumns = Pick<OrganizationEventRow, Extract<keyof OrganizationEventRow, `subject_${string}`>>;

export const toEventSubjectColumns = (actor: Actor): EventSubjectColumns => ({
  subject_member_id: actor.member_id ?? null,
  subject_member_email_id: actor.member_email_id ?? null,
  subject_member_magic_link_id: actor.member_magic_link_id ?? null,
  subject_member_pin_id: actor.member_pin_id ?? null,
  subject_member_card_id: actor.member_card_id ?? null,
  subject_member_token_id: actor.member_token_id ?? null,
  subject_user_id: actor.user_id ?? null,
  subject_oauth_application_id: actor.oauth_application_id ?? null,
  subject_device_id: actor.device_id ?? null,
  subject_access_method: actor.access_method ?? null,
  subject_ip_address: actor.ip_address ?? null,
  subject_client: actor.client === undefined ? null : JSON.stringify(actor.client),
});

/*
 * One schema for SQLite and PostgreSQL. Times are milliseconds since 1970 (`recorded_at`: microseconds), flags are 0 or 1
 * and JSON is text in both, so that rows are identical in both databases.
 */

import type { ClusterTables } from './cluster-schema.ts';
import type { AlertTables } from './alert-schema.ts';
import type { ScheduleAndHealthTables } from './schedule-exception-and-device-health-schema.ts';
import type { RecoveryTables } from './revocation-event-loss-and-incident-schema.ts';
import type { RetentionTables } from './retention-schema.ts';
import type { ClaimTicketRow, OrganizationKeyRow } from './organization-key-and-claim-ticket-schema.ts';
import type {
  ScheduleTriggerStateRow,
  WebhookDeliveryRow,
  WebhookQueueRow,
} from './webhook-and-schedule-trigger-schema.ts';
import type { GadgetHourlyActivityRow, MemberSearchTermRow } from './search-term-and-activity-count-schema.ts';
import type {
  DeletedAccessChangesRow,
  DeviceCertificateRow,
  DeviceLinkRow,
  DeviceMemberGroupRow,
  DeviceSyncRow,
  ServedRevisionRow,
  InputRuleConflictRow,
  TechnicianPageRow,
  ReassignedEventIdRow,
  UplinkCounterRow,
  VirtualGadgetRow,
} from './device-schema.ts';
import type { OrganizationEventRow } from './event-schema.ts';
import type { GuestLoginCodeRow, GuestSessionRow } from './guest-schema.ts';
import type { ReleaseRow, RolloutDeviceRow, RolloutRow } from './release-and-rollout-schema.ts';
import type {
  OrganizationUserRow,
  PasskeyRow,
  PasswordResetRow,
  UserSessionRow,
  UsedPasskeyChallengeRow,
  UserInvitationRow,
  UserRow,
} from './user-schema.ts';

type Flag = 0 | 1;
type Json = string;

interface Identified {
  id: string;
  organization_id: string;
  is_deleted: Flag;
  created_at: number;
}

interface Annotated extends Identified {
  metadata: Json;
}

export interface OrganizationRow {
  id: string;
  name: string;
  is_deleted: Flag;
  created_at: number;
  metadata: Json;
  whitelabel: Flag;
  /** 1: controllers that technicians claim need no confirmation. */
  technicians_activate: Flag;
  /** Whom guests call; null for the name of the organization and the telephone number of a site. */
  guest_contact_name: string | null;
  guest_contact_phone: string | null;
  /** Whether the guest page shows PINs, and keeps them on the phone. */
  guest_pins: 'off' | 'online' | 'offline';
  /** Increases with every change that controllers must receive. */
  revision: number;
  /** `recorded_at` of the newest event. The next event gets a higher value even if the clock went back. */
  last_recorded_at: number;
  /** Version of the master key for this organization's secrets. */
  key_version: number;
}

export interface SiteRow extends Annotated {
  name: string;
  geo: Json | null;
  map: Json | null;
  phone: string | null;
  email: string | null;
  info: string | null;
  timezone: string | null;
  tag_ids: Json;
}

/** What went along with a deleted site, until the site is undeleted. */
interface SiteDeletionRow {
  site_id: string;
  organization_id: string;
  /** See `DeletedWithSite`. */
  removed: Json;
}

/** Products, refreshed from the hardware profiles at every start. */
export interface ProductRow {
  id: string;
  name: string;
  /** The current hardware revision. */
  revision_id: string;
  capabilities: Json;
}

/** An organization's own products, as reported by controllers when they were claimed. */
interface OrganizationProductRow extends ProductRow {
  organization_id: string;
}

export interface DeviceRow extends Annotated {
  site_id: string;
  name: string;
  hardware_id: string | null;
  product_id: string;
  revision_id: string | null;
  input_rules: Json;
  capabilities: Json;
  status: Json;
  /** The gateway through which the device is connected. */
  gateway_id: string | null;
  tag_ids: Json;
}

export interface GadgetRow extends Annotated {
  site_id: string;
  device_id: string;
  name: string;
  actions: Json;
  states: Json;
  signals: Json;
  state_id: string | null;
  tag_ids: Json;
}

export interface GadgetTriggerRow extends Annotated {
  site_id: string;
  source_type: string;
  source_gadget_id: string | null;
  source_state_id: string | null;
  source_signal_id: string | null;
  source_schedule_id: string | null;
  source_schedule_event: string | null;
  target_gadget_id: string;
  target_action_id: string;
}

export interface MemberRow extends Annotated {
  name: string;
  starts_at: number | null;
  ends_at: number | null;
  language: string | null;
  tag_ids: Json;
  /** The `ends_at` for which auto-deletion has run. It runs once per value. */
  expired_for: number | null;
}

interface Credential extends Annotated {
  member_id: string;
}

export interface MemberEmailRow extends Credential {
  email: string;
}

export interface MemberMagicLinkRow extends Credential {
  sealed: string;
  blind: string;
}

export interface MemberPinRow extends Credential {
  length: number;
  sealed: string;
}

/** Reserved PINs of members that are not deleted, unique within the organization. */
interface PinClaimRow {
  organization_id: string;
  blind: string;
  pin_id: string;
}

/** All proper prefixes of reserved PINs with at least 4 digits. */
interface PinPrefixRow {
  organization_id: string;
  blind: string;
  pin_id: string;
}

export interface MemberCardRow extends Credential {
  card_id: string;
}

export interface MemberTokenRow extends Credential {
  public_key: string;
  /** The magic link or email that a guest enrolled this phone with; the token ends with it. Null for all others. */
  enrolled_with: string | null;
}

export interface GroupAssociationRow extends Credential {
  member_group_id: string;
  starts_at: number | null;
  ends_at: number | null;
}

/** `organization_id` is null for a card in the manufacturer's stock that no organization has added yet. */
export interface CardRow {
  id: string;
  organization_id: string | null;
  is_deleted: Flag;
  created_at: number;
  metadata: Json;
  name: string | null;
  uid: string | null;
  printed_code: string | null;
  /** The organization that may take this card from the stock; null if nobody may without proof. */
  reserved_for: string | null;
}

export interface MemberGroupRow extends Annotated {
  name: string;
  permissions: Json;
  tag_ids: Json;
}

export interface ScheduleRow extends Annotated {
  name: string;
  weekdays: Json;
}

export interface TagRow extends Annotated {
  name: string;
  color: string | null;
}

export interface WebhookRow extends Annotated {
  oauth_application_id: string;
  url: string;
  filter: Json;
  expand: Json;
  is_enabled: Flag;
  sealed_secret: string;
  /** Time of the first failed attempt; set when no event was accepted for a day. */
  failing_since: number | null;
}

/** An object that changed at a revision, for deltas to controllers. */
interface AccessChangeRow {
  organization_id: string;
  revision: number;
  object_type: string;
  object_id: string;
  changed_at: number;
  /** What it took away from the member. 1: time, by its dates or its deletion; 2: a group, or time in it. */
  withdraws: 0 | 1 | 2;
}

interface DeskSettingsRow {
  organization_id: string;
  /** Null: no limit. */
  longest_stay_days: number | null;
}

interface DeskGroupRow {
  member_group_id: string;
  organization_id: string;
  may_give: 0 | 1;
}

export interface OAuthApplicationRow {
  id: string;
  /** The owning organization; null for built-in applications. */
  organization_id: string | null;
  client_id: string;
  client_secret_hash: string | null;
  name: string;
  redirect_uris: Json;
  is_public: Flag;
  is_deleted: Flag;
  created_at: number;
}

/** Authorization of an application in an organization. Deleted on de-authorization. */
export interface OAuthGrantRow {
  organization_id: string;
  oauth_application_id: string;
  user_id: string | null;
  created_at: number;
}

export interface OAuthTokenRow {
  hash: string;
  kind: 'access' | 'refresh' | 'code';
  /** Shared by all tokens of one authorization. Reuse of an old refresh token revokes the family. */
  family_id: string;
  organization_id: string;
  oauth_application_id: string;
  user_id: string | null;
  scope: string;
  /** Null: never expires. 0: revoked. */
  expires_at: number | null;
  used_at: number | null;
  created_at: number;
  /** For codes: redirect URI and PKCE challenge. For refresh tokens after their use: the sealed tokens that replaced them. */
  details: Json | null;
  /** For access tokens of scripts, which people list and revoke. Null for all others. */
  script_token_id: string | null;
  script_token_name: string | null;
}

/** Maps keys of seed files to objects, so that seeding twice creates nothing twice. */
interface SeedKeyRow {
  scope: string;
  key: string;
  object_id: string;
}

/** Responses to POST requests with an Idempotency-Key, sealed because some contain secrets. */
interface IdempotencyRow {
  organization_id: string;
  oauth_application_id: string;
  key: string;
  request_hash: string;
  sealed_body: string;
  created_at: number;
}

/** A value that only the right key yields, to detect a missing or wrong key file. */
interface KeyCheckRow {
  name: string;
  value: string;
  created_at: number;
}

export interface Database extends RecoveryTables, ClusterTables, AlertTables, RetentionTables, ScheduleAndHealthTables {
  organizations: OrganizationRow;
  sites: SiteRow;
  site_deletions: SiteDeletionRow;
  products: ProductRow;
  organization_products: OrganizationProductRow;
  devices: DeviceRow;
  gadgets: GadgetRow;
  gadget_triggers: GadgetTriggerRow;
  members: MemberRow;
  member_emails: MemberEmailRow;
  member_magic_links: MemberMagicLinkRow;
  member_pins: MemberPinRow;
  pin_claims: PinClaimRow;
  pin_prefixes: PinPrefixRow;
  member_cards: MemberCardRow;
  member_tokens: MemberTokenRow;
  member_group_associations: GroupAssociationRow;
  cards: CardRow;
  member_groups: MemberGroupRow;
  schedules: ScheduleRow;
  tags: TagRow;
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_lanes: WebhookQueueRow;
  schedule_watches: ScheduleTriggerStateRow;
  events: OrganizationEventRow;
  access_changes: AccessChangeRow;
  desk_settings: DeskSettingsRow;
  desk_groups: DeskGroupRow;
  member_search_terms: MemberSearchTermRow;
  activity_counts: GadgetHourlyActivityRow;
  users: UserRow;
  organization_users: OrganizationUserRow;
  user_invitations: UserInvitationRow;
  password_resets: PasswordResetRow;
  passkeys: PasskeyRow;
  used_passkey_challenges: UsedPasskeyChallengeRow;
  oauth_applications: OAuthApplicationRow;
  oauth_grants: OAuthGrantRow;
  oauth_tokens: OAuthTokenRow;
  sessions: UserSessionRow;
  guest_sessions: GuestSessionRow;
  guest_codes: GuestLoginCodeRow;
  seed_keys: SeedKeyRow;
  idempotency_keys: IdempotencyRow;
  key_checks: KeyCheckRow;
  organization_keys: OrganizationKeyRow;
  claim_tickets: ClaimTicketRow;
  device_certificates: DeviceCertificateRow;
  device_links: DeviceLinkRow;
  technician_pages: TechnicianPageRow;
  reassigned_event_ids: ReassignedEventIdRow;
  uplink_counters: UplinkCounterRow;
  device_sync: DeviceSyncRow;
  served_revisions: ServedRevisionRow;
  device_member_groups: DeviceMemberGroupRow;
  rule_conflicts: InputRuleConflictRow;
  virtual_gadgets: VirtualGadgetRow;
  change_horizons: DeletedAccessChangesRow;
  releases: ReleaseRow;
  rollouts: RolloutRow;
  rollout_devices: RolloutDeviceRow;
}

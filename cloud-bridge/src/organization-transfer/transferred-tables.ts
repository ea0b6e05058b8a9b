import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../storage/schema.ts';

export type DatabaseTableName = keyof Database;

/** A table whose rows move with their organization. */
export interface TransferredTable {
  /** The condition for the rows of the organization. */
  readonly rowsOf: (organizationId: string) => RawBuilder<SqlBool>;
  /** Values in the file, instead of those that belong to the running bridge or that the import computes. */
  readonly replaced?: Readonly<Record<string, string | number | null>>;
  /** Only with `--with-events`. */
  readonly isHistory?: true;
}

interface ExcludedTable {
  readonly excludedBecause: string;
}

const own: TransferredTable = { rowsOf: id => sql`organization_id = ${id}` };

const history: TransferredTable = { ...own, isHistory: true };

/** Rows that refer to a row of the organization in another table. */
const ofParent = (column: string, parent: DatabaseTableName, parentColumn = 'id'): TransferredTable => ({
  rowsOf: id => sql`${sql.ref(column)} in (
    select p.${sql.ref(parentColumn)} from ${sql.table(parent)} as p where p.organization_id = ${id})`,
});

const excluded = (excludedBecause: string): ExcludedTable => ({ excludedBecause });

/** Every table of the database. The import inserts the rows in this order. */
const tables: Readonly<Record<DatabaseTableName, TransferredTable | ExcludedTable>> = {
  organizations: { rowsOf: id => sql`id = ${id}` },
  organization_keys: own,
  organization_products: own,
  organization_retention: own,
  users: ofParent('id', 'organization_users', 'user_id'),
  passkeys: ofParent('user_id', 'organization_users', 'user_id'),
  organization_users: own,
  user_invitations: own,
  oauth_applications: own,
  oauth_grants: own,
  oauth_tokens: {
    rowsOf: id => sql`organization_id = ${id} and kind <> 'code'`,
    // For a minute, a used refresh token keeps its successors here, sealed.
    replaced: { details: null },
  },
  sites: own,
  devices: own,
  gadgets: own,
  gadget_triggers: own,
  virtual_gadgets: own,
  tags: own,
  schedules: own,
  schedule_exceptions: own,
  schedule_watches: own,
  member_groups: own,
  desk_settings: own,
  desk_groups: own,
  members: own,
  member_search_terms: own,
  member_emails: own,
  member_magic_links: { ...own, replaced: { blind: '' } },
  member_pins: own,
  pin_claims: { ...own, replaced: { blind: '' } },
  member_cards: own,
  member_tokens: own,
  member_group_associations: own,
  // Also the stock that only this organization can take.
  cards: { rowsOf: id => sql`(organization_id = ${id} or reserved_for = ${id})` },
  claim_tickets: own,
  device_certificates: own,
  device_links: { ...own, replaced: { session_nonce: null } },
  device_sync: own,
  served_revisions: own,
  device_member_groups: own,
  device_health: own,
  technician_pages: own,
  rule_conflicts: own,
  uplink_counters: ofParent('device_id', 'devices'),
  reassigned_event_ids: ofParent('device_id', 'devices'),
  lost_events: ofParent('device_id', 'devices'),
  sent_revocations: own,
  access_changes: own,
  change_horizons: own,
  incidents: own,
  alert_rules: own,
  alert_addresses: { ...own, replaced: { token_hash: '' } },
  active_alerts: own,
  alert_messages: own,
  webhooks: own,
  webhook_lanes: { ...ofParent('webhook_id', 'webhooks'), replaced: { lease_owner: null, lease_until: 0 } },
  // The key of the organization has an empty scope, and is the scope of the other keys.
  seed_keys: {
    rowsOf: id => sql`((scope = '' and object_id = ${id}) or scope in (
      select o.key from seed_keys as o where o.scope = '' and o.object_id = ${id}))`,
  },
  activity_counts: own,
  events: history,
  webhook_deliveries: history,

  pin_prefixes: excluded('derived from the PINs'),
  products: excluded('from the hardware profiles of the program'),
  releases: excluded('the archives are not in the database; upload them again'),
  rollouts: excluded('of releases'),
  rollout_devices: excluded('of releases'),
  sessions: excluded('users sign in again'),
  guest_sessions: excluded('guests open their link again'),
  guest_codes: excluded('valid for minutes'),
  password_resets: excluded('valid for an hour'),
  used_passkey_challenges: excluded('valid for minutes'),
  idempotency_keys: excluded('valid for a day'),
  key_checks: excluded('of the installation'),
  task_leases: excluded('of the installation'),
  attempts: excluded('of the installation'),
  quota_counts: excluded('of the installation'),
  request_counts: excluded('of the installation'),
  shared_key_files: excluded('of the installation'),
  shared_file_chunks: excluded('of the installation'),
};

export const transferredTables: readonly (readonly [DatabaseTableName, TransferredTable])[] = Object.entries(
  tables,
).flatMap(([name, table]) => ('rowsOf' in table ? [[name as DatabaseTableName, table] as const] : []));

export const tablesExcludedFromTransfer: readonly string[] = Object.keys(tables).filter(
  name => 'excludedBecause' in tables[name as DatabaseTableName],
);

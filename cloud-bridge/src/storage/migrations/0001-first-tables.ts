import { createClaimTables } from './0001-organization-key-and-claim-ticket-tables.ts';
import { createDeliveryTables } from './0001-webhook-delivery-and-schedule-trigger-tables.ts';
import { createDeviceSyncTables } from './0001-device-certificate-link-and-sync-tables.ts';
import { createGuestTables } from './0001-guest-tables.ts';
import { createIndex, createTable, metadataValueSql, type ColumnKind, type MigrationContext } from './table-builder.ts';

type Columns = Readonly<Record<string, ColumnKind>>;

const identified: Columns = { id: 'text', organization_id: 'text', is_deleted: 'flag', created_at: 'int' };
const annotated: Columns = { ...identified, metadata: 'text' };
const credential: Columns = { ...annotated, member_id: 'text' };

const eventReferences = (side: 'subject' | 'object', names: readonly string[]): Columns =>
  Object.fromEntries(names.map(name => [`${side}_${name}`, 'text?' as const]));

const tables: Readonly<Record<string, Columns>> = {
  sites: {
    ...annotated,
    name: 'text',
    geo: 'text?',
    map: 'text?',
    phone: 'text?',
    email: 'text?',
    info: 'text?',
    timezone: 'text?',
    tag_ids: 'text',
  },
  devices: {
    ...annotated,
    site_id: 'text',
    name: 'text',
    hardware_id: 'text?',
    product_id: 'text',
    revision_id: 'text?',
    input_rules: 'text',
    capabilities: 'text',
    status: 'text',
    gateway_id: 'text?',
    tag_ids: 'text',
  },
  gadgets: {
    ...annotated,
    site_id: 'text',
    device_id: 'text',
    name: 'text',
    actions: 'text',
    states: 'text',
    signals: 'text',
    state_id: 'text?',
    tag_ids: 'text',
  },
  gadget_triggers: {
    ...annotated,
    site_id: 'text',
    source_type: 'text',
    source_gadget_id: 'text?',
    source_state_id: 'text?',
    source_signal_id: 'text?',
    source_schedule_id: 'text?',
    source_schedule_event: 'text?',
    target_gadget_id: 'text',
    target_action_id: 'text',
  },
  members: {
    ...annotated,
    name: 'text',
    starts_at: 'int?',
    ends_at: 'int?',
    language: 'text?',
    tag_ids: 'text',
    expired_for: 'int?',
  },
  member_emails: { ...credential, email: 'text' },
  member_magic_links: { ...credential, sealed: 'text', blind: 'text' },
  member_pins: { ...credential, length: 'int', sealed: 'text' },
  member_cards: { ...credential, card_id: 'text' },
  member_tokens: { ...credential, public_key: 'text' },
  member_group_associations: { ...credential, member_group_id: 'text', starts_at: 'int?', ends_at: 'int?' },
  cards: { ...annotated, organization_id: 'text?', name: 'text?', uid: 'text?', printed_code: 'text?' },
  member_groups: { ...annotated, name: 'text', permissions: 'text', tag_ids: 'text' },
  schedules: { ...annotated, name: 'text', weekdays: 'text' },
  tags: { ...annotated, name: 'text', color: 'text?' },
  webhooks: {
    ...annotated,
    oauth_application_id: 'text',
    url: 'text',
    filter: 'text',
    expand: 'text',
    is_enabled: 'flag',
    sealed_secret: 'text',
  },
};

const events: Columns = {
  id: 'text',
  organization_id: 'text',
  created_at: 'int',
  recorded_at: 'int',
  verb: 'text',
  reason: 'text?',
  time_trusted: 'flag?',
  ...eventReferences('subject', [
    'member_id',
    'member_email_id',
    'member_magic_link_id',
    'member_pin_id',
    'member_card_id',
    'member_token_id',
    'user_id',
    'oauth_application_id',
    'device_id',
    'access_method',
    'ip_address',
    'client',
  ]),
  object_type: 'text',
  ...eventReferences('object', [
    'device_id',
    'gadget_id',
    'gadget_action_id',
    'gadget_state_id',
    'gadget_signal_id',
    'gadget_trigger_id',
    'member_id',
    'member_email_id',
    'member_magic_link_id',
    'member_group_id',
    'member_group_association_id',
    'member_pin_id',
    'member_card_id',
    'member_token_id',
    'organization_id',
    'site_id',
    'webhook_id',
    'hardware_id',
    'card_id',
    'schedule_id',
    'tag_id',
    'user_id',
    'oauth_application_id',
    'claim_ticket_id',
  ]),
};

const accounts = async (context: MigrationContext): Promise<void> => {
  const plain = { id: 'text', name: 'text', is_deleted: 'flag', created_at: 'int' } as const;
  await createTable(context, 'users', { ...plain, email: 'text', password_hash: 'text' }, 'id');
  await createIndex(context, 'users_by_email', 'users (email)', { unique: true, where: 'is_deleted = 0' });
  await createTable(
    context,
    'organization_users',
    { organization_id: 'text', user_id: 'text', role: 'text', site_ids: 'text' },
    'organization_id, user_id',
  );
  await createIndex(context, 'organization_users_by_user', 'organization_users (user_id)');
  await createTable(
    context,
    'oauth_applications',
    {
      ...plain,
      organization_id: 'text?',
      client_id: 'text',
      client_secret_hash: 'text?',
      redirect_uris: 'text',
      is_public: 'flag',
    },
    'id',
  );
  await createIndex(context, 'oauth_applications_by_client', 'oauth_applications (client_id)', { unique: true });
  await createTable(
    context,
    'oauth_grants',
    { organization_id: 'text', oauth_application_id: 'text', user_id: 'text?', created_at: 'int' },
    'organization_id, oauth_application_id',
  );
  await createTable(
    context,
    'oauth_tokens',
    {
      hash: 'text',
      kind: 'text',
      family_id: 'text',
      organization_id: 'text',
      oauth_application_id: 'text',
      user_id: 'text?',
      scope: 'text',
      expires_at: 'int?',
      used_at: 'int?',
      created_at: 'int',
      details: 'text?',
    },
    'hash',
  );
  await createIndex(context, 'oauth_tokens_by_family', 'oauth_tokens (family_id)');
  await createIndex(context, 'oauth_tokens_by_grant', 'oauth_tokens (organization_id, oauth_application_id)');
  await createIndex(context, 'oauth_tokens_by_expiry', 'oauth_tokens (expires_at)');
  await createTable(
    context,
    'sessions',
    { hash: 'text', user_id: 'text', created_at: 'int', seen_at: 'int', expires_at: 'int' },
    'hash',
  );
  await createIndex(context, 'sessions_by_user', 'sessions (user_id)');
};

const pins = async (context: MigrationContext): Promise<void> => {
  const claim = { organization_id: 'text', blind: 'text', pin_id: 'text' } as const;
  await createTable(context, 'pin_claims', claim, 'organization_id, blind');
  await createIndex(context, 'pin_claims_by_pin', 'pin_claims (pin_id)');
  await createTable(context, 'pin_prefixes', claim, 'organization_id, blind, pin_id');
  await createIndex(context, 'pin_prefixes_by_pin', 'pin_prefixes (pin_id)');
};

const bookkeeping = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'access_changes',
    { organization_id: 'text', revision: 'int', object_type: 'text', object_id: 'text', changed_at: 'int' },
    'organization_id, revision, object_type, object_id',
  );
  await createTable(context, 'seed_keys', { scope: 'text', key: 'text', object_id: 'text' }, 'scope, key');
  await createTable(
    context,
    'idempotency_keys',
    {
      organization_id: 'text',
      oauth_application_id: 'text',
      key: 'text',
      request_hash: 'text',
      sealed_body: 'text',
      created_at: 'int',
    },
    'organization_id, oauth_application_id, key',
  );
  await createIndex(context, 'idempotency_keys_by_age', 'idempotency_keys (organization_id, created_at)');
};

const listIndexes = async (context: MigrationContext): Promise<void> => {
  for (const name of Object.keys(tables)) {
    await createIndex(context, `${name}_by_creation`, `${name} (organization_id, created_at, id)`);
  }
  for (const [name, columns] of Object.entries(tables)) {
    if ('member_id' in columns) await createIndex(context, `${name}_by_member`, `${name} (member_id, created_at, id)`);
  }
  for (const name of ['members', 'member_groups', 'schedules']) {
    await createIndex(context, `${name}_by_name`, `${name} (organization_id, name, id)`);
  }
  for (const key of ['source', 'sourceID']) {
    await createIndex(
      context,
      `members_by_metadata_${key.toLowerCase()}`,
      `members (organization_id, ${metadataValueSql(context.engine, key)})`,
    );
  }
  await createIndex(context, 'members_by_end', 'members (ends_at)', { where: 'is_deleted = 0' });
  await createIndex(context, 'member_emails_by_email', 'member_emails (organization_id, lower(email))');
  await createIndex(context, 'member_magic_links_by_blind', 'member_magic_links (blind)', { unique: true });
  await createIndex(context, 'member_cards_by_card', 'member_cards (card_id)');
  await createIndex(context, 'group_associations_by_group', 'member_group_associations (member_group_id)');
  await createIndex(context, 'gadgets_by_device', 'gadgets (device_id, created_at, id)');
  await createIndex(context, 'gadgets_by_site', 'gadgets (site_id, created_at, id)');
  await createIndex(context, 'devices_by_site', 'devices (site_id, created_at, id)');
  const uniqueIfActive = { unique: true, where: 'is_deleted = 0' };
  await createIndex(context, 'devices_by_hardware', 'devices (hardware_id)', uniqueIfActive);
  await createIndex(context, 'cards_by_uid', 'cards (organization_id, uid)', uniqueIfActive);
  await createIndex(context, 'cards_by_printed_code', 'cards (organization_id, printed_code)', uniqueIfActive);
  await createIndex(context, 'cards_by_stock_code', 'cards (printed_code)', { where: 'organization_id is null' });
  await createIndex(context, 'cards_by_stock_uid', 'cards (uid)', { where: 'organization_id is null' });
};

const eventIndexes = async (context: MigrationContext): Promise<void> => {
  await createIndex(context, 'events_by_creation', 'events (organization_id, created_at, id)');
  await createIndex(context, 'events_by_recording', 'events (organization_id, recorded_at)', { unique: true });
  for (const column of ['subject_member_id', 'object_member_id', 'object_gadget_id', 'object_device_id']) {
    await createIndex(context, `events_by_${column}`, `events (organization_id, ${column}, created_at, id)`, {
      where: `${column} is not null`,
    });
  }
};

export const createInitialTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'organizations',
    {
      id: 'text',
      name: 'text',
      is_deleted: 'flag',
      created_at: 'int',
      metadata: 'text',
      whitelabel: 'flag',
      revision: 'int',
      last_recorded_at: 'int',
      key_version: 'int',
    },
    'id',
  );
  for (const [name, columns] of Object.entries(tables)) await createTable(context, name, columns, 'id');
  await createTable(context, 'products', { id: 'text', name: 'text', revision_id: 'text', capabilities: 'text' }, 'id');
  await createTable(context, 'events', events, 'id');
  await pins(context);
  await accounts(context);
  await bookkeeping(context);
  await createDeliveryTables(context);
  await createGuestTables(context);
  await createClaimTables(context);
  await createDeviceSyncTables(context);
  await listIndexes(context);
  await eventIndexes(context);
};

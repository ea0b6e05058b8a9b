import type { CreateOrganizationRequest, EditOrganizationRequest } from '@lintel/wire-protocol/admin/organization';
import type { Kysely } from 'kysely';
import { createNotFoundError } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Database, OrganizationRow } from '../storage/schema.ts';
import type { Actor } from '../transactions/actor.ts';
import { recordOrganizationChanges } from '../transactions/record-organization-changes.ts';
import { toPendingEvent } from '../transactions/pending-event.ts';
import { mergeStoredMetadata } from '../transactions/row-operations.ts';
import { compareRows } from '../transactions/recorded-changes.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** For a transaction that also writes something else, such as the first account. */
export const insertOrganization = async (
  db: Kysely<Database>,
  { newId, clock, masterKeys, storage }: Pick<BridgeServices, 'newId' | 'clock' | 'masterKeys' | 'storage'>,
  actor: Actor,
  ownerId: string | null,
  { name, metadata }: CreateOrganizationRequest,
): Promise<OrganizationRow> => {
  const now = clock();
  const id = newId('organization');
  const row: OrganizationRow = {
    id,
    name,
    is_deleted: 0,
    created_at: now,
    metadata: JSON.stringify(metadata),
    whitelabel: 0,
    technicians_activate: 0,
    guest_contact_name: null,
    guest_contact_phone: null,
    guest_pins: 'online',
    revision: 0,
    last_recorded_at: 0,
    key_version: masterKeys.currentVersion,
  };
  const created = {
    id: newId('event'),
    verb: 'create',
    object: { type: 'organization', organization_id: id },
  } as const;
  const added =
    ownerId === null
      ? []
      : [{ id: newId('event'), verb: 'create', object: { type: 'user', user_id: ownerId } } as const];
  const events = [created, ...added].map(event => toPendingEvent(event, actor, id, now));
  await db.insertInto('organizations').values(row).execute();
  if (ownerId !== null) {
    const owner = { organization_id: id, user_id: ownerId, role: 'owner', site_ids: '[]' };
    await db.insertInto('organization_users').values(owner).execute();
  }
  await recordOrganizationChanges({ db, engine: storage.engine }, id, { events, changes: [] }, now);
  return row;
};

/**
 * Creates the organization and its first owner; without an owner if the operator creates it and invites one. Bypasses the
 * writer, which locks an existing organization row.
 */
export const createOrganization = (
  services: BridgeServices,
  actor: Actor,
  ownerId: string | null,
  body: CreateOrganizationRequest,
): Promise<OrganizationRow> =>
  services.storage.writer.transaction().execute(db => insertOrganization(db, services, actor, ownerId, body));

/** Throws if the organization does not exist. */
export const requireOrganizationExists = async (db: Kysely<Database>, id: string): Promise<void> => {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined) throw createNotFoundError('organization', id);
};

/** For the operator. An organization cannot grant features to itself. */
export const setWhitelabel = async (context: WriteContext, isGranted: boolean): Promise<void> => {
  const { db, organizationId } = context;
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set({ whitelabel: isGranted ? 1 : 0 })
    .where('id', '=', organizationId)
    .where('whitelabel', '=', isGranted ? 0 : 1)
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    context.log({
      verb: 'edit',
      object: { type: 'organization', organization_id: organizationId },
      changes: { whitelabel: [!isGranted, isGranted] },
    });
};

export const editOrganization = async (
  context: WriteContext,
  {
    name,
    metadata,
    technicians_activate_controllers,
    guest_contact_name,
    guest_contact_phone,
    guest_pins,
  }: EditOrganizationRequest,
): Promise<OrganizationRow> => {
  const { db, organizationId } = context;
  const row = await db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const edited: OrganizationRow = {
    ...row,
    name: name ?? row.name,
    metadata: mergeStoredMetadata(row.metadata, metadata ?? {}),
    technicians_activate:
      technicians_activate_controllers === undefined
        ? row.technicians_activate
        : technicians_activate_controllers
          ? 1
          : 0,
    guest_contact_name: guest_contact_name === undefined ? row.guest_contact_name : guest_contact_name || null,
    guest_contact_phone: guest_contact_phone === undefined ? row.guest_contact_phone : guest_contact_phone || null,
    guest_pins: guest_pins ?? row.guest_pins,
  };
  const changed = (Object.keys(edited) as (keyof OrganizationRow)[]).filter(column => edited[column] !== row[column]);
  if (changed.length === 0) return row;
  await db
    .updateTable('organizations')
    .set(Object.fromEntries(changed.map(column => [column, edited[column]])))
    .where('id', '=', organizationId)
    .execute();
  const object = { type: 'organization', organization_id: organizationId };
  context.log({ verb: 'edit', object, changes: compareRows('organization', row, edited) });
  return edited;
};

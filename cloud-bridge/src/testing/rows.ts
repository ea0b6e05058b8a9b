import type { BridgeServices } from '../bridge-services-interface.ts';
import { ServedRevisions } from '../devices/access-snapshot/served-revisions.ts';
import { createMemberPin } from '../resources/member-pins.ts';
import { computePinBlindIndex } from '../resources/pin-reservations.ts';
import { unclaimAllDevicesAndDeleteKey } from '../resources/unclaim-all-devices.ts';
import type { DeviceSyncRow } from '../storage/device-schema.ts';
import type { IncidentRow } from '../storage/revocation-event-loss-and-incident-schema.ts';
import { type Actor, systemActor } from '../transactions/actor.ts';
import type { NewEvent } from '../transactions/pending-event.ts';

/* Rows that otherwise only time or another program writes, and rows that are too many for one request each. */

export const logEvents = (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
  events: readonly NewEvent[],
  actor: Actor = systemActor,
): Promise<void> =>
  writer.write(organizationId, actor, async context => {
    for (const event of events) context.log(event);
  });

export interface InsertedMembers {
  readonly count: number;
  readonly name?: string;
  readonly endsAt?: number;
  /** A group that every member is in. */
  readonly groupId?: string;
  /** Digits for each member by its index. Default: no PINs. */
  readonly pinOf?: (index: number) => string;
}

const MEMBER_BATCH_SIZE = 500;

/** Returns the ids. Only PINs are logged as events. */
export const insertMembers = async (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
  { count, name = 'Member', endsAt, groupId, pinOf }: InsertedMembers,
): Promise<string[]> => {
  const inserted: string[] = [];
  while (inserted.length < count) {
    const ids = await writer.write(organizationId, systemActor, async context => {
      const { db, newId, now } = context;
      const batch = Array.from({ length: Math.min(MEMBER_BATCH_SIZE, count - inserted.length) }, () => newId('member'));
      const common = { organization_id: organizationId, is_deleted: 0, created_at: now, metadata: '{}' } as const;
      const shown = {
        name,
        language: null,
        tag_ids: '[]',
        expired_for: null,
        starts_at: null,
        ends_at: endsAt ?? null,
      };
      await db
        .insertInto('members')
        .values(batch.map(id => ({ id, ...common, ...shown })))
        .execute();
      if (groupId !== undefined) {
        const held = batch.map(member_id => {
          const id = newId('member_group_association');
          return { id, member_id, member_group_id: groupId, ...common, starts_at: null, ends_at: null };
        });
        await db.insertInto('member_group_associations').values(held).execute();
      }
      for (const [index, id] of batch.entries()) {
        if (pinOf !== undefined)
          await createMemberPin(context, id, { pin: pinOf(inserted.length + index) as never, metadata: {} });
        context.markChanged('member', id);
      }
      return batch;
    });
    inserted.push(...ids);
  }
  return inserted;
};

/** The application may use the organization: a user has consented, or null for an application of the operator. */
export const insertGrant = async (
  { storage, clock }: Pick<BridgeServices, 'storage' | 'clock'>,
  organizationId: string,
  applicationId: string,
  userId: string | null = null,
): Promise<void> => {
  const row = { organization_id: organizationId, oauth_application_id: applicationId, user_id: userId };
  await storage.writer
    .insertInto('oauth_grants')
    .values({ ...row, created_at: clock() })
    .execute();
};

/** The bridge reports that it has less than a controller, as after the restore of an old backup. Returns the id. */
export const insertIncident = async (
  { storage, newId, clock }: Pick<BridgeServices, 'storage' | 'newId' | 'clock'>,
  organizationId: string,
  values: Partial<IncidentRow> = {},
): Promise<string> => {
  const now = clock();
  const id = newId('incident');
  const row = { id, organization_id: organizationId, kind: 'bridge_behind', details: '{}', created_at: now };
  await storage.writer
    .insertInto('incidents')
    .values({ ...row, updated_at: now, acknowledged_at: null, acknowledged_by: null, ...values })
    .execute();
  return id;
};

/** Other writes of the organization wait until the promise is resolved. */
export const holdOrganizationLock = (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
  until: Promise<void>,
): Promise<void> => writer.write(organizationId, systemActor, () => until);

/** Marks the digits as used by PINs, without creating the PINs. */
export const reservePins = async (
  { storage, masterKeys }: Pick<BridgeServices, 'storage' | 'masterKeys'>,
  organizationId: string,
  pins: readonly string[],
): Promise<void> => {
  const keys = masterKeys.derivedKeys(masterKeys.currentVersion);
  const claims = pins.map(pin => ({
    organization_id: organizationId,
    blind: computePinBlindIndex(keys, organizationId, pin),
    pin_id: `mp_${pin}`,
  }));
  for (let from = 0; from < claims.length; from += 1000) {
    await storage.writer
      .insertInto('pin_claims')
      .values(claims.slice(from, from + 1000))
      .execute();
  }
};

/** Stores which revisions controllers have reported. */
export const storeServedRevisions = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  rows: readonly DeviceSyncRow[],
): Promise<void> => {
  const revisions = new ServedRevisions(storage, error => {
    throw error;
  });
  for (const row of rows) revisions.record(row);
  await revisions.close();
};

/** As `lintel keys reset` after the loss of the key files, for one organization. */
export const resetOrganizationKeys = (
  { writer }: Pick<BridgeServices, 'writer'>,
  organizationId: string,
): Promise<void> => writer.write(organizationId, systemActor, unclaimAllDevicesAndDeleteKey);

import type { MemberLockout } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { instant } from '@lintel/access-core/instant';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { type Kysely, sql } from 'kysely';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import type { Database } from '../../storage/schema.ts';
import type { OrganizationWithoutMembers } from '../access-snapshot/organization-without-members.ts';
import { loadControllerDeliveryStates } from '../controller-credential-delivery-states.ts';

export type LockoutDoor = MemberLockout['doors'][number];

/** When access was taken away, and the revision that a controller has to confirm. */
export interface Withdrawal {
  readonly at: number;
  readonly revision: number;
}

export interface LostAccess {
  readonly structure: OrganizationWithoutMembers;
  /** By gadget. */
  readonly lost: ReadonlyMap<string, Withdrawal>;
  /** The groups that gave access. */
  readonly groups: ReadonlySet<string>;
  /** Somebody has a credential that a controller accepts by itself. The bridge refuses the others at once. */
  readonly isCached: boolean;
  /** Doors that have confirmed an older withdrawal are left out. */
  readonly shownSince: number;
}

/** When each of the controllers first served the revision; no entry if that was more than two days ago. */
const loadConfirmationTimes = async (
  db: Kysely<Database>,
  organizationId: string,
  revision: number,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('served_revisions')
    .select(['device_id', sql<number>`min(served_at)`.as('at')])
    .where('organization_id', '=', organizationId)
    .where('revision', '>=', revision)
    .groupBy('device_id')
    .execute();
  return new Map(rows.map(({ device_id, at }) => [device_id, at]));
};

const loadOfflineTime = async (db: Kysely<Database>, organizationId: string, deviceId: string) => {
  const event = await db
    .selectFrom('events')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('object_device_id', '=', deviceId)
    .where('reason', '=', 'offline')
    .orderBy('recorded_at', 'desc')
    .executeTakeFirst();
  return toDateTimeOrNull(event?.created_at ?? null);
};

/** The controllers whose snapshot ever had one of the groups. */
const loadDevicesWithGroups = async (
  { reader, engine }: BridgeServices['storage'],
  groups: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ device_id: string }>`select distinct device_id from device_member_groups
    where ${buildIdInExpression(engine, sql`member_group_id`, [...groups])}`.execute(reader);
  return new Set(rows.map(({ device_id }) => device_id));
};

/** Which of the doors have confirmed the withdrawal, and which still open, by name. */
export const describeLostDoors = async (
  { storage }: Pick<BridgeServices, 'storage'>,
  organizationId: string,
  { structure, lost, groups, isCached, shownSince }: LostAccess,
  isVisible: (siteId: string) => boolean,
): Promise<readonly LockoutDoor[]> => {
  const db = storage.reader;
  const controllers = isCached ? await loadControllerDeliveryStates({ storage }, organizationId, isVisible) : [];
  const hadGroups = await loadDevicesWithGroups(storage, groups);
  const doors: LockoutDoor[] = [];
  const confirmations = new Map<number, ReadonlyMap<string, number>>();
  for (const [gadgetId, { at, revision }] of lost) {
    const gadget = structure.gadgets.get(gadgetId);
    if (gadget === undefined || !isVisible(gadget.site_id)) continue;
    const own = controllers.filter(({ targets }) => targets.has(gadgetId));
    const behind = own.filter(
      ({ servedGroups, served_revision }) =>
        (served_revision ?? -1) < revision && [...groups].some(group => servedGroups.has(group)),
    );
    const door = { gadget_id: gadgetId, site_id: gadget.site_id, name: gadget.name };
    if (behind.length === 0) {
      if (at < shownSince) continue;
      const confirmed = confirmations.get(revision) ?? (await loadConfirmationTimes(db, organizationId, revision));
      confirmations.set(revision, confirmed);
      const times = own
        .filter(({ device_id }) => hadGroups.has(device_id))
        .map(({ device_id }) => confirmed.get(device_id) ?? at);
      const locked = toDateTime(instant(Math.max(at, ...times)));
      doors.push({
        ...door,
        status: 'locked_out',
        locked_out_at: locked,
        online: true,
        offline_since: null,
      } as LockoutDoor);
      continue;
    }
    const offline = behind.find(({ online }) => !online);
    const since = offline === undefined ? null : await loadOfflineTime(db, organizationId, offline.device_id);
    const open = { status: 'still_opens', locked_out_at: null, online: offline === undefined, offline_since: since };
    doors.push({ ...door, ...open } as LockoutDoor);
  }
  const names = new Intl.Collator('en', { numeric: true });
  return doors.toSorted((a, b) => names.compare(a.name, b.name));
};

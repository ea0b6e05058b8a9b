import type { AffectedMember, StolenControllerResponse } from '@lintel/wire-protocol/admin/stolen-controller';
import type { Metadata } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { sql } from 'kysely';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import { createMemberPin, deleteMemberPin } from '../resources/member-pins.ts';
import { revokeDeviceCertificates } from '../resources/device-certificates.ts';
import { ApiError } from '../http/api-error.ts';
import type { DeviceRow, MemberPinRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { isMemberInGroups, wasMemberEverInGroups } from './access-snapshot/is-member-in-groups.ts';
import {
  listMemberIdsEverInGroups,
  loadMembersWithCredentials,
  type MemberWithCredentials,
} from './access-snapshot/members-with-credentials.ts';
import { loadControllerDeliveryStates } from './controller-credential-delivery-states.ts';
import { endStoredSessions } from './uplink/end-stored-sessions.ts';

type Services = Pick<BridgeServices, 'storage' | 'masterKeys'>;

const PAGE = 500;

/** Members that have changed since the controller last confirmed its data; null if that is not known any more. */
const findChangedMembers = async (
  { storage }: Services,
  organizationId: string,
  servedRevision: number,
): Promise<ReadonlySet<string> | null> => {
  const horizon = await storage.reader
    .selectFrom('change_horizons')
    .select('revision')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (servedRevision < (horizon?.revision ?? 0)) return null;
  const rows = await storage.reader
    .selectFrom('access_changes')
    .select('object_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('object_type', '=', 'member')
    .where('revision', '>', servedRevision)
    .execute();
  return new Set(rows.map(({ object_id }) => object_id));
};

/** Members that are in the snapshot of the controller, or were when it last confirmed one. */
const loadMembersOnController = async (
  services: Services,
  { id, organization_id }: DeviceRow,
): Promise<MemberWithCredentials[]> => {
  const { storage, masterKeys } = services;
  const states = await loadControllerDeliveryStates(services, organization_id, () => true);
  const state = states.find(({ device_id }) => device_id === id);
  if (state === undefined) return [];
  const { requiredGroups, servedGroups, served_revision } = state;
  const groups = new Set([...requiredGroups, ...servedGroups]);
  const changed =
    served_revision === null ? new Set<string>() : await findChangedMembers(services, organization_id, served_revision);
  const { reader: db, engine } = storage;
  const source = { db, engine, masterKeys, organizationId: organization_id, onUnreadable: () => undefined };
  const ids = await listMemberIdsEverInGroups(source, groups);
  const found: MemberWithCredentials[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = await loadMembersWithCredentials(source, ids.slice(at, at + PAGE));
    for (const member of page.values()) {
      const wasServed = wasMemberEverInGroups(member, servedGroups) && (changed === null || changed.has(member.id));
      if (member.is_deleted === 0 && (isMemberInGroups(member, groups) || wasServed)) found.push(member);
    }
  }
  return found;
};

const selectOfMembers = async <R extends { readonly member_id: string }>(
  { storage }: Services,
  from: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, R[]>> => {
  const { rows } = await sql<R>`${sql.raw(from)} and ${buildIdInExpression(storage.engine, sql`t.member_id`, ids)}
    order by t.created_at, t.id`.execute(storage.reader);
  return Map.groupBy(rows, ({ member_id }) => member_id);
};

interface AffectedRows {
  readonly pins: readonly MemberPinRow[];
  readonly member: AffectedMember;
}

/** `before`: credentials that were created since then are new. */
const loadAffectedRows = async (
  services: Services,
  device: DeviceRow,
  before: number | null,
): Promise<AffectedRows[]> => {
  const ids = (await loadMembersOnController(services, device)).map(({ id }) => id);
  if (ids.length === 0) return [];
  const { storage } = services;
  const isOld = `t.is_deleted = 0${before === null ? '' : ` and t.created_at < ${before}`}`;
  const pins = await selectOfMembers<MemberPinRow>(services, `select t.* from member_pins as t where ${isOld}`, ids);
  const cards = await selectOfMembers<AffectedMember['cards'][number] & { readonly member_id: string }>(
    services,
    `select t.id, t.member_id, t.card_id, c.name, c.printed_code, c.uid from member_cards as t
      join cards as c on c.id = t.card_id where c.is_deleted = 0 and c.uid is not null and ${isOld}`,
    ids,
  );
  const emails = await selectOfMembers<{ readonly member_id: string; readonly id: string; readonly email: string }>(
    services,
    'select t.id, t.member_id, t.email from member_emails as t where t.is_deleted = 0',
    ids,
  );
  const { rows: names } = await sql<{
    readonly id: string;
    readonly name: string;
  }>`select t.id, t.name from members as t
    where ${buildIdInExpression(storage.engine, sql`t.id`, ids)} order by t.name, t.id`.execute(storage.reader);
  return names.flatMap(({ id, name }) => {
    const own = pins.get(id) ?? [];
    const ownCards = cards.get(id) ?? [];
    if (own.length + ownCards.length === 0) return [];
    const [email] = emails.get(id) ?? [];
    const member = {
      member_id: id,
      name,
      email: email === undefined ? null : { id: email.id, email: email.email },
      pins: own.map(pin => ({ id: pin.id, length: pin.length, new_id: null, pin: null })),
      cards: ownCards.map(({ member_id: _, ...card }) => card),
    } as AffectedMember;
    return [{ pins: own, member }];
  });
};

const toResponse = (device: DeviceRow, dry_run: boolean, members: AffectedMember[]): StolenControllerResponse => ({
  device_id: device.id as StolenControllerResponse['device_id'],
  dry_run,
  pin_count: members.reduce((sum, { pins }) => sum + pins.length, 0),
  card_count: members.reduce((sum, { cards }) => sum + cards.length, 0),
  members,
});

const findReportedAt = async ({ storage }: Services, deviceId: string): Promise<number | null> => {
  const link = await storage.reader
    .selectFrom('device_links')
    .select('stolen_at')
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  return link?.stolen_at ?? null;
};

/** Whose PINs and cards the controller has. Changes nothing. */
export const previewStolenController = async (
  services: Services,
  device: DeviceRow,
): Promise<StolenControllerResponse> => {
  const rows = await loadAffectedRows(services, device, await findReportedAt(services, device.id));
  return toResponse(
    device,
    true,
    rows.map(({ member }) => member),
  );
};

/** When a controller was reported as stolen, and whether that was before. */
interface StolenReport {
  readonly at: number;
  readonly isRepeated: boolean;
}

/** What the controller holds stays recorded until another one is claimed. */
const revokeController = async (
  context: WriteContext,
  { id, site_id, hardware_id }: DeviceRow,
): Promise<StolenReport> => {
  const { db, now } = context;
  const links = db.selectFrom('device_links').select(['stolen_at', 'session_nonce']).where('device_id', '=', id);
  const link = await links.executeTakeFirst();
  if (link === undefined) throw new ApiError('not_found', `No controller is claimed for ${id}`, { id });
  if (link.stolen_at !== null) return { at: link.stolen_at, isRepeated: true };
  context.log({ verb: 'edit', reason: 'controller_stolen', object: { type: 'device', device_id: id, site_id } });
  // Also closes its connection.
  context.log({ verb: 'delete', object: { type: 'hardware', hardware_id: hardware_id ?? id, device_id: id, site_id } });
  await revokeDeviceCertificates(context, id);
  context.markChanged('device', id);
  if (link.session_nonce !== null) await endStoredSessions(context, [{ deviceId: id, nonce: link.session_nonce }]);
  await db.updateTable('device_links').set({ stolen_at: now }).where('device_id', '=', id).execute();
  return { at: now, isRepeated: false };
};

type Write = <T>(work: (context: WriteContext) => Promise<T>) => Promise<T>;

/** The new PIN has the length of the old one. */
const replacePins = async (context: WriteContext, { pins, member }: AffectedRows): Promise<AffectedMember> => {
  const replaced: AffectedMember['pins'] = [];
  for (const { id, length, metadata } of pins) {
    const created = await createMemberPin(context, member.member_id, {
      length,
      metadata: JSON.parse(metadata) as Metadata,
    });
    await deleteMemberPin(context, { parentId: member.member_id, id });
    const new_id = created.id as NonNullable<AffectedMember['pins'][number]['new_id']>;
    replaced.push({ id: id as AffectedMember['pins'][number]['id'], length, new_id, pin: created.pin });
  }
  return { ...member, pins: replaced };
};

const MEMBERS_PER_WRITE = 50;

/**
 * Revokes the controller first, then replaces the PINs that it has. If that is interrupted, the same report continues: it
 * leaves PINs that are newer than the first report as they are.
 */
export const reportStolenController = async (
  services: Services,
  device: DeviceRow,
  write: Write,
): Promise<StolenControllerResponse> => {
  const report = await write(context => revokeController(context, device));
  const affected = await loadAffectedRows(services, device, report.isRepeated ? report.at : null);
  const members: AffectedMember[] = [];
  for (let at = 0; at < affected.length; at += MEMBERS_PER_WRITE) {
    const page = affected.slice(at, at + MEMBERS_PER_WRITE);
    const written = await write(async context => {
      const replaced: AffectedMember[] = [];
      for (const rows of page) replaced.push(await replacePins(context, rows));
      return replaced;
    });
    members.push(...written);
  }
  return toResponse(device, false, members);
};

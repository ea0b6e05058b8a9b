import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isRole, roleAllows } from '../accounts/role-permissions.ts';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import type { ClaimTicketRow } from '../storage/organization-key-and-claim-ticket-schema.ts';
import type { Database, DeviceRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { updateRow } from '../transactions/row-operations.ts';
import { type ClaimTicketIssuer, computeClaimTicketStatus, revokeClaimTicket } from './claim-tickets.ts';
import { revokeDeviceCertificates } from './device-certificates.ts';
import { deleteDevice } from './devices.ts';

/*
 * Whoever holds a claim ticket chooses the key under which the bridge sends PINs and cards. So a controller gets members
 * only if a person who may manage people issued its ticket, or has confirmed it since.
 */

/** After a confirmation the hardware has this long to repeat its claim. */
const REPEAT_CLAIM_MS = 30 * 86_400_000;

/** SHA-256 of the controller's key, in hex. */
const computeControllerFingerprint = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex');

/** A token of `lintel token`, which belongs to no user. */
const isOperatorToken = ({ applicationId, userId, isApplication }: OrganizationCaller): boolean =>
  applicationId !== null && userId === null && !isApplication;

export const identifyTicketIssuer = (caller: OrganizationCaller): ClaimTicketIssuer => ({
  userId: caller.userId,
  applicationId: caller.applicationId,
  isOperator: isOperatorToken(caller),
});

/** Confirmations are decisions of persons: tokens of applications and scripts cannot make them. */
export const requirePersonOrOperator = (caller: OrganizationCaller): void => {
  if (caller.applicationId === null || isOperatorToken(caller)) return;
  throw new ApiError(
    'forbidden',
    'A signed-in person is required. Tokens of applications and scripts are not accepted',
  );
};

/** Judged when the ticket is redeemed, by what its issuer may do by then. */
export const isActiveAtOnce = async (
  { db, organizationId }: Pick<WriteContext, 'db' | 'organizationId'>,
  { is_from_operator, issued_by_user_id, issued_by_application_id }: ClaimTicketRow,
): Promise<boolean> => {
  if (is_from_operator === 1) return true;
  if (issued_by_application_id !== null || issued_by_user_id === null) return false;
  const issuer = await db
    .selectFrom('organization_users as u')
    .innerJoin('organizations as o', 'o.id', 'u.organization_id')
    .select(['u.role', 'o.technicians_activate'])
    .where('u.organization_id', '=', organizationId)
    .where('u.user_id', '=', issued_by_user_id)
    .executeTakeFirst();
  if (issuer === undefined || !isRole(issuer.role)) return false;
  const { role, technicians_activate } = issuer;
  return roleAllows(role, 'devices.confirm') || (technicians_activate === 1 && roleAllows(role, 'claim_tickets.write'));
};

/** Whether a controller is at this place that already gets members. */
export const hasConfirmedController = async ({ db }: Pick<WriteContext, 'db'>, deviceId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('device_links as l')
    .innerJoin('device_certificates as c', 'c.device_id', 'l.device_id')
    .select('c.serial')
    .where('l.device_id', '=', deviceId)
    .where('l.is_confirmed', '=', 1)
    .where('c.revoked_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};

/** A controller that waits for a confirmation. */
export interface WaitingController {
  readonly device_id: string;
  readonly site_id: string;
  readonly site_name: string;
  readonly name: string;
  readonly hardware_id: string | null;
  readonly fingerprint: string;
  readonly since: number;
  /** Null for an unknown person, or for an application. */
  readonly claimed_by: string | null;
  /** The present controller of the device works until the confirmation. */
  readonly is_replacement: boolean;
}

const claimerColumns = ['u.name as user_name', 'a.name as application_name', 'd.site_id', 'd.name'] as const;

const claimerOf = (row: { readonly user_name: string | null; readonly application_name: string | null }) =>
  row.user_name ?? row.application_name;

/** `deviceId`: only of this device. */
export const listWaitingControllers = async (
  db: Kysely<Database>,
  organizationId: string,
  { now, deviceId }: { readonly now: number; readonly deviceId?: string | undefined },
): Promise<WaitingController[]> => {
  let links = db
    .selectFrom('device_links as l')
    .innerJoin('devices as d', 'd.id', 'l.device_id')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .innerJoin('device_certificates as c', 'c.serial', 'l.serial')
    .leftJoin('claim_tickets as t', 't.id', 'l.claim_ticket_id')
    .leftJoin('users as u', 'u.id', 't.issued_by_user_id')
    .leftJoin('oauth_applications as a', 'a.id', 't.issued_by_application_id')
    .select([...claimerColumns, 's.name as site_name', 'l.device_id', 'c.hardware_id', 'c.public_key'])
    .select(['c.created_at', 't.redeemed_at'])
    .where('l.organization_id', '=', organizationId)
    .where('l.is_confirmed', '=', 0)
    .where('d.is_deleted', '=', 0)
    .where('c.revoked_at', 'is', null);
  let replacements = db
    .selectFrom('claim_tickets as t')
    .innerJoin('devices as d', 'd.id', 't.device_id')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .leftJoin('users as u', 'u.id', 't.issued_by_user_id')
    .leftJoin('oauth_applications as a', 'a.id', 't.issued_by_application_id')
    .select([...claimerColumns, 's.name as site_name', 'd.id as device_id'])
    .select(['t.waiting_hardware_id', 't.waiting_public_key', 't.waiting_since'])
    .where('t.organization_id', '=', organizationId)
    .where('t.waiting_since', 'is not', null)
    .where('t.confirmed_at', 'is', null)
    .where('t.redeemed_at', 'is', null)
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', now)
    .where('d.is_deleted', '=', 0);
  if (deviceId !== undefined) {
    links = links.where('l.device_id', '=', deviceId);
    replacements = replacements.where('t.device_id', '=', deviceId);
  }
  const added = (await links.orderBy('d.name').execute()).map(row => ({
    device_id: row.device_id,
    site_id: row.site_id,
    site_name: row.site_name,
    name: row.name,
    hardware_id: row.hardware_id,
    fingerprint: computeControllerFingerprint(row.public_key),
    since: row.redeemed_at ?? row.created_at,
    claimed_by: claimerOf(row),
    is_replacement: false,
  }));
  const replacing = (await replacements.orderBy('t.waiting_since', 'desc').execute()).map(row => ({
    device_id: row.device_id,
    site_id: row.site_id,
    site_name: row.site_name,
    name: row.name,
    hardware_id: row.waiting_hardware_id,
    fingerprint: computeControllerFingerprint(row.waiting_public_key ?? ''),
    since: row.waiting_since ?? 0,
    claimed_by: claimerOf(row),
    is_replacement: true,
  }));
  return [...added, ...replacing];
};

const nothingWaits = (deviceId: string): ApiError =>
  new ApiError('not_found', `No controller of ${deviceId} waits for a confirmation`, { id: deviceId });

/** The controller that the person has seen. Another one may have been claimed since. */
const requireWaiting = async (
  context: WriteContext,
  deviceId: string,
  fingerprint: string | undefined,
): Promise<WaitingController> => {
  const { db, organizationId, now } = context;
  const waiting = await listWaitingControllers(db, organizationId, { now, deviceId });
  if (waiting.length === 0) throw nothingWaits(deviceId);
  const found =
    fingerprint === undefined && waiting.length === 1
      ? waiting[0]
      : waiting.find(controller => controller.fingerprint === fingerprint);
  if (found === undefined)
    throw createInvalidFieldError(
      'fingerprint',
      'is outdated: another controller waits by now. Compare its fingerprint',
      {
        id: deviceId,
      },
    );
  return found;
};

const findWaitingTickets = async (
  { db, organizationId, now }: WriteContext,
  deviceId: string,
  fingerprint: string,
): Promise<ClaimTicketRow[]> => {
  const rows = await db
    .selectFrom('claim_tickets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('device_id', '=', deviceId)
    .where('waiting_since', 'is not', null)
    .execute();
  return rows.filter(
    row =>
      computeClaimTicketStatus(row, now) === 'open' &&
      computeControllerFingerprint(row.waiting_public_key ?? '') === fingerprint,
  );
};

const logDecision = (
  context: WriteContext,
  { device_id, site_id, hardware_id }: WaitingController,
  reason: 'controller_confirmed' | 'controller_rejected',
): void => {
  const hardware = hardware_id === null ? {} : { hardware_id };
  context.log({ verb: 'edit', reason, object: { type: 'device', device_id, site_id, ...hardware } });
};

/** From now on the controller gets members. A replacement takes the place of the present controller when it repeats its claim. */
export const confirmController = async (
  context: WriteContext,
  device: DeviceRow,
  fingerprint: string | undefined,
): Promise<void> => {
  const waiting = await requireWaiting(context, device.id, fingerprint);
  logDecision(context, waiting, 'controller_confirmed');
  if (waiting.is_replacement) {
    for (const ticket of await findWaitingTickets(context, device.id, waiting.fingerprint))
      await updateRow(context, 'claim_tickets', ticket, {
        confirmed_at: context.now,
        expires_at: Math.max(ticket.expires_at, context.now + REPEAT_CLAIM_MS),
      });
    return;
  }
  await context.db.updateTable('device_links').set({ is_confirmed: 1 }).where('device_id', '=', device.id).execute();
  context.markChanged('device', device.id);
};

/** A new controller is deleted, or unclaimed if its device existed before. A replacement leaves the present controller as it is. */
export const rejectController = async (
  context: WriteContext,
  device: DeviceRow,
  fingerprint: string | undefined,
): Promise<void> => {
  const waiting = await requireWaiting(context, device.id, fingerprint);
  logDecision(context, waiting, 'controller_rejected');
  if (waiting.is_replacement) {
    for (const ticket of await findWaitingTickets(context, device.id, waiting.fingerprint))
      await revokeClaimTicket(context, ticket);
    return;
  }
  const ticket = await context.db
    .selectFrom('device_links as l')
    .innerJoin('claim_tickets as t', 't.id', 'l.claim_ticket_id')
    .select('t.device_id')
    .where('l.device_id', '=', device.id)
    .executeTakeFirst();
  if (ticket?.device_id === null) {
    await deleteDevice(context, device.id, { isForced: true });
    return;
  }
  await unclaimDevice(context, device);
};

/**
 * Device, gadgets and input rules stay. The device keeps its hardware id: without one it would be virtual. The event closes
 * the connection.
 */
const unclaimDevice = async (context: WriteContext, { id, site_id, hardware_id }: DeviceRow): Promise<void> => {
  await revokeDeviceCertificates(context, id);
  context.markChanged('device', id);
  context.log({ verb: 'delete', object: { type: 'hardware', hardware_id: hardware_id ?? id, device_id: id, site_id } });
};

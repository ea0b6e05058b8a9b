import type { AccessMethod, PermissionDenialReason, SiteLocation } from '@lintel/access-core/access-data-types';
import type { GadgetId, MemberId } from '@lintel/access-core/ids';
import { decidePermission } from '@lintel/access-core/permission/decide';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { loadMemberAccessDataForGadget } from '../access/load-member-access-data.ts';
import { createPermissionError } from './permission-error.ts';
import { hasPermission } from '../accounts/role-permissions.ts';
import { ApiError, createNotFoundError, createUnknownReferenceError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { requireGadgetAction, type ResolvedGadgetAction } from '../resources/require-gadget-action.ts';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { DeviceRow, GadgetRow } from '../storage/schema.ts';
import { findRow, requireActiveRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/*
 * Whatever moves a strike passes `authorizeStrike`: actions of both APIs, on behalf of members, of guests, at a virtual
 * keypad, by a trigger and by a remote technician. What executes an action accepts only an `AuthorizedStrike`, and only
 * this file can create one.
 */

/** A user or a token needs this permission at the site of the door. */
const STRIKE_PERMISSION: AdminPermission = 'gadgets.execute';

interface MemberAccessRequest {
  readonly memberId: string;
  readonly accessMethod: AccessMethod;
  readonly location: SiteLocation | null;
}

/** The role of a user or token at the site. An application needs the feature `whitelabel` as well. */
interface AccountRight {
  readonly kind: 'account';
  readonly caller: OrganizationCaller;
}

/** The permissions of a member. `caller`: the account that acts for the member, null if it is the member. */
interface MemberRight {
  readonly kind: 'member';
  readonly caller: OrganizationCaller | null;
  readonly member: MemberAccessRequest;
  readonly engine: DatabaseEngine;
}

/** A trigger of the site. */
interface TriggerRight {
  readonly kind: 'trigger';
  readonly gadgetTriggerId: string;
}

interface GadgetActionTarget {
  readonly gadgetId: string;
  readonly actionId: string;
}

/** Outputs of a controller that belong to no gadget, which a technician tests. */
interface OutputsTarget {
  readonly outputsOfDeviceId: string;
}

class AuthorizedDeviceStrike {
  /** Makes the type nominal: an object with the same fields is not authorized. */
  readonly #isAuthorized = true;
  readonly device: DeviceRow;

  constructor(device: DeviceRow) {
    this.device = device;
  }

  isFor(deviceId: string): boolean {
    return this.#isAuthorized && this.device.id === deviceId;
  }
}

class AuthorizedGadgetStrike extends AuthorizedDeviceStrike implements ResolvedGadgetAction {
  readonly gadget: GadgetRow;
  readonly actionId: string;

  constructor({ gadget, device, actionId }: ResolvedGadgetAction) {
    super(device);
    this.gadget = gadget;
    this.actionId = actionId;
  }
}

export type AuthorizedStrike = AuthorizedDeviceStrike;
export type AuthorizedAction = AuthorizedGadgetStrike;

/** The member may not do it. The caller logs the denial. */
export interface StrikeDenial {
  readonly reason: PermissionDenialReason;
  readonly target: ResolvedGadgetAction;
}

const requirePermission = (caller: OrganizationCaller): void => {
  if (!hasPermission(caller, STRIKE_PERMISSION)) throw createPermissionError(caller, STRIKE_PERMISSION);
};

/** The feature is about applications that replace the operator's own. A signed-in user needs a role instead. */
const requireWhitelabel = async ({ db, organizationId }: WriteContext, caller: OrganizationCaller): Promise<void> => {
  if (caller.applicationId === null) return;
  const organization = await db
    .selectFrom('organizations')
    .select('whitelabel')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization?.whitelabel === 1) return;
  throw new ApiError('forbidden', 'The organization does not have the whitelabel feature', {
    reason: 'missing_whitelabel',
  });
};

const isAtSiteOf = ({ siteIds }: OrganizationCaller, siteId: string): boolean =>
  siteIds === null || siteIds.includes(siteId);

const requireOutputs = async (
  context: WriteContext,
  { caller }: AccountRight,
  deviceId: string,
): Promise<AuthorizedStrike> => {
  const device = await requireActiveRow(context, 'devices', 'device', deviceId);
  if (!isAtSiteOf(caller, device.site_id)) throw createNotFoundError('device', deviceId);
  return new AuthorizedDeviceStrike(device);
};

const decideForMember = async (
  context: WriteContext,
  { engine, member: { memberId, accessMethod, location } }: MemberRight,
  target: ResolvedGadgetAction,
): Promise<AuthorizedAction | StrikeDenial> => {
  const member = await findRow(context, 'members', memberId);
  if (member === undefined) throw createUnknownReferenceError('member_id', memberId);
  const { db, organizationId, now } = context;
  const accessData = await loadMemberAccessDataForGadget({ db, engine, organizationId }, member, target.gadget);
  const decision = decidePermission(accessData, {
    member_id: member.id as MemberId,
    gadget_id: target.gadget.id as GadgetId,
    action_id: target.actionId,
    access_method: accessMethod,
    now,
    time_trusted: true,
    location,
  });
  if (decision.outcome === 'not_found') throw createNotFoundError(decision.missing, target.gadget.id);
  return decision.outcome === 'grant' ? new AuthorizedGadgetStrike(target) : { reason: decision.reason, target };
};

const requireTrigger = async (
  { db, organizationId }: WriteContext,
  { gadgetTriggerId }: TriggerRight,
  { gadget, actionId }: ResolvedGadgetAction,
): Promise<void> => {
  const trigger = await db
    .selectFrom('gadget_triggers')
    .select('id')
    .where('id', '=', gadgetTriggerId)
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', gadget.site_id)
    .where('target_gadget_id', '=', gadget.id)
    .where('target_action_id', '=', actionId)
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
  if (trigger === undefined) throw createNotFoundError('gadget_trigger', gadgetTriggerId);
};

/**
 * The only way to an `AuthorizedStrike`. Runs under the organization's lock, so that every earlier revocation applies.
 * Throws 403 without the permission or the feature, and 404 for what does not exist or is at another site.
 */
export async function authorizeStrike(
  context: WriteContext,
  right: AccountRight,
  target: OutputsTarget,
): Promise<AuthorizedStrike>;
export async function authorizeStrike(
  context: WriteContext,
  right: AccountRight | TriggerRight,
  target: GadgetActionTarget,
): Promise<AuthorizedAction>;
export async function authorizeStrike(
  context: WriteContext,
  right: MemberRight,
  target: GadgetActionTarget,
): Promise<AuthorizedAction | StrikeDenial>;
export async function authorizeStrike(
  context: WriteContext,
  right: AccountRight | TriggerRight | MemberRight,
  target: GadgetActionTarget | OutputsTarget,
): Promise<AuthorizedStrike | StrikeDenial> {
  const caller = right.kind === 'trigger' ? null : right.caller;
  if (caller !== null) requirePermission(caller);
  if (right.kind === 'account') await requireWhitelabel(context, right.caller);
  if ('outputsOfDeviceId' in target) return requireOutputs(context, right as AccountRight, target.outputsOfDeviceId);
  const action = await requireGadgetAction(context, target.gadgetId, target.actionId);
  if (caller !== null && !isAtSiteOf(caller, action.gadget.site_id))
    throw createNotFoundError('gadget', action.gadget.id);
  if (right.kind === 'member') return decideForMember(context, right, action);
  if (right.kind === 'trigger') await requireTrigger(context, right, action);
  return new AuthorizedGadgetStrike(action);
}

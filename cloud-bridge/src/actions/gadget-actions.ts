import type { AccessMethod, SiteLocation } from '@lintel/access-core/access-data-types';
import type { GadgetId, MemberId } from '@lintel/access-core/ids';
import { decidePermission } from '@lintel/access-core/permission/decide';
import type { PermissionDecision } from '@lintel/access-core/permission/decision-types';
import { loadMemberAccessDataForGadget } from '../access/load-member-access-data.ts';
import { executeVirtualGadgetAction } from '../automation/virtual-gadgets.ts';
import { ApiError, createInvalidFieldError, createNotFoundError } from '../http/api-error.ts';
import {
  toGadgetActionEventObject,
  type ResolvedGadgetAction,
  requireGadgetAction,
} from '../resources/require-gadget-action.ts';
import { isVirtualDevice } from '../resources/gateway-and-virtual-devices.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Actor } from '../transactions/actor.ts';
import { findRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import type { DeviceActionExecutor } from './device-action-executor-interface.ts';

export interface GadgetActionRequest {
  readonly organizationId: string;
  readonly gadgetId: string;
  readonly actionId: string;
  /** The application, with the user or the credential of the member. */
  readonly actor: Actor;
}

export interface ActingMember {
  readonly memberId: string;
  readonly location: (SiteLocation & { readonly accuracy?: number | null | undefined }) | null;
}

export interface GadgetActionServices extends Pick<BridgeServices, 'writer' | 'storage'> {
  readonly actions: DeviceActionExecutor;
}

/** The action that the hardware has to execute. Null for a virtual device, whose action is already complete. */
type PendingTarget = ResolvedGadgetAction | null;

const logUse = (context: WriteContext, target: ResolvedGadgetAction): void =>
  context.log({ verb: 'use', object: toGadgetActionEventObject(target) });

/** Completes the action of a virtual device, which the bridge itself executes. */
const startAction = async (context: WriteContext, target: ResolvedGadgetAction): Promise<PendingTarget> => {
  if (!isVirtualDevice(target.device)) return target;
  logUse(context, target);
  await executeVirtualGadgetAction(context, target);
  return null;
};

/** Executes the action before it writes the event, so that the door opens without delay. */
const finishAction = async (
  services: GadgetActionServices,
  pending: PendingTarget,
  { organizationId, actor }: GadgetActionRequest,
): Promise<void> => {
  if (pending === null) return;
  const { gadget, device, actionId } = pending;
  const deviceRequest = { organizationId, deviceId: device.id, gadgetId: gadget.id, actionId, actor };
  const result = await services.actions.execute(deviceRequest);
  if (result === 'offline') {
    throw new ApiError('hardware_offline', `Device ${device.id} is offline or cannot execute the action`, {
      device_id: device.id,
    });
  }
  if (result === 'done') await services.writer.write(organizationId, actor, async context => logUse(context, pending));
};

/** The feature is about applications that replace the operator's own. A signed-in user needs a role instead. */
const requireWhitelabel = async ({ db, organizationId }: WriteContext, actor: Actor): Promise<void> => {
  if (actor.oauth_application_id === undefined) return;
  const organization = await db
    .selectFrom('organizations')
    .select('whitelabel')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization?.whitelabel === 1) return;
  throw new ApiError('forbidden', 'The organization does not have the whitelabel feature');
};

/** For integrators that have checked the permission themselves, and for signed-in users. */
export const executeGadgetActionWithoutAccessDecision = async (
  services: GadgetActionServices,
  original: GadgetActionRequest,
): Promise<void> => {
  const request: GadgetActionRequest = { ...original, actor: { ...original.actor, access_method: 'online' } };
  const pending = await services.writer.write(request.organizationId, request.actor, async context => {
    await requireWhitelabel(context, request.actor);
    return startAction(context, await requireGadgetAction(context, request.gadgetId, request.actionId));
  });
  await finishAction(services, pending, request);
};

export interface MemberAccessRequest {
  readonly memberId: string;
  readonly accessMethod: AccessMethod;
  readonly location: SiteLocation | null;
}

export const decideMemberAccess = async (
  { engine }: Storage,
  context: WriteContext,
  { gadget, actionId }: ResolvedGadgetAction,
  { memberId, accessMethod, location }: MemberAccessRequest,
): Promise<PermissionDecision> => {
  const member = await findRow(context, 'members', memberId);
  if (member === undefined) throw createInvalidFieldError('member_id', `Unknown member ${memberId}`, { id: memberId });
  const { db, organizationId, now } = context;
  const accessData = await loadMemberAccessDataForGadget({ db, engine, organizationId }, member, gadget);
  return decidePermission(accessData, {
    member_id: member.id as MemberId,
    gadget_id: gadget.id as GadgetId,
    action_id: actionId,
    access_method: accessMethod,
    now,
    time_trusted: true,
    location,
  });
};

/** Adds the location that the phone reports to the details of the event. */
const memberActor = (actor: Actor, { memberId, location }: ActingMember): Actor => {
  const onlineActor = { ...actor, member_id: memberId, access_method: 'online' } as const;
  if (location === null) return onlineActor;
  const reported = {
    location: `${location.lat},${location.lng}`,
    ...(location.accuracy == null ? {} : { location_accuracy: String(location.accuracy) }),
  };
  return { ...onlineActor, details: { ...actor.details, ...reported } };
};

/**
 * Executes an action with the permissions of a member. Checks the access under the organization's lock, so that every
 * earlier revocation applies.
 */
export const executeGadgetActionAsMember = async (
  services: GadgetActionServices,
  original: GadgetActionRequest,
  member: ActingMember,
): Promise<void> => {
  const request: GadgetActionRequest = { ...original, actor: memberActor(original.actor, member) };
  const outcome = await services.writer.write(request.organizationId, request.actor, async context => {
    const target = await requireGadgetAction(context, request.gadgetId, request.actionId);
    const decision = await decideMemberAccess(services.storage, context, target, { ...member, accessMethod: 'online' });
    if (decision.outcome === 'grant') return { pending: await startAction(context, target) };
    if (decision.outcome === 'not_found') throw createNotFoundError(decision.missing, request.gadgetId);
    context.log({ verb: 'deny', object: toGadgetActionEventObject(target), reason: decision.reason });
    return decision;
  });
  // After the commit: an error inside the transaction would roll back the event of the denial.
  if ('reason' in outcome) {
    throw new ApiError('permission_denied', `Access denied: ${outcome.reason}`, { reason: outcome.reason });
  }
  await finishAction(services, outcome.pending, request);
};

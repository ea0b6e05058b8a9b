import type { Location } from '@lintel/access-core/access-model';
import type { GadgetId, MemberId } from '@lintel/access-core/ids';
import { decide } from '@lintel/access-core/permission/decide';
import type { Decision } from '@lintel/access-core/permission/decision';
import { loadMemberWorld } from '../access/member-world.ts';
import { ApiError, invalid, notFound } from '../http/api-error.ts';
import { isVirtual } from '../resources/device-constraints.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../transactions/actor.ts';
import { findRow } from '../transactions/rows.ts';
import type { WriteContext } from '../transactions/writer.ts';
import type { ActionPort } from './action-port.ts';
import { actionObject, type ActionTarget, findTarget } from './action-target.ts';

export interface ActionRequest {
  readonly organizationId: string;
  readonly gadgetId: string;
  readonly actionId: string;
  /** Whoever asks: the application, and beside it the user or the member's credential. */
  readonly actor: Actor;
}

export interface MemberClaim {
  readonly memberId: string;
  readonly location: (Location & { readonly accuracy?: number | null | undefined }) | null;
}

export interface ActionServices extends Pick<Services, 'writer' | 'storage'> {
  readonly actions: ActionPort;
}

/** Null when all is done already, as on a virtual device; else what the hardware still has to do. */
type Open = ActionTarget | null;

const logUse = (context: WriteContext, target: ActionTarget): void =>
  context.log({ verb: 'use', object: actionObject(target) });

/** A virtual device has acted as soon as its event is written. */
const begin = (context: WriteContext, target: ActionTarget): Open => {
  if (!isVirtual(target.device)) return target;
  logUse(context, target);
  return null;
};

/** The door first, then the event, unless it is the device's to tell: nobody waits for the log in front of a closed door. */
const finish = async (
  services: ActionServices,
  open: Open,
  { organizationId, actor }: ActionRequest,
): Promise<void> => {
  if (open === null) return;
  const { gadget, device, actionId } = open;
  const order = { organizationId, deviceId: device.id, gadgetId: gadget.id, actionId, actor };
  const outcome = await services.actions.perform(order);
  if (outcome === 'offline') {
    throw new ApiError('hardware_offline', `Device ${device.id} is not reachable or cannot act now`, {
      device_id: device.id,
    });
  }
  if (outcome === 'done') await services.writer.write(organizationId, actor, async context => logUse(context, open));
};

const requireWhitelabel = async ({ db, organizationId }: WriteContext): Promise<void> => {
  const organization = await db
    .selectFrom('organizations')
    .select('whitelabel')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (organization?.whitelabel === 1) return;
  throw new ApiError('forbidden', 'The organization does not have the whitelabel feature');
};

/** For integrators who have judged the permission themselves. */
export const performAction = async (services: ActionServices, asked: ActionRequest): Promise<void> => {
  const request: ActionRequest = { ...asked, actor: { ...asked.actor, access_method: 'online' } };
  const open = await services.writer.write(request.organizationId, request.actor, async context => {
    await requireWhitelabel(context);
    return begin(context, await findTarget(context, request.gadgetId, request.actionId));
  });
  await finish(services, open, request);
};

const judge = async (
  { storage }: ActionServices,
  context: WriteContext,
  { gadget, actionId }: ActionTarget,
  { memberId, location }: MemberClaim,
): Promise<Decision> => {
  const member = await findRow(context, 'members', memberId);
  if (member === undefined) throw invalid('member_id', `member_id: there is no ${memberId}`, { id: memberId });
  const { db, organizationId, now } = context;
  const world = await loadMemberWorld({ db, engine: storage.engine, organizationId }, member, gadget);
  return decide(world, {
    member_id: member.id as MemberId,
    gadget_id: gadget.id as GadgetId,
    action_id: actionId,
    access_method: 'online',
    now,
    time_trusted: true,
    location,
  });
};

/** Where the phone says it is goes into the event with the other things that it says of itself. */
const memberActor = (actor: Actor, { memberId, location }: MemberClaim): Actor => {
  const online = { ...actor, member_id: memberId, access_method: 'online' } as const;
  if (location === null) return online;
  const said = {
    location: `${location.lat},${location.lng}`,
    location_accuracy: location.accuracy == null ? null : String(location.accuracy),
  };
  return { ...online, client: { ...actor.client, ...said } };
};

/**
 * The action on behalf of a member, with that member's own permissions. Judged under the organization's lock, so that
 * whatever was revoked before is revoked here.
 */
export const performActionAsMember = async (
  services: ActionServices,
  asked: ActionRequest,
  claim: MemberClaim,
): Promise<void> => {
  const request: ActionRequest = { ...asked, actor: memberActor(asked.actor, claim) };
  const ruling = await services.writer.write(request.organizationId, request.actor, async context => {
    const target = await findTarget(context, request.gadgetId, request.actionId);
    const decision = await judge(services, context, target, claim);
    if (decision.outcome === 'grant') return { open: begin(context, target) };
    if (decision.outcome === 'not_found') throw notFound(decision.missing, request.gadgetId);
    context.log({ verb: 'deny', object: actionObject(target), reason: decision.reason });
    return decision;
  });
  // Only after the commit: a thrown error would take the record of the refusal back.
  if ('reason' in ruling) {
    throw new ApiError('permission_denied', `The member may not do this: ${ruling.reason}`, { reason: ruling.reason });
  }
  await finish(services, ruling.open, request);
};

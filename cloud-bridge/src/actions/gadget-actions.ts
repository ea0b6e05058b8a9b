import type { SiteLocation } from '@lintel/access-core/access-data-types';
import { authorizeStrike, type AuthorizedAction } from '../authorization/authorize-strike.ts';
import { executeVirtualGadgetAction } from '../automation/virtual-gadgets.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { ApiError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { isVirtualDevice } from '../resources/gateway-and-virtual-devices.ts';
import { toGadgetActionEventObject } from '../resources/require-gadget-action.ts';
import type { Actor } from '../transactions/actor.ts';
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
type PendingTarget = AuthorizedAction | null;

const logUse = (context: WriteContext, target: AuthorizedAction): void =>
  context.log({ verb: 'use', object: toGadgetActionEventObject(target) });

/** Completes the action of a virtual device, which the bridge itself executes. */
const startAction = async (context: WriteContext, target: AuthorizedAction): Promise<PendingTarget> => {
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
  const { device } = pending;
  const result = await services.actions.execute({ organizationId, action: pending, actor });
  if (result === 'offline') {
    throw new ApiError('hardware_offline', `Device ${device.id} is offline or cannot execute the action`, {
      device_id: device.id,
    });
  }
  if (result === 'done') await services.writer.write(organizationId, actor, async context => logUse(context, pending));
};

/** For integrators that have checked the permission themselves, and for signed-in users. */
export const executeGadgetActionWithoutAccessDecision = async (
  services: GadgetActionServices,
  caller: OrganizationCaller,
  original: GadgetActionRequest,
): Promise<void> => {
  const request: GadgetActionRequest = { ...original, actor: { ...original.actor, access_method: 'online' } };
  const pending = await services.writer.write(request.organizationId, request.actor, async context =>
    startAction(context, await authorizeStrike(context, { kind: 'account', caller }, request)),
  );
  await finishAction(services, pending, request);
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

/** Executes an action with the permissions of a member. `caller`: the account that acts for the member. */
export const executeGadgetActionAsMember = async (
  services: GadgetActionServices,
  caller: OrganizationCaller | null,
  original: GadgetActionRequest,
  member: ActingMember,
): Promise<void> => {
  const request: GadgetActionRequest = { ...original, actor: memberActor(original.actor, member) };
  const { engine } = services.storage;
  const right = { kind: 'member', engine, caller, member: { ...member, accessMethod: 'online' } } as const;
  const outcome = await services.writer.write(request.organizationId, request.actor, async context => {
    const strike = await authorizeStrike(context, right, request);
    if (!('reason' in strike)) return { pending: await startAction(context, strike) };
    context.log({ verb: 'deny', object: toGadgetActionEventObject(strike.target), reason: strike.reason });
    return strike;
  });
  // After the commit: an error inside the transaction would roll back the event of the denial.
  if ('reason' in outcome) {
    throw new ApiError('permission_denied', `Access denied: ${outcome.reason}`, { reason: outcome.reason });
  }
  await finishAction(services, outcome.pending, request);
};

import cookies from '@fastify/cookie';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import {
  bridgeOnlyTechnicianOperations,
  isStrikeOperation,
  localOnlyTechnicianOperations,
  type RemoteTechnicianOperation,
  remoteTechnicianOperations,
  type StrikeOperation,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authenticateAccount,
  type ApiAuthenticationDependencies,
} from '../../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import { findOrganizationAccessOfAccount } from '../../accounts/organization-access.ts';
import { hasPermission } from '../../accounts/role-permissions.ts';
import { type AuthorizedStrike, authorizeStrike } from '../../authorization/authorize-strike.ts';
import { createPermissionError } from '../../authorization/permission-error.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { ApiError, createNotFoundError } from '../../http/api-error.ts';
import type { OrganizationCaller } from '../../http/authenticated-caller.ts';
import { toActor } from '../../transactions/actor.ts';
import { RemoteTechnicianLiveStream } from './remote-technician-live-stream.ts';
import { selectForwardedResponseHeaders } from './forwarded-response-headers.ts';
import type { RemoteTechnicianSubject, TechnicianRequestForwarder } from './technician-request-forwarder.ts';

const ROOT = '/admin/v1/devices/:device_id/technician/v1';

interface RemoteTechnician {
  readonly deviceId: string;
  readonly caller: OrganizationCaller;
}

/** What a caller of any route of this API needs. Each operation names its own permissions. */
const localOnlyNeeds = ['input_rules.write'] as const;

/** 404 for a device outside the sites of the user, 403 without a permission. */
const authorize = async (
  request: FastifyRequest,
  authentication: ApiAuthenticationDependencies,
  needs: readonly AdminPermission[],
): Promise<RemoteTechnician> => {
  const { device_id: id = '' } = request.params as { readonly device_id?: string };
  const account = await authenticateAccount(request, request, authentication);
  const db = authentication.services.storage.reader;
  const isStorable = id.isWellFormed() && !id.includes('\0');
  const device = !isStorable
    ? undefined
    : await db
        .selectFrom('devices')
        .select(['organization_id', 'site_id'])
        .where('id', '=', id)
        .where('is_deleted', '=', 0)
        .executeTakeFirst();
  const access =
    device === undefined ? null : await findOrganizationAccessOfAccount(db, device.organization_id, account);
  const isTheirs = access?.siteIds == null || access.siteIds.includes(device?.site_id ?? '');
  if (device === undefined || access === null || !isTheirs) throw createNotFoundError('device', id.toWellFormed());
  const missing = needs.find(permission => !hasPermission(access, permission));
  if (missing !== undefined) throw createPermissionError(access, missing);
  const { identity, ip, userAgent } = account;
  const [userId, applicationId] =
    identity.kind === 'session'
      ? [identity.session.user.id, null]
      : [identity.token.userId, identity.token.applicationId];
  const caller = { ...access, organizationId: device.organization_id, userId, applicationId, ip, userAgent };
  return { deviceId: id, caller };
};

const subjectOf = ({ userId, applicationId }: OrganizationCaller): RemoteTechnicianSubject =>
  ({ user_id: userId, oauth_application_id: applicationId }) as RemoteTechnicianSubject;

/** The same authorization as for an action of the API. */
const authorizeOperation = (
  { writer }: Pick<BridgeServices, 'writer'>,
  { deviceId, caller }: RemoteTechnician,
  operation: StrikeOperation,
  { gadget_id = '', action_id = '' }: Readonly<Record<string, string>>,
): Promise<AuthorizedStrike> =>
  writer.write(caller.organizationId, toActor(caller), async context => {
    const right = { kind: 'account', caller } as const;
    if (operation === 'pulse_output') return authorizeStrike(context, right, { outputsOfDeviceId: deviceId });
    const strike = await authorizeStrike(context, right, { gadgetId: gadget_id, actionId: action_id });
    if (!strike.isFor(deviceId)) throw createNotFoundError('gadget', gadget_id);
    return strike;
  });

const offline = (): ApiError =>
  new ApiError('hardware_offline', 'The controller is offline or did not respond in time. Try again');

/** As the message to the controller limits them. */
const MAX_TEXT = 1_000;
const MAX_BODY = 262_144;

const bodyOf = ({ body }: FastifyRequest): string | null => {
  const text = body === undefined ? null : JSON.stringify(body);
  if (text !== null && text.length > MAX_BODY) throw new ApiError('payload_too_large', 'The body is too large');
  return text;
};

const textsOf = (values: object): Record<string, string> => {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
  if (texts.some(([name, text]) => name.length > 40 || text.length > MAX_TEXT))
    throw new ApiError('invalid_request', 'A parameter is too long');
  return Object.fromEntries(texts);
};

/** The operations of the technician API that do not require the technician to be at the controller. */
export const serveRemoteTechnicianRoutes = (
  app: FastifyInstance,
  authentication: ApiAuthenticationDependencies,
  forwarder: TechnicianRequestForwarder,
): void => {
  const authorized = new WeakMap<FastifyRequest, RemoteTechnician>();
  const technicianOf = (request: FastifyRequest): RemoteTechnician => authorized.get(request)!;
  const authorizeFor =
    (needs: readonly AdminPermission[]) =>
    async (request: FastifyRequest): Promise<void> => {
      authorized.set(request, await authorize(request, authentication, needs));
    };
  const forward =
    (operation: RemoteTechnicianOperation) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const technician = technicianOf(request);
      const { device_id: _, ...values } = request.params as Readonly<Record<string, string>>;
      const parameters = textsOf(values);
      const content = {
        ...subjectOf(technician.caller),
        parameters,
        query: textsOf(request.query as object),
        body: bodyOf(request),
      };
      const response = await forwarder.forward(
        technician.deviceId,
        isStrikeOperation(operation)
          ? {
              ...content,
              operation,
              strike: await authorizeOperation(authentication.services, technician, operation, parameters),
            }
          : { ...content, operation },
      );
      if (response === null) throw offline();
      return reply
        .code(response.status)
        .headers(selectForwardedResponseHeaders(response))
        .header('content-type', 'application/json; charset=utf-8')
        .send(response.body);
    };
  const watchLive = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { deviceId, caller } = technicianOf(request);
    const stream = new RemoteTechnicianLiveStream(reply);
    if (!(await forwarder.subscribe(deviceId, subjectOf(caller), stream))) throw offline();
    // The stream ends with the session or the permission.
    const isAuthorized = (): Promise<boolean> =>
      authorize(request, authentication, remoteTechnicianOperations.watch_live.needs).then(
        () => true,
        () => false,
      );
    stream.start(isAuthorized, () => forwarder.unsubscribe(deviceId, stream));
    return reply;
  };
  const rejectRemote = (): never => {
    throw new ApiError('forbidden', 'This operation requires the technician to be at the controller', {
      reason: 'at_the_door_only',
    });
  };
  app.register(async scope => {
    await scope.register(cookies);
    for (const [name, { method, path, needs }] of Object.entries(remoteTechnicianOperations)) {
      if (bridgeOnlyTechnicianOperations.includes(name as RemoteTechnicianOperation)) continue;
      const handler = name === 'watch_live' ? watchLive : forward(name as RemoteTechnicianOperation);
      scope.route({ method, url: `${ROOT}${path}`, onRequest: authorizeFor(needs), handler });
    }
    for (const { method, path } of localOnlyTechnicianOperations)
      scope.route({ method, url: `${ROOT}${path}`, onRequest: authorizeFor(localOnlyNeeds), handler: rejectRemote });
  });
};

import cookies from '@fastify/cookie';
import {
  localOnlyTechnicianOperations,
  type RemoteTechnicianOperation,
  bridgeOnlyTechnicianOperations,
  remoteTechnicianOperations,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  authenticateAccount,
  type ApiAuthenticationDependencies,
} from '../../accounts/authenticate-by-bearer-token-or-session-cookie.ts';
import { findOrganizationAccessOfAccount } from '../../accounts/organization-access.ts';
import { roleAllows } from '../../accounts/role-permissions.ts';
import { ApiError, createNotFoundError } from '../../http/api-error.ts';
import { RemoteTechnicianLiveStream } from './remote-technician-live-stream.ts';
import { selectForwardedResponseHeaders } from './forwarded-response-headers.ts';
import type { RemoteTechnicianSubject, TechnicianRequestForwarder } from './technician-request-forwarder.ts';

const ROOT = '/admin/v1/devices/:device_id/technician/v1';

interface RemoteTechnician {
  readonly deviceId: string;
  readonly subject: RemoteTechnicianSubject;
}

/** A user who may have a technician pass for the site may do remotely what the pass allows at the door. */
const NEEDS = 'input_rules.write';

/** 404 for a device outside the sites of the user, 403 without the permission. */
const authorize = async (
  request: FastifyRequest,
  authentication: ApiAuthenticationDependencies,
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
  const membership =
    device === undefined ? null : await findOrganizationAccessOfAccount(db, device.organization_id, account);
  const isTheirs = membership?.siteIds == null || membership.siteIds.includes(device?.site_id ?? '');
  if (membership === null || !isTheirs) throw createNotFoundError('device', id.toWellFormed());
  if (!roleAllows(membership.role, NEEDS))
    throw new ApiError('forbidden', `A ${membership.role} may not do this: it needs ${NEEDS}`);
  const { identity } = account;
  const [user_id, oauth_application_id] =
    identity.kind === 'session'
      ? [identity.session.user.id, null]
      : [identity.token.userId, identity.token.applicationId];
  return { deviceId: id, subject: { user_id, oauth_application_id } as RemoteTechnicianSubject };
};

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
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    authorized.set(request, await authorize(request, authentication));
  };
  const forward =
    (operation: RemoteTechnicianOperation) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { deviceId, subject } = technicianOf(request);
      const { device_id: _, ...parameters } = request.params as Readonly<Record<string, string>>;
      const response = await forwarder.forward(deviceId, {
        ...subject,
        operation,
        parameters: textsOf(parameters),
        query: textsOf(request.query as object),
        body: bodyOf(request),
      });
      if (response === null) throw offline();
      return reply
        .code(response.status)
        .headers(selectForwardedResponseHeaders(response))
        .header('content-type', 'application/json; charset=utf-8')
        .send(response.body);
    };
  const watchLive = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { deviceId, subject } = technicianOf(request);
    const stream = new RemoteTechnicianLiveStream(reply);
    if (!(await forwarder.subscribe(deviceId, subject, stream))) throw offline();
    // The stream ends with the session or the permission.
    const isAuthorized = (): Promise<boolean> =>
      authorize(request, authentication).then(
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
    for (const [name, { method, path }] of Object.entries(remoteTechnicianOperations)) {
      if (bridgeOnlyTechnicianOperations.includes(name as RemoteTechnicianOperation)) continue;
      const handler = name === 'watch_live' ? watchLive : forward(name as RemoteTechnicianOperation);
      scope.route({ method, url: `${ROOT}${path}`, onRequest, handler });
    }
    for (const { method, path } of localOnlyTechnicianOperations)
      scope.route({ method, url: `${ROOT}${path}`, onRequest, handler: rejectRemote });
  });
};

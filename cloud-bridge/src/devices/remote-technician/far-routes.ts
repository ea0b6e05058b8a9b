import cookies from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuthenticationServices, identify } from '../../accounts/identify.ts';
import { membershipOf } from '../../accounts/membership.ts';
import { allows } from '../../accounts/role-permissions.ts';
import { ApiError, notFound } from '../../http/api-error.ts';
import { streamFarLive } from './far-live-stream.ts';
import { passedHeaders } from './passed-headers.ts';
import type { FarSubject, TechnicianLine } from './technician-line.ts';

const ROOT = '/technician/v1';
const FAR_ROOT = `/admin/v1/devices/:device_id${ROOT}`;

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
type Method = (typeof methods)[number];

interface FarCaller {
  readonly deviceId: string;
  readonly subject: FarSubject;
}

/** A user who may have a technician pass for the site may do remotely what the pass allows at the door. */
const NEEDS = 'input_rules.write';

/** 404 for a device that is none of theirs, 403 for who may look at it only. */
const admit = async (request: FastifyRequest, authentication: AuthenticationServices): Promise<FarCaller> => {
  const { device_id: id = '' } = request.params as { readonly device_id?: string };
  const account = await identify(request, request, authentication);
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
  const membership = device === undefined ? null : await membershipOf(db, device.organization_id, account);
  const isTheirs = membership?.siteIds == null || membership.siteIds.includes(device?.site_id ?? '');
  if (membership === null || !isTheirs) throw notFound('device', id.toWellFormed());
  if (!allows(membership.role, NEEDS))
    throw new ApiError('forbidden', `A ${membership.role} may not do this: it needs ${NEEDS}`);
  const { identity } = account;
  const [user_id, oauth_application_id] =
    identity.kind === 'session'
      ? [identity.session.user.id, null]
      : [identity.token.userId, identity.token.applicationId];
  return { deviceId: id, subject: { user_id, oauth_application_id } as FarSubject };
};

const offline = (): ApiError =>
  new ApiError('hardware_offline', 'The controller is not reachable, or has not answered in time');

/** As the message to the controller has them. */
const LONGEST_PATH = 2048;
const LONGEST_BODY = 262_144;

const bodyOf = ({ body }: FastifyRequest): string | null => {
  const text = body === undefined ? null : JSON.stringify(body);
  if (text !== null && text.length > LONGEST_BODY) throw new ApiError('payload_too_large', 'The body is too large');
  return text;
};

/** What the address says behind the controller's root, with its query. */
const pathOf = ({ url }: FastifyRequest): string => {
  const path = url.slice(url.indexOf(ROOT) + ROOT.length);
  if (path.length > LONGEST_PATH) throw new ApiError('invalid_request', 'The address is too long');
  return path;
};

/** The technician's API of every controller, for whoever may and from wherever they are. */
export const serveFarTechnicians = (
  app: FastifyInstance,
  authentication: AuthenticationServices,
  line: TechnicianLine,
): void => {
  const admitted = new WeakMap<FastifyRequest, FarCaller>();
  const callerOf = (request: FastifyRequest): FarCaller => admitted.get(request)!;
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    admitted.set(request, await admit(request, authentication));
  };
  const pass = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { deviceId, subject } = callerOf(request);
    const method = request.method as Method;
    const answer = await line.ask(deviceId, { ...subject, method, path: pathOf(request), body: bodyOf(request) });
    if (answer === null) throw offline();
    return reply
      .code(answer.status)
      .headers(passedHeaders(answer))
      .header('content-type', 'application/json; charset=utf-8')
      .send(answer.body);
  };
  app.register(async scope => {
    await scope.register(cookies);
    scope.get(`${FAR_ROOT}/live`, { onRequest }, async (request, reply) => {
      const { deviceId, subject } = callerOf(request);
      const stream = streamFarLive(reply);
      const isOn = await line.watch(deviceId, subject, stream.onlooker);
      if (!isOn) throw offline();
      // Whoever is signed out, or is no technician any more, sees no more either.
      const mayStill = (): Promise<boolean> =>
        admit(request, authentication).then(
          () => true,
          () => false,
        );
      stream.begin(mayStill, () => line.unwatch(deviceId, stream.onlooker));
      return reply;
    });
    scope.route({ method: [...methods], url: `${FAR_ROOT}/*`, onRequest, handler: pass });
  });
};

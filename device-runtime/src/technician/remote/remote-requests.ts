import type { FastifyInstance } from 'fastify';
import type { RemoteResponse, TechnicianPage } from '../../controller/technician-page.ts';
import { isRemoteRoute } from './remote-routes.ts';
import { ROOT } from '../http/route.ts';
import { TechnicianError } from '../errors/technician-error.ts';
import { httpErrors } from '../http/http-errors.ts';
import type { TechnicianParts } from '../technician-parts.ts';

const passedHeaders = ['content-disposition', 'retry-after', 'allow'];

const refusal = (error: TechnicianError): RemoteResponse => ({
  status: error.status,
  headers: { ...error.headers },
  body: JSON.stringify(error.body),
});

/** Not by asking the page at the door: what it takes for one of its routes and this does not would be open then. */
const refusalOf = (method: string, served: readonly string[]): TechnicianError =>
  served.includes(method)
    ? new TechnicianError('forbidden', 'This is done at the door only', { reason: 'at_the_door_only' })
    : httpErrors.notServed(method, served);

/** Answers technicians far away by the routes of the page at the door. Who they are is the organization's signed word. */
export const remoteRequestHandler =
  (app: FastifyInstance, { remoteSessions, certificate }: TechnicianParts): TechnicianPage['answer'] =>
  async ({ user_id, oauth_application_id = null, method, path, body }) => {
    const [address = ''] = path.split('?');
    if (!isRemoteRoute(method, address)) return refusal(refusalOf(method, app.methodsAt(`${ROOT}${address}`)));
    const token = remoteSessions.open({ pass_id: null, user_id, oauth_application_id, is_remote: true });
    try {
      const { statusCode, headers, payload } = await app.inject({
        method,
        url: `${ROOT}${path}`,
        headers: {
          host: `${certificate.name}.local`,
          authorization: `Bearer ${token}`,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { payload: body }),
      });
      const passed = passedHeaders.flatMap(name =>
        headers[name] === undefined ? [] : [[name, String(headers[name])]],
      );
      return { status: statusCode, headers: Object.fromEntries(passed), body: payload };
    } finally {
      remoteSessions.close(token);
    }
  };

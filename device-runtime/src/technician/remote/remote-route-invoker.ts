import { remoteTechnicianOperations } from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import type { FastifyInstance } from 'fastify';
import type {
  RemoteTechnicianResponse,
  TechnicianPageEndpoint,
} from '../../controller/technician-page-endpoint-types.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';
import { buildRemoteOperationUrl } from './remote-operation-url.ts';

const forwardedHeaders = ['content-disposition', 'retry-after', 'allow'];

const toResponse = (error: TechnicianRequestError): RemoteTechnicianResponse => ({
  status: error.status,
  headers: { ...error.headers },
  body: JSON.stringify(error.body),
});

/**
 * Serves remote technicians with the routes of the technician API. The signature of the organization confirms who they
 * are. The session is valid for the one operation that the request names.
 */
export const createRemoteRouteInvoker =
  (
    app: FastifyInstance,
    { remoteSessions, certificate }: TechnicianApiDependencies,
  ): TechnicianPageEndpoint['handleRequest'] =>
  async ({
    request_id,
    user_id,
    user_name = null,
    oauth_application_id = null,
    operation,
    parameters,
    query,
    body,
  }) => {
    const url = buildRemoteOperationUrl(operation, parameters, query);
    if (url === null)
      return toResponse(new TechnicianRequestError('invalid_request', 'The parameters do not match the operation'));
    const proof = { request_id };
    const token = remoteSessions.open(
      { pass_id: null, user_id, user_name, oauth_application_id, proof, is_remote: true },
      operation,
    );
    try {
      const { statusCode, headers, payload } = await app.inject({
        method: remoteTechnicianOperations[operation].method,
        url,
        headers: {
          host: `${certificate.name}.local`,
          authorization: `Bearer ${token}`,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { payload: body }),
      });
      const forwarded = forwardedHeaders.flatMap(name =>
        headers[name] === undefined ? [] : [[name, String(headers[name])]],
      );
      return { status: statusCode, headers: Object.fromEntries(forwarded), body: payload };
    } finally {
      remoteSessions.close(token);
    }
  };

import {
  type RemoteTechnicianOperation,
  remoteTechnicianOperations,
} from '@lintel/wire-protocol/mqtt/remote-technician-operations';
import type { FastifyInstance } from 'fastify';
import type {
  RemoteTechnicianResponse,
  TechnicianPageEndpoint,
} from '../../controller/technician-page-endpoint-types.ts';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';
import { TECHNICIAN_API_ROOT } from '../http/technician-route-definition.ts';
import type { TechnicianApiDependencies } from '../technician-api-dependencies.ts';

const forwardedHeaders = ['content-disposition', 'retry-after', 'allow'];

/** Null for parameters that are not those of the operation. */
export const buildRemoteOperationUrl = (
  operation: RemoteTechnicianOperation,
  parameters: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string | null => {
  const { path } = remoteTechnicianOperations[operation];
  const names = path.split('/').flatMap(segment => (segment.startsWith(':') ? [segment.slice(1)] : []));
  const hasParameters = names.length === Object.keys(parameters).length && names.every(name => name in parameters);
  // The encoding leaves dots as they are, and a URL resolves these two segments.
  if (!hasParameters || Object.values(parameters).some(value => value === '.' || value === '..')) return null;
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name]!));
  const search = new URLSearchParams(query).toString();
  return `${TECHNICIAN_API_ROOT}${filled}${search === '' ? '' : `?${search}`}`;
};

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
  async ({ user_id, oauth_application_id = null, operation, parameters, query, body }) => {
    const url = buildRemoteOperationUrl(operation, parameters, query);
    if (url === null)
      return toResponse(new TechnicianRequestError('invalid_request', 'The parameters do not match the operation'));
    const token = remoteSessions.open({ pass_id: null, user_id, oauth_application_id, is_remote: true }, operation);
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

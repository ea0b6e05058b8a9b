import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { adminApiDescription } from '../admin/admin-api-description.ts';
import { createAdminEndpoints } from '../admin/mount-admin-api.ts';
import type { EndpointDescription } from '../api/define-endpoint.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../documentation/openapi-document.ts';
import { publicApiDescription } from '../documentation/public-api-description.ts';
import { createPublicEndpoints } from '../routes/public-endpoints.ts';

export interface DeclaredEndpoint extends EndpointDescription {
  /** Null for endpoints without roles: those of the public API and of an account. */
  readonly requiredPermission: AdminPermission | null;
}

const withoutRoles = (endpoint: EndpointDescription): DeclaredEndpoint => ({ ...endpoint, requiredPermission: null });

/** Endpoints are described here and not called, so they need no services. */
const notCalled = { storage: {} } as never;

const declarePublicEndpoints = (): DeclaredEndpoint[] => createPublicEndpoints(notCalled, notCalled).map(withoutRoles);

const declareAdminEndpoints = (): DeclaredEndpoint[] => {
  const { account, organization, upload } = createAdminEndpoints({
    services: notCalled,
    actions: notCalled,
    technicians: notCalled,
    releases: notCalled,
    onTokensRevoked: () => undefined,
  });
  return [...account.map(withoutRoles), ...organization, ...upload];
};

/** The two APIs with the endpoints that they declare. */
export const declaredApis = {
  public: { base: '/v2', requestExamples: publicApiDescription.requestExamples, endpoints: declarePublicEndpoints() },
  admin: {
    base: '/admin/v1',
    requestExamples: adminApiDescription.requestExamples,
    endpoints: declareAdminEndpoints(),
  },
} as const;

export const createPublicOpenApiDocument = (publicUrl: string): OpenApiDocument =>
  createOpenApiDocument(publicApiDescription, declaredApis.public.endpoints, publicUrl);

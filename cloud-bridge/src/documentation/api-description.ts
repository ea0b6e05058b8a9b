import { restResponseSchemas } from '@lintel/wire-protocol/rest/response-table';
import type * as z from 'zod';

/** Properties of an API for its documentation, besides its endpoints. */
export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Path prefix of all endpoints. */
  readonly base: string;
  /** Path of the HTML documentation. */
  readonly page: string;
  /** Path of the example request in the introduction. */
  readonly firstRequest: string;
  /** Schemas of the objects, by name. */
  readonly objects: Readonly<Record<string, z.ZodType>>;
  readonly securitySchemes: (publicUrl: string) => Readonly<Record<string, object>>;
}

export const bearerScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token for one organization',
} as const;

export const publicApiDescription: ApiDescription = {
  title: 'Lintel Access Control Service API',
  version: '2.0',
  description: 'Sites, devices, members, credentials, permissions and events of an organization.',
  base: '/v2',
  page: '/docs',
  firstRequest: '/members?limit=10&sort=name:asc',
  objects: restResponseSchemas,
  securitySchemes: publicUrl => ({
    bearer: bearerScheme,
    oauth: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: `${publicUrl}/oauth2/auth`,
          tokenUrl: `${publicUrl}/oauth2/token`,
          refreshUrl: `${publicUrl}/oauth2/token`,
          scopes: {
            full_read_write: 'Read and write everything',
            full_read_only: 'Read everything, and manage webhooks of the application',
            offline: 'Receive a refresh token',
          },
        },
      },
    },
  }),
};

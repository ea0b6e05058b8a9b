import { answers } from '@lintel/wire-protocol/rest/answer-table';
import type * as z from 'zod';

/** What a document says of an API beside its endpoints. */
export interface DocumentedApi {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Between the public address and the path of an endpoint. */
  readonly base: string;
  /** Where the page for people is. */
  readonly page: string;
  /** A first request to try. */
  readonly firstRequest: string;
  /** Objects that have a name of their own. */
  readonly objects: Readonly<Record<string, z.ZodType>>;
  readonly securitySchemes: (publicUrl: string) => Readonly<Record<string, object>>;
}

export const bearerScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token, bound to one organization',
} as const;

export const publicApi: DocumentedApi = {
  title: 'Lintel Access Control Service API',
  version: '2.0',
  description: 'Sites, devices, members, credentials, permissions and events of an organization.',
  base: '/v2',
  page: '/docs',
  firstRequest: '/members?limit=10&sort=name:asc',
  objects: answers,
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
            full_read_only: 'Read everything, and manage the own webhooks',
            offline: 'Receive a refresh token',
          },
        },
      },
    },
  }),
};

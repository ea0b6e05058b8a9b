import { restResponseSchemas } from '@lintel/wire-protocol/rest/response-schemas';
import type * as z from 'zod';
import type { EndpointDescription } from '../api/define-endpoint.ts';
import { publicRequestExamples } from './examples/public-requests.ts';

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
  /** By tag. */
  readonly tagDescriptions: Readonly<Record<string, string>>;
  /** Bodies by operation id. */
  readonly requestExamples: Readonly<Record<string, object>>;
  /** Whether `@lintel/client` has the operations of the API. */
  readonly hasClient: boolean;
  /** Whether the API sends events to webhooks and streams. */
  readonly sendsEvents: boolean;
  /** Which callers can use the endpoint. */
  readonly describeAccess: (endpoint: EndpointDescription) => string;
  readonly securitySchemes: (publicUrl: string) => Readonly<Record<string, object>>;
}

export const bearerSecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token for one organization',
} as const;

const describeScopes = ({ method, isAllowedReadOnly }: EndpointDescription): string =>
  method === 'GET' || isAllowedReadOnly === true
    ? 'Scope: full_read_only or full_read_write.'
    : 'Scope: full_read_write.';

/** By tag of the resources, which both APIs have. */
export const apiTagDescriptions: Readonly<Record<string, string>> = {
  Organization: 'The organization and its metadata.',
  Sites: 'Physical places, such as a building or a floor.',
  Devices: 'Controllers and virtual devices, and the products that they are made from.',
  Gadgets: 'Things that are opened or switched, such as a door, a light or a locker.',
  'Gadget triggers': 'Actions that follow a state, a signal or a schedule.',
  Members: 'People or reservations that are granted access.',
  'Member emails': 'Email addresses with which a member signs in to the guest page.',
  'Member magic links': 'Links that open the guest page of a member.',
  'Member PINs': 'PINs for keypads.',
  'Member cards': 'Cards that a member holds.',
  'Member tokens': 'Tokens with which a phone opens doors.',
  'Member group associations': 'The groups that a member belongs to.',
  'Member groups': 'Permission rules that members share.',
  Schedules: 'Weekly time ranges for permission rules and triggers.',
  Cards: 'Cards of the organization.',
  Tags: 'Labels for members, groups, sites, devices and gadgets.',
  Events: 'The log of everything that happened in the organization.',
  Webhooks: 'Deliveries of events to your server.',
};

export const publicApiDescription: ApiDescription = {
  title: 'Lintel Access Control Service API',
  version: '2.0',
  description: 'Sites, devices, members, credentials, permissions and events of an organization.',
  base: '/v2',
  page: '/docs',
  firstRequest: '/members?limit=10&sort=name:asc',
  objects: restResponseSchemas,
  tagDescriptions: apiTagDescriptions,
  requestExamples: publicRequestExamples,
  hasClient: true,
  sendsEvents: true,
  describeAccess: describeScopes,
  securitySchemes: publicUrl => ({
    bearer: bearerSecurityScheme,
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

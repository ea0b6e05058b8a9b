import type { EndpointDescription } from '../../api/define-endpoint.ts';
import { toSingular } from './singular.ts';

const capitalized = (snake: string): string =>
  snake
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Every path of an organization has the same prefix in the admin API, so the names leave it out. */
const ORGANIZATION_PREFIX = /^\/organizations\/:organization_id(?=\/.)/;

const verbs = { GET: 'get', POST: 'create', PUT: 'replace', PATCH: 'edit', DELETE: 'delete' } as const;

const isPage = ({ response }: EndpointDescription): boolean =>
  'shape' in response && Object.hasOwn(response.shape as object, 'has_next');

/**
 * The name of the operation in generated clients: `listMembers`, `createMemberPin`. Endpoints that are neither reads nor
 * writes of an object state their own.
 */
export const buildOperationId = (endpoint: EndpointDescription): string => {
  const { method, path } = endpoint;
  if (endpoint.operationId !== undefined) return endpoint.operationId;
  const literals = path
    .replace(ORGANIZATION_PREFIX, '')
    .split('/')
    .filter(segment => segment !== '' && !segment.startsWith(':'));
  const nouns = literals.map(toSingular).map(capitalized).join('');
  if (!isPage(endpoint)) return `${verbs[method]}${nouns}`;
  return `list${literals.slice(0, -1).map(toSingular).map(capitalized).join('')}${capitalized(literals.at(-1) ?? '')}`;
};

/** `createMemberPin` to `create_member_pin`, the case of names in the API. */
export const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`).replace(/^_/, '');

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { toJson } from '../queries/serialize-rows-to-json.ts';
import { toActor } from '../transactions/actor.ts';
import type { ApiEndpoint, EndpointCall } from './define-endpoint.ts';

/** Reported by hardware, so its change is not an edit. */
const REPORTED_FIELDS: ReadonlySet<string> = new Set(['state_id']);

/** The `ETag` of an object: changes if and only if a field changes that can be edited, or the object is deleted. */
export const createEditTag = (fields: readonly string[], json: string): string => {
  const object = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const edited = fields.map(field => object[field] ?? null);
  return `"${createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22)}"`;
};

/** The tags of an `If-Match` header, or `*`. Null without the header. */
export const parseIfMatch = ({ 'if-match': header }: IncomingHttpHeaders): readonly string[] | '*' | null => {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags = header.split(',').map(tag => /^\s*(?:W\/)?("[\x21\x23-\x7e]*")\s*$/.exec(tag)?.[1]);
  if (tags.includes(undefined))
    throw createInvalidFieldError('If-Match', 'The header If-Match must be the ETag of the object, or *');
  // A proxy that compresses responses marks their tags as weak, so weak tags match too.
  return tags as string[];
};

const listEditedFields = (endpoints: readonly ApiEndpoint<never>[]): string[] => {
  const names = endpoints.flatMap(({ method, body }) =>
    (method === 'PATCH' || method === 'PUT') && body instanceof z.ZodObject ? Object.keys(body.shape) : [],
  );
  return names.length === 0 ? [] : [...new Set([...names, 'is_deleted'])].filter(name => !REPORTED_FIELDS.has(name));
};

const withEditTag = <C extends OrganizationCaller, E extends ApiEndpoint<C>>(
  endpoint: E,
  read: ApiEndpoint<C>,
  editedFields: readonly string[],
): E => ({
  ...endpoint,
  editedFields,
  handleIfMatch: (call: EndpointCall<unknown, C>, expected: readonly string[] | '*') =>
    call.writer.writeNested(call.caller.organizationId, toActor(call.caller), async ({ db }, writer) => {
      const inTransaction = { ...call, db, reader: call.reader.within(db), writer };
      const current = toJson(await read.handle({ ...inTransaction, query: {}, body: undefined }));
      if (expected !== '*' && !expected.includes(createEditTag(editedFields, current)))
        throw new ApiError('edit_conflict', 'The object has changed. Read it again, then repeat the edit');
      return endpoint.handle(inTransaction);
    }),
});

/**
 * Lets clients edit objects only if they are unchanged: `ETag` on responses, `If-Match` on edits and deletions. Applies to each
 * path where an object can be read and edited. The check runs in the transaction of the write, which locks the
 * organization, so of two edits with the same tag one fails, also with several bridges.
 */
export const addEditTags = <C extends OrganizationCaller, E extends ApiEndpoint<C>>(endpoints: readonly E[]): E[] => {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return endpoints.map(endpoint => {
    const ofPath = byPath.get(endpoint.path) ?? [];
    const read = ofPath.find(({ method, isList }) => method === 'GET' && isList !== true);
    const editedFields = listEditedFields(ofPath);
    const isSupported = endpoint.method !== 'POST' && endpoint.managesOwnTransaction !== true;
    if (read === undefined || editedFields.length === 0 || !isSupported) return endpoint;
    return endpoint === read ? { ...endpoint, editedFields } : withEditTag<C, E>(endpoint, read, editedFields);
  });
};

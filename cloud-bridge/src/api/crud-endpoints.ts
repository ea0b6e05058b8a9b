import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import type * as z from 'zod';
import { createNotFoundError } from '../http/api-error.ts';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import { parseExpandQuery } from '../queries/resource-reader.ts';
import { type ApiObject, resourceTableMappings } from '../queries/resource-table-mappings.ts';
import type { DatabaseRow } from '../queries/serialize-rows-to-json.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { type EndpointCall, type ApiEndpoint, defineEndpoint, writeAsCaller } from './define-endpoint.ts';

export interface CrudResourceDescription {
  readonly type: ResourceType;
  readonly tag: string;
  /** Path of the list; a single object is at `path/:id`. */
  readonly path: string;
  /** For the summaries: `a member` and `members`. */
  readonly singular: string;
  readonly plural: string;
  readonly response: z.ZodType;
  /** The type of the parent object in `path`: `member` for `/members/:member_id/…`. */
  readonly parent?: ResourceType;
  readonly isAllowedReadOnly?: boolean;
}

/** A call with the ids in its path; '' where the path has none. */
interface CallWithIds<Body, C> extends EndpointCall<Body, C> {
  readonly id: string;
  readonly parentId: string;
}

type Write<Body, C> = (context: WriteContext, call: CallWithIds<Body, C>) => Promise<object>;

interface Edit<S extends z.ZodType, C> {
  readonly body: S;
  readonly write: Write<z.output<S>, C>;
  readonly summary?: string;
  /** Additional query parameters with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
}

interface Create<S extends z.ZodType, C> extends Edit<S, C> {
  /** For a response with more fields than the object: its schema, and the names of the additional fields. */
  readonly response?: z.ZodType;
  readonly revealed?: readonly string[];
}

/** A POST below a single object, such as `reveal`. */
interface Action<S extends z.ZodType, C> extends Create<S, C> {
  readonly name: string;
  readonly summary: string;
  readonly operationId: string;
}

export interface CrudWriteDefinitions<C, C1 extends z.ZodType, C2 extends z.ZodType, C3 extends z.ZodType> {
  readonly create?: Create<C1, C>;
  readonly edit?: Edit<C2, C>;
  readonly remove?: Omit<Edit<z.ZodType, C>, 'body'>;
  readonly action?: Action<C3, C>;
}

/**
 * Runs a write and responds with the row it returns, as an API object with the requested expands. The objects of the
 * expands are read in the transaction of the write, so that invalid or too large expands change nothing. `revealed` names
 * secret fields that only this response shows, `query` the parameters besides `expand`.
 */
export const createRowResponseHandler =
  <K extends EndpointCall>(
    type: ResourceType,
    write: (context: WriteContext, call: K) => Promise<object>,
    { revealed = [], query = {} }: Pick<Create<z.ZodType, unknown>, 'revealed' | 'query'> = {},
  ) =>
  async (call: K): Promise<ApiObject> => {
    const others = Object.entries(call.query).filter(([name]) => !Object.hasOwn(query, name));
    const expand = parseExpandQuery(type, Object.fromEntries(others));
    return writeAsCaller(call, async context => {
      const row = (await write(context, call)) as DatabaseRow;
      const object = resourceTableMappings[type].toObjects([row])[0]!;
      for (const name of revealed) object[name] = row[name];
      if (expand.size > 0) await call.reader.within(context.db).expand(call.caller, [object], expand);
      return object;
    });
  };

/** Endpoints for list, get and the given operations of a resource. */
export const createCrudEndpointFactory =
  <C extends OrganizationCaller>() =>
  <C1 extends z.ZodType, C2 extends z.ZodType, C3 extends z.ZodType>(
    description: CrudResourceDescription,
    { create, edit, remove, action }: CrudWriteDefinitions<C, C1, C2, C3> = {},
  ): ApiEndpoint<C>[] => {
    const { type, tag, path, singular, plural, response, parent, isAllowedReadOnly = false } = description;
    const parentField = parent === undefined ? '' : `${parent}_id`;
    const common = { tag, response, object: type, isAllowedReadOnly } as const;
    const objectPath = `${path}/:${type}_id`;

    const withIds = <Body>(call: EndpointCall<Body, C>): CallWithIds<Body, C> => ({
      ...call,
      id: call.params[`${type}_id`] ?? '',
      parentId: call.params[parentField] ?? '',
    });
    const parentFilter = ({ parentId }: CallWithIds<unknown, C>): Record<string, string> =>
      parent === undefined ? {} : { [parentField]: parentId };
    const handleWith = <Body>(write: Write<Body, C>, options: Pick<Create<z.ZodType, C>, 'revealed' | 'query'>) => {
      const handle = createRowResponseHandler<CallWithIds<Body, C>>(type, write, options);
      return (call: EndpointCall<Body, C>) => handle(withIds(call));
    };

    const endpoints = [
      defineEndpoint<z.ZodType, C>({
        ...common,
        method: 'GET',
        path,
        summary: `List ${plural}`,
        response: listPageSchema(response),
        isList: true,
        handle: async call => {
          const callWithIds = withIds(call);
          if (parent !== undefined && (await call.reader.find(parent, call.caller, callWithIds.parentId)) === null) {
            throw createNotFoundError(parent, callWithIds.parentId);
          }
          return call.reader.listJson(type, call.caller, call.query, parentFilter(callWithIds));
        },
      }),
      defineEndpoint<z.ZodType, C>({
        ...common,
        method: 'GET',
        path: objectPath,
        summary: `Get ${singular}`,
        handle: call => {
          const callWithIds = withIds(call);
          return call.reader.getJson(
            type,
            call.caller,
            callWithIds.id,
            parseExpandQuery(type, call.query),
            parentFilter(callWithIds),
          );
        },
      }),
    ];
    const addPost = <S extends z.ZodType>(postPath: string, operation: Create<S, C>, operationId?: string): void => {
      endpoints.push(
        defineEndpoint<S, C>({
          ...common,
          method: 'POST',
          path: postPath,
          ...(operationId === undefined ? {} : { operationId }),
          summary: operation.summary ?? `Create ${singular}`,
          response: operation.response ?? response,
          body: operation.body,
          handle: handleWith(operation.write, operation),
        }),
      );
    };
    if (create !== undefined) addPost(path, create);
    if (edit !== undefined) {
      const { body, write, summary = `Edit ${singular}`, query = {} } = edit;
      endpoints.push(
        defineEndpoint<C2, C>({
          ...common,
          method: 'PATCH',
          path: objectPath,
          summary,
          body,
          query,
          handle: handleWith(write, { query }),
        }),
      );
    }
    if (remove !== undefined) {
      const { write, summary = `Delete ${singular}`, query = {} } = remove;
      endpoints.push(
        defineEndpoint<z.ZodType, C>({
          ...common,
          method: 'DELETE',
          path: objectPath,
          summary,
          query,
          handle: handleWith(write, { query }),
        }),
      );
    }
    if (action !== undefined) addPost(`${objectPath}/${action.name}`, action, action.operationId);
    return endpoints;
  };

/** For endpoints that serve every caller of an organization alike: an application with a token or a signed-in user. */
export const createCrudEndpoints = createCrudEndpointFactory<OrganizationCaller>();

import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import type * as z from 'zod';
import { notFound } from '../http/api-error.ts';
import type { Caller, Requester } from '../http/caller.ts';
import { expandOf } from '../queries/reader.ts';
import { type ApiObject, type ReadableType, type Row, sources } from '../queries/source.ts';
import type { WriteContext } from '../transactions/writer.ts';
import { type Call, type Endpoint, endpoint, writeFor } from './endpoint.ts';

export interface ResourceDescription {
  readonly type: ReadableType;
  readonly tag: string;
  /** Of the list; one object is at its id below it. */
  readonly path: string;
  /** For the summaries: `a member`, `members`. */
  readonly one: string;
  readonly many: string;
  readonly answer: z.ZodType;
  /** The type that `path` lies under: `/members/:member_id/…` is under `member`. */
  readonly parent?: ReadableType;
  readonly allowedReadOnly?: boolean;
}

/** A call with the ids of its address; '' where the address has none. */
interface Addressed<Body, C> extends Call<Body, C> {
  readonly id: string;
  readonly parentId: string;
}

type Write<Body, C> = (context: WriteContext, call: Addressed<Body, C>) => Promise<object>;

interface Edit<S extends z.ZodType, C> {
  readonly body: S;
  readonly write: Write<z.output<S>, C>;
  readonly summary?: string;
}

interface Create<S extends z.ZodType, C> extends Edit<S, C> {
  /** Where the answer is more than the object: its schema, and the fields that it adds. */
  readonly answer?: z.ZodType;
  readonly revealed?: readonly string[];
}

/** A POST below one object, such as `reveal`. */
interface Action<S extends z.ZodType, C> extends Create<S, C> {
  readonly name: string;
  readonly summary: string;
}

export interface Operations<C, C1 extends z.ZodType, C2 extends z.ZodType, C3 extends z.ZodType> {
  readonly create?: Create<C1, C>;
  readonly edit?: Edit<C2, C>;
  readonly remove?: { readonly write: Write<unknown, C>; readonly summary?: string };
  readonly action?: Action<C3, C>;
}

/**
 * A write whose answer is the object: the row it returns, as the API shows it, with the expands that were asked for.
 * They are read before the write, so that a wrong one changes nothing. `revealed` names what this answer alone shows
 * beyond the object's own fields: a secret.
 */
export const answerWithRow =
  <K extends Call<unknown, Requester>>(
    type: ReadableType,
    write: (context: WriteContext, call: K) => Promise<object>,
    revealed: readonly string[] = [],
  ) =>
  async (call: K): Promise<ApiObject> => {
    const expand = expandOf(type, call.query);
    const row = (await writeFor(call, context => write(context, call))) as Row;
    const object = sources[type].toObjects([row])[0]!;
    for (const name of revealed) object[name] = row[name];
    await call.reader.expand(call.caller, [object], expand);
    return object;
  };

/** The endpoints that most resources have in common: list, get, and those of the operations that are given. */
export const crudFor =
  <C extends Requester>() =>
  <C1 extends z.ZodType, C2 extends z.ZodType, C3 extends z.ZodType>(
    description: ResourceDescription,
    { create, edit, remove, action }: Operations<C, C1, C2, C3> = {},
  ): Endpoint<C>[] => {
    const { type, tag, path, one, many, answer, parent, allowedReadOnly = false } = description;
    const parentField = parent === undefined ? '' : `${parent}_id`;
    const common = { tag, answer, object: type, allowedReadOnly } as const;
    const single = `${path}/:${type}_id`;

    const addressed = <Body>(call: Call<Body, C>): Addressed<Body, C> => ({
      ...call,
      id: call.params[`${type}_id`] ?? '',
      parentId: call.params[parentField] ?? '',
    });
    const within = ({ parentId }: Addressed<unknown, C>): Record<string, string> =>
      parent === undefined ? {} : { [parentField]: parentId };
    const handleWith = <Body>(write: Write<Body, C>, revealed?: readonly string[]) => {
      const handle = answerWithRow<Addressed<Body, C>>(type, write, revealed);
      return (call: Call<Body, C>) => handle(addressed(call));
    };

    const endpoints = [
      endpoint<z.ZodType, C>({
        ...common,
        method: 'GET',
        path,
        summary: `List ${many}`,
        answer: pageOf(answer),
        isList: true,
        handle: async call => {
          const at = addressed(call);
          if (parent !== undefined && (await call.reader.find(parent, call.caller, at.parentId)) === null) {
            throw notFound(parent, at.parentId);
          }
          return call.reader.listText(type, call.caller, call.query, within(at));
        },
      }),
      endpoint<z.ZodType, C>({
        ...common,
        method: 'GET',
        path: single,
        summary: `Get ${one}`,
        handle: call => {
          const at = addressed(call);
          return call.reader.getText(type, call.caller, at.id, expandOf(type, call.query), within(at));
        },
      }),
    ];
    const post = <S extends z.ZodType>(at: string, operation: Create<S, C>): void => {
      endpoints.push(
        endpoint<S, C>({
          ...common,
          method: 'POST',
          path: at,
          summary: operation.summary ?? `Create ${one}`,
          answer: operation.answer ?? answer,
          body: operation.body,
          handle: handleWith(operation.write, operation.revealed),
        }),
      );
    };
    if (create !== undefined) post(path, create);
    if (edit !== undefined) {
      const { body, write, summary = `Edit ${one}` } = edit;
      endpoints.push(
        endpoint<C2, C>({ ...common, method: 'PATCH', path: single, summary, body, handle: handleWith(write) }),
      );
    }
    if (remove !== undefined) {
      const { write, summary = `Delete ${one}` } = remove;
      endpoints.push(
        endpoint<z.ZodType, C>({ ...common, method: 'DELETE', path: single, summary, handle: handleWith(write) }),
      );
    }
    if (action !== undefined) post(`${single}/${action.name}`, action);
    return endpoints;
  };

export const crud = crudFor<Caller>();

import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import type * as z from 'zod';
import { notFound } from '../http/api-error.ts';
import { actorOf, type Caller, type Requester } from '../http/caller.ts';
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { expandOf } from '../reading/reader.ts';
import type { ReadableType } from '../reading/source.ts';
import type { Services } from '../services.ts';
import type { WriteContext } from '../writing/writer.ts';
import { answering } from './answering.ts';

interface Described {
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

interface Writing<S extends z.ZodType, C> {
  readonly body: S;
  readonly write: Write<z.output<S>, C>;
  readonly summary?: string;
}

interface Revealing<S extends z.ZodType, C> extends Writing<S, C> {
  /** Where the answer is more than the object: its form, and the fields that it adds. */
  readonly answer?: z.ZodType;
  readonly revealed?: readonly string[];
}

/** The endpoints that most resources have in common, each to be had by calling for it. */
export const crud = <C extends Requester = Caller>(services: Services, described: Described) => {
  const { reader, writer } = services;
  const { type, tag, path, one, many, answer, parent, allowedReadOnly = false } = described;
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
  const writing = <Body>(write: Write<Body, C>, revealed?: readonly string[]) =>
    answering(
      services,
      type,
      (call: Call<Body, C>) =>
        writer.write(call.caller.organizationId, actorOf(call.caller), context => write(context, addressed(call))),
      revealed,
    );

  return {
    list: (): Endpoint<C> =>
      endpoint<z.ZodType, C>({
        ...common,
        method: 'GET',
        path,
        summary: `List ${many}`,
        answer: pageOf(answer),
        isList: true,
        handle: async call => {
          const at = addressed(call);
          if (parent !== undefined && (await reader.find(parent, call.caller, at.parentId)) === null) {
            throw notFound(parent, at.parentId);
          }
          return reader.listText(type, call.caller, call.query, within(at));
        },
      }),
    get: (): Endpoint<C> =>
      endpoint<z.ZodType, C>({
        ...common,
        method: 'GET',
        path: single,
        summary: `Get ${one}`,
        handle: call => {
          const at = addressed(call);
          return reader.getText(type, call.caller, at.id, expandOf(type, call.query), within(at));
        },
      }),
    create: <S extends z.ZodType>({ body, write, summary, answer: shown, revealed }: Revealing<S, C>): Endpoint<C> =>
      endpoint<S, C>({
        ...common,
        method: 'POST',
        path,
        summary: summary ?? `Create ${one}`,
        answer: shown ?? answer,
        body,
        handle: writing(write, revealed),
      }),
    edit: <S extends z.ZodType>({ body, write, summary }: Writing<S, C>): Endpoint<C> =>
      endpoint<S, C>({
        ...common,
        method: 'PATCH',
        path: single,
        summary: summary ?? `Edit ${one}`,
        body,
        handle: writing(write),
      }),
    remove: ({ write, summary }: { readonly write: Write<unknown, C>; readonly summary?: string }): Endpoint<C> =>
      endpoint<z.ZodType, C>({
        ...common,
        method: 'DELETE',
        path: single,
        summary: summary ?? `Delete ${one}`,
        handle: writing(write),
      }),
    /** A POST below one object, such as `reveal`. */
    act: <S extends z.ZodType>(
      name: string,
      { body, write, summary, answer: shown, revealed }: Revealing<S, C> & { readonly summary: string },
    ): Endpoint<C> =>
      endpoint<S, C>({
        ...common,
        method: 'POST',
        path: `${single}/${name}`,
        summary,
        answer: shown ?? answer,
        body,
        handle: writing(write, revealed),
      }),
  };
};

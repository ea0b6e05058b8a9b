import type { ErrorType } from '@lintel/wire-protocol/rest/error';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-fields';
import type * as z from 'zod';
import type { Caller, Requester } from '../http/caller.ts';
import type { Reader } from '../queries/reader.ts';
import { actorOf } from '../transactions/actor.ts';
import type { WriteContext, Writer } from '../transactions/writer.ts';

/** One request, as far as a handler needs to know it. */
export interface Call<Body = unknown, C = Caller> {
  readonly caller: C;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Body;
  /** Both belong to the transaction of the request where it has one: see `Idempotency`. */
  readonly reader: Reader;
  readonly writer: Writer;
}

/** Writes to the organization of the caller, in the caller's name. */
export const writeFor = <T>(
  { caller, writer }: Pick<Call<unknown, Requester>, 'caller' | 'writer'>,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => writer.write(caller.organizationId, actorOf(caller), work);

/** What an endpoint takes and what it answers: the documentation is generated from it. */
export interface EndpointDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address, parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly body?: z.ZodType;
  /** The body is bytes, which the handler gets as they come. */
  readonly takesBytes?: boolean;
  readonly answer: z.ZodType;
  /** The type of object that is answered, where there is one: it decides which expands and filters are possible. */
  readonly object?: ResourceType;
  readonly isList?: boolean;
  /** Query parameters beyond those of the object's lists, each with what it is for. */
  readonly query?: Readonly<Record<string, string>>;
  /** Writes that a read-only token may do too: the webhooks of its own application. */
  readonly allowedReadOnly?: boolean;
  /** Errors beyond those that every endpoint of its kind can answer with. */
  readonly errors?: readonly ErrorType[];
  /**
   * It moves hardware, or commits something and then fails on purpose: it cannot run inside one transaction. With an
   * Idempotency-Key its answer is remembered once it is there.
   */
  readonly commitsByItself?: boolean;
}

/** One row of an API whose callers are of the kind `C`. */
export interface Endpoint<C = Caller> extends EndpointDescription {
  handle(call: Call<unknown, C>): Promise<unknown>;
}

export interface EndpointDefinition<S extends z.ZodType, C> extends Omit<EndpointDescription, 'body'> {
  readonly body?: S;
  handle(call: Call<z.output<S>, C>): Promise<unknown>;
}

/** Gives the handler its body's type. The body has been parsed with that very schema before the handler sees it. */
export const endpoint = <S extends z.ZodType, C = Caller>(definition: EndpointDefinition<S, C>): Endpoint<C> =>
  definition;

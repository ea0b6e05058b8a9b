import type { ApiErrorType } from '@lintel/wire-protocol/rest/api-error-types';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import type * as z from 'zod';
import type { OrganizationCaller } from '../http/authenticated-caller.ts';
import type { Kysely } from 'kysely';
import type { ResourceReader } from '../queries/resource-reader.ts';
import type { Database } from '../storage/schema.ts';
import { toActor } from '../transactions/actor.ts';
import type { WriteContext, OrganizationWriter } from '../transactions/organization-writer.ts';

/** The parts of a request that a handler needs. */
export interface EndpointCall<Body = unknown, C = OrganizationCaller> {
  readonly caller: C;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Body;
  /** For reads. Like reader and writer, it uses the transaction of the request if it has one: see `OrganizationIdempotentResponder`. */
  readonly db: Kysely<Database>;
  readonly reader: ResourceReader;
  readonly writer: OrganizationWriter;
}

/** Writes to the caller's organization with the caller as the actor of the events. The work may run twice. */
export const writeAsCaller = <T>(
  { caller, writer }: Pick<EndpointCall, 'caller' | 'writer'>,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => writer.write(caller.organizationId, toActor(caller), work, { isRepeatable: true });

/** Request and response of an endpoint; the API documentation is generated from it. */
export interface EndpointDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base path, with parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /** The name in generated clients, if it does not follow from method and path. */
  readonly operationId?: string;
  readonly body?: z.ZodType;
  /** The body is a byte stream, which the handler reads. */
  readonly acceptsBytes?: boolean;
  readonly response: z.ZodType;
  /** The type of the returned object, which determines the available expands and filters. */
  readonly object?: ResourceType;
  readonly isList?: boolean;
  /** Additional query parameters with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  /** A read-only token can use this write too: the webhooks of its own application. */
  readonly isAllowedReadOnly?: boolean;
  /** Errors in addition to those that every endpoint can return. */
  readonly errors?: readonly ApiErrorType[];
  /**
   * The endpoint operates hardware, or commits a change before it fails, so it cannot run inside one transaction. With an
   * Idempotency-Key, its response is stored after it has run.
   */
  readonly managesOwnTransaction?: boolean;
  /** The fields of the object on which its `ETag` depends. Absent if it has none. Set by `addEditTags`. */
  readonly editedFields?: readonly string[];
}

/** An endpoint of an API with callers of type `C`. */
export interface ApiEndpoint<C = OrganizationCaller> extends EndpointDescription {
  handle(call: EndpointCall<unknown, C>): Promise<unknown>;
  /** Like `handle`, but fails with `edit_conflict` if the object has none of these tags. Set by `addEditTags`. */
  handleIfMatch?(call: EndpointCall<unknown, C>, expected: readonly string[] | '*'): Promise<unknown>;
}

export interface EndpointDefinition<S extends z.ZodType, C> extends Omit<EndpointDescription, 'body'> {
  readonly body?: S;
  handle(call: EndpointCall<z.output<S>, C>): Promise<unknown>;
}

/** Infers the body type of the handler from the schema with which the body is parsed. */
export const defineEndpoint = <S extends z.ZodType, C = OrganizationCaller>(
  definition: EndpointDefinition<S, C>,
): ApiEndpoint<C> => definition;

import { isRepeated, isUnknownParameter } from '@lintel/access-core/problem-texts';
import type { ExpandTree } from '@lintel/wire-protocol/rest/parse-expand-parameter';
import type { ListFilter } from '@lintel/wire-protocol/rest/list-filter';
import { parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import { unwrapOrThrow, createInvalidParameterError } from '../http/api-error.ts';
import type { Storage } from '../storage/open-storage.ts';
import { findLastEventPosition, findEventPosition } from './event-log-reader.ts';

export interface EventStreamRequest {
  readonly filters: readonly ListFilter[];
  readonly expand: ExpandTree;
  readonly since: string | null;
}

/** List parameters that a stream does not support. */
const unsupportedParameters = ['limit', 'sort', 'cursor'];

export const parseEventStreamRequest = (query: Readonly<Record<string, unknown>>): EventStreamRequest => {
  const { since, ...rest } = query;
  const unsupported = unsupportedParameters.find(name => Object.hasOwn(rest, name));
  if (unsupported !== undefined) throw createInvalidParameterError(unsupported, isUnknownParameter());
  if (since !== undefined && typeof since !== 'string') throw createInvalidParameterError('since', isRepeated);
  const { filters, expand } = unwrapOrThrow(parseListQuery('event', rest), 'parameter');
  return { filters, expand, since: since ?? null };
};

/**
 * The position after which the stream begins. Without `since` it is the end of the log when the socket was opened, so that
 * no event is lost before the token arrives in the first message.
 */
export const requireEventStreamStartPosition = async (
  storage: Storage,
  organizationId: string,
  { since }: EventStreamRequest,
  openedAt: number,
): Promise<number> => {
  if (since === null) return Math.min(await findLastEventPosition(storage, organizationId), openedAt * 1000 - 1);
  const position = await findEventPosition(storage, organizationId, since);
  if (position === null)
    throw createInvalidParameterError(
      'since',
      `refers to the event ${since}, which does not exist or is no longer kept`,
      { id: since },
    );
  return position;
};

const tokenIn = (message: unknown): string | null => {
  if (typeof message === 'string') return message;
  if (typeof message !== 'object' || message === null) return null;
  const { access_token, token, authorization } = message as Readonly<Record<string, unknown>>;
  const value = access_token ?? token ?? authorization;
  return typeof value === 'string' ? value : null;
};

/** Converts the first message, `{"access_token": "…"}` or the plain token, to an Authorization header. */
export const parseStreamAuthorizationMessage = (text: string): string => {
  let message: unknown = text;
  try {
    message = JSON.parse(text);
  } catch {
    // Not JSON, so the message is the token.
  }
  const token = tokenIn(message)?.trim() ?? '';
  return /^bearer /i.test(token) ? token : `Bearer ${token}`;
};

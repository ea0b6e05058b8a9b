import type { ExpandTree } from '@lintel/wire-protocol/rest/expand';
import type { Filter } from '@lintel/wire-protocol/rest/filter';
import { parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import { invalid, orThrow } from '../http/api-error.ts';
import type { Storage } from '../storage/open-storage.ts';
import { endOfLog, positionOf } from './event-log.ts';

/** What a stream was asked for. */
export interface StreamRequest {
  readonly filters: readonly Filter[];
  readonly expand: ExpandTree;
  readonly since: string | null;
}

/** A list's way of paging means nothing where there are no pages. */
const listOnly = ['limit', 'sort', 'cursor'];

export const parseStreamRequest = (query: Readonly<Record<string, unknown>>): StreamRequest => {
  const { since, ...rest } = query;
  const strange = listOnly.find(name => Object.hasOwn(rest, name));
  if (strange !== undefined) throw invalid(strange, `unsupported parameter '${strange}'`);
  if (since !== undefined && typeof since !== 'string') throw invalid('since', 'since must be given once, as text');
  const { filters, expand } = orThrow(parseListQuery('event', rest));
  return { filters, expand, since: since ?? null };
};

/**
 * Where the stream begins. Without `since` it is the end of the log when the socket was opened, so that nothing is
 * missed between the opening and a token that comes in the first message.
 */
export const startPosition = async (
  storage: Storage,
  organizationId: string,
  { since }: StreamRequest,
  openedAt: number,
): Promise<number> => {
  if (since === null) return Math.min(await endOfLog(storage, organizationId), openedAt * 1000 - 1);
  const position = await positionOf(storage, organizationId, since);
  if (position === null) throw invalid('since', `since: there is no ${since}`, { id: since });
  return position;
};

const tokenIn = (message: unknown): string | null => {
  if (typeof message === 'string') return message;
  if (typeof message !== 'object' || message === null) return null;
  const { access_token, token, authorization } = message as Readonly<Record<string, unknown>>;
  const given = access_token ?? token ?? authorization;
  return typeof given === 'string' ? given : null;
};

/** The first message as an Authorization header: `{"access_token": "…"}`, or the header's own text. */
export const authorizationIn = (text: string): string => {
  let message: unknown = text;
  try {
    message = JSON.parse(text);
  } catch {
    // Not JSON: then it is the token itself.
  }
  const token = tokenIn(message)?.trim() ?? '';
  return /^bearer /i.test(token) ? token : `Bearer ${token}`;
};

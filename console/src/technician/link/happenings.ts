import type { LiveHappening } from '@lintel/wire-protocol/technician/live';

export interface Heard {
  readonly number: number;
  readonly at: number;
  readonly what: LiveHappening;
}

/** A page that is open for a week has to stay as small as on its first day. */
const MOST_HAPPENINGS = 500;

/** The newest first. */
export const withHappening = (heard: readonly Heard[], what: LiveHappening, at: number): readonly Heard[] => [
  { number: (heard[0]?.number ?? 0) + 1, at, what },
  ...heard.slice(0, MOST_HAPPENINGS - 1),
];

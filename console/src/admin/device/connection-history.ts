export interface ConnectionChange {
  /** Milliseconds. */
  readonly at: number;
  readonly isOnline: boolean;
}

export interface ConnectionPeriod {
  readonly from: number;
  readonly until: number;
  readonly isOnline: boolean;
}

/** Splits the time range into periods with and without a connection. Before the first change, it was the opposite. */
export const listConnectionPeriods = (
  changes: readonly ConnectionChange[],
  { from, until, isOnline }: ConnectionPeriod,
): readonly ConnectionPeriod[] => {
  const sorted = changes.filter(({ at }) => at > from && at < until).toSorted((a, b) => a.at - b.at);
  const first = sorted[0];
  const periods: ConnectionPeriod[] = [];
  let current = { from, isOnline: first === undefined ? isOnline : !first.isOnline };
  for (const change of sorted) {
    if (change.isOnline === current.isOnline) continue;
    periods.push({ ...current, until: change.at });
    current = { from: change.at, isOnline: change.isOnline };
  }
  return [...periods, { ...current, until }];
};

/** The part of the time with a connection, from 0 to 1. */
export const computeOnlineShare = (periods: readonly ConnectionPeriod[]): number => {
  const duration = (some: readonly ConnectionPeriod[]): number =>
    some.reduce((sum, { from, until }) => sum + until - from, 0);
  return duration(periods.filter(({ isOnline }) => isOnline)) / duration(periods);
};

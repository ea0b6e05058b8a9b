/**
 * Finds a small part of a failing list that still fails, by leaving out ever smaller pieces. `fails` is called at most
 * `limit` times, because each call replays a whole round.
 */
export const shrinkSchedule = async <T>(
  failing: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
  limit: number,
): Promise<readonly T[]> => {
  let smallest = failing;
  let calls = 0;
  for (let size = Math.ceil(smallest.length / 2); size >= 1; ) {
    let isSmaller = false;
    for (let from = 0; from < smallest.length && calls < limit; ) {
      const rest = smallest.toSpliced(from, size);
      calls++;
      if (await fails(rest)) {
        smallest = rest;
        isSmaller = true;
      } else from += size;
    }
    if (calls >= limit || (size === 1 && !isSmaller)) return smallest;
    if (!isSmaller || size > smallest.length) size = Math.max(1, Math.floor(Math.min(size, smallest.length) / 2));
    if (smallest.length === 0) return smallest;
  }
  return smallest;
};

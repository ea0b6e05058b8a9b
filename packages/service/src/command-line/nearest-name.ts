/** Inserted, deleted and replaced characters between two words. */
const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1]! + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
};

const MAX_TYPOS = 2;

/** The name that a mistyped word means; undefined if none is close. */
export const findNearestName = (names: Iterable<string>, word: string): string | undefined => {
  const close = [...names]
    .map(name => ({ name, distance: editDistance(name, word) }))
    .filter(({ name, distance }) => distance <= Math.min(MAX_TYPOS, name.length - 1))
    .toSorted((a, b) => a.distance - b.distance);
  return close[0]?.name;
};

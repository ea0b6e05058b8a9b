/** The number of inserted, deleted, replaced or swapped characters between two texts. */
const editDistance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
};

const MAX_LENGTH = 64;

/** The name that a mistyped word most likely means; null if none is similar. */
export const findClosestName = (names: readonly string[], word: string): string | null => {
  if (word.length > MAX_LENGTH) return null;
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = names
    .map(name => ({ name, distance: editDistance(name.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
};

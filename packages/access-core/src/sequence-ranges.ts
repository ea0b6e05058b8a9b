/** Both ends are included. */
export type SequenceRange = readonly [first: number, last: number];

/** The numbers as the fewest ranges, ascending. */
export const toSequenceRanges = (numbers: readonly number[]): SequenceRange[] => {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
};

/** A set of integers, stored as ranges: a week of events takes a handful of them. */
export class SequenceRangeSet {
  /** Ascending and disjoint. */
  #ranges: SequenceRange[];

  constructor(ranges: readonly SequenceRange[] = []) {
    this.#ranges = [...ranges];
  }

  /** Index of the first range that ends at or after the number. */
  #indexOf(number: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]![1] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  hasAll([first, last]: SequenceRange): boolean {
    const range = this.#ranges[this.#indexOf(first)];
    return range !== undefined && range[0] <= first && last <= range[1];
  }

  add([first, last]: SequenceRange): void {
    const from = this.#indexOf(first - 1);
    let to = from;
    let [low, high] = [first, last];
    for (; to < this.#ranges.length && this.#ranges[to]![0] <= last + 1; to++) {
      low = Math.min(low, this.#ranges[to]![0]);
      high = Math.max(high, this.#ranges[to]![1]);
    }
    this.#ranges.splice(from, to - from, [low, high]);
  }

  remove([first, last]: SequenceRange): void {
    const from = this.#indexOf(first);
    const kept: SequenceRange[] = [];
    let to = from;
    for (; to < this.#ranges.length && this.#ranges[to]![0] <= last; to++) {
      const [low, high] = this.#ranges[to]!;
      if (low < first) kept.push([low, first - 1]);
      if (high > last) kept.push([last + 1, high]);
    }
    this.#ranges.splice(from, to - from, ...kept);
  }

  /** The parts of the range that are not in the set. */
  missing([first, last]: SequenceRange): SequenceRange[] {
    const missing: SequenceRange[] = [];
    let next = first;
    for (let at = this.#indexOf(first); at < this.#ranges.length && this.#ranges[at]![0] <= last; at++) {
      const [low, high] = this.#ranges[at]!;
      if (low > next) missing.push([next, low - 1]);
      next = high + 1;
    }
    if (next <= last) missing.push([next, last]);
    return missing;
  }

  get ranges(): readonly SequenceRange[] {
    return this.#ranges;
  }
}

/** From the first to the last, both included. */
export type Span = readonly [first: number, last: number];

/** Numbers in ascending order as few spans. */
export const spansOf = (numbers: readonly number[]): Span[] => {
  const spans: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans;
};

/** A set of whole numbers that mostly come in runs: a week of events is a handful of spans. */
export class SequenceSpans {
  /** Ascending, apart from one another. */
  #spans: Span[] = [];

  /** The first span that ends at or after the number. */
  #at(number: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#spans[middle]![1] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  hasAll([first, last]: Span): boolean {
    const span = this.#spans[this.#at(first)];
    return span !== undefined && span[0] <= first && last <= span[1];
  }

  add([first, last]: Span): void {
    const from = this.#at(first - 1);
    let to = from;
    let [low, high] = [first, last];
    for (; to < this.#spans.length && this.#spans[to]![0] <= last + 1; to++) {
      low = Math.min(low, this.#spans[to]![0]);
      high = Math.max(high, this.#spans[to]![1]);
    }
    this.#spans.splice(from, to - from, [low, high]);
  }

  remove([first, last]: Span): void {
    const from = this.#at(first);
    const kept: Span[] = [];
    let to = from;
    for (; to < this.#spans.length && this.#spans[to]![0] <= last; to++) {
      const [low, high] = this.#spans[to]!;
      if (low < first) kept.push([low, first - 1]);
      if (high > last) kept.push([last + 1, high]);
    }
    this.#spans.splice(from, to - from, ...kept);
  }

  get spans(): readonly Span[] {
    return this.#spans;
  }
}

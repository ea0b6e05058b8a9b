import type { Engine, Question } from './question.ts';

/** Milliseconds of each of so many batches. */
export const batchTimes = (
  engine: Engine,
  questions: readonly Question[],
  { batches, size, from = 0 }: { readonly batches: number; readonly size: number; readonly from?: number },
): number[] =>
  Array.from({ length: batches }, (_, batch) => {
    const first = from + batch * size;
    let granted = 0;
    const start = performance.now();
    for (let index = first; index < first + size; index++) if (engine(questions[index % questions.length]!)) granted++;
    const took = performance.now() - start;
    if (granted > size) throw new Error('more grants than questions');
    return took;
  });

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

import type { AccessEngine, DecisionRequest } from './access-engine-interface-and-input-conversion.ts';

/** The duration of each batch in milliseconds. */
export const batchTimes = (
  engine: AccessEngine,
  requests: readonly DecisionRequest[],
  { batches, size, from = 0 }: { readonly batches: number; readonly size: number; readonly from?: number },
): number[] =>
  Array.from({ length: batches }, (_, batch) => {
    const first = from + batch * size;
    let granted = 0;
    const start = performance.now();
    for (let index = first; index < first + size; index++) if (engine(requests[index % requests.length]!)) granted++;
    const took = performance.now() - start;
    if (granted > size) throw new Error('More grants than requests');
    return took;
  });

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

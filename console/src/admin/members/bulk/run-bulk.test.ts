import { describe, expect, it } from 'vitest';
import { ApiRequestError } from '../../api/send-request.ts';
import { type BulkItemResult, runInBulk } from './run-bulk.ts';

const run = async (items: readonly number[], work: (item: number) => Promise<'done' | 'skipped'>) => {
  let latest: readonly BulkItemResult<number>[] = [];
  let waits = 0;
  await runInBulk({
    items,
    work,
    onProgress: results => (latest = results),
    wait: async () => void waits++,
  });
  return { waits, outcomes: new Map(latest.map(({ item, outcome }) => [item, outcome])) };
};

describe('runInBulk', () => {
  it('reports the outcome of each item, and goes on after a failure', async () => {
    const error = new ApiRequestError(400, { type: 'invalid_request', message: 'no' });
    const { outcomes } = await run([1, 2, 3], async item => {
      if (item === 2) throw error;
      return item === 3 ? 'skipped' : 'done';
    });
    expect([outcomes.get(1), outcomes.get(2), outcomes.get(3)]).toEqual(['done', error, 'skipped']);
  });

  it('waits and tries again when there were too many requests', async () => {
    let calls = 0;
    const { waits, outcomes } = await run([1], async () => {
      if (++calls < 3) throw new ApiRequestError(429, { type: 'rate_limited' });
      return 'done';
    });
    expect([waits, outcomes.get(1)]).toEqual([2, 'done']);
  });
});

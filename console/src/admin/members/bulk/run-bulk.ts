import { ApiRequestError } from '../../api/send-request.ts';

/** `skipped`: nothing had to be changed. */
type BulkOutcome = 'done' | 'skipped' | Error;

export interface BulkItemResult<T> {
  readonly item: T;
  readonly outcome: BulkOutcome;
}

interface BulkRun<T> {
  readonly items: readonly T[];
  readonly work: (item: T) => Promise<'done' | 'skipped'>;
  readonly onProgress: (results: readonly BulkItemResult<T>[]) => void;
  /** Waits before a request that the bridge refused because there were too many. */
  readonly wait: () => Promise<void>;
}

const CONCURRENT = 4;
const MOST_ATTEMPTS = 5;
const RETRY_MS = 1000;

export const waitBeforeBulkRetry = (): Promise<void> => new Promise(resolve => setTimeout(resolve, RETRY_MS));

/** Works through the items, a few at a time. One failure does not stop the others. */
export const runInBulk = async <T>({ items, work, onProgress, wait }: BulkRun<T>): Promise<void> => {
  const results: BulkItemResult<T>[] = [];
  const attempt = async (item: T, number = 1): Promise<BulkOutcome> => {
    try {
      return await work(item);
    } catch (error) {
      const isTemporary = error instanceof ApiRequestError && error.type === 'rate_limited';
      if (!isTemporary || number === MOST_ATTEMPTS) return error as Error;
      await wait();
      return attempt(item, number + 1);
    }
  };
  const waiting = [...items];
  const runNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      results.push({ item, outcome: await attempt(item) });
      onProgress([...results]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, runNext));
};

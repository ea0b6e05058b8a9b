import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { processTimers } from './timers.ts';

describe('processTimers', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('EMFILE');
      },
    ],
    ['rejects', () => Promise.reject(new Error('EMFILE'))],
  ])('turns an error of work that %s into a warning', async (_, work) => {
    const warned = once(process, 'warning');
    processTimers.after(0, work);
    expect(String((await warned)[0])).toContain('EMFILE');
  });
});

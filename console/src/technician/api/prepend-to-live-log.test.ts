import { describe, expect, it } from 'vitest';
import { type LiveLogEntry, prependToLiveLog } from './prepend-to-live-log.ts';

describe('prependToLiveLog', () => {
  it('keeps the newest five hundred entries and numbers them', () => {
    let log: readonly LiveLogEntry[] = [];
    for (let at = 1; at <= 1_200; at++) log = prependToLiveLog(log, { type: 'key', station: 'front', key: '•' }, at);
    expect(log).toHaveLength(500);
    expect([log[0]?.number, log[0]?.at, log.at(-1)?.number]).toEqual([1_200, 1_200, 701]);
  });
});

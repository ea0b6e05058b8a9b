import { describe, expect, it } from 'vitest';
import { formatConnectionError, OutageLog } from './outage-log.ts';

describe('OutageLog', () => {
  it('logs the start and the end of an outage once', () => {
    const lines: unknown[] = [];
    const outages = new OutageLog('Database', (...line) => lines.push(line));
    outages.recovered();
    expect([outages.failed(new Error('ended')), outages.failed(new Error('refused')), outages.isOut]).toEqual([
      true,
      false,
      true,
    ]);
    outages.recovered();
    outages.recovered();
    expect(lines).toEqual([
      ['error', 'Database not available', { reason: 'ended' }],
      ['info', 'Database available again'],
    ]);
  });

  it('ends an outage only when operations have succeeded for a while', () => {
    const lines: string[] = [];
    let now = 0;
    const outages = new OutageLog(
      'Database',
      (_, message) => lines.push(message),
      1000,
      () => now,
    );
    outages.failed(new Error('ended'));
    outages.recovered();
    outages.failed(new Error('ended'));
    now = 5000;
    outages.recovered();
    now = 5999;
    outages.recovered();
    expect(outages.isOut).toBe(true);
    now = 6000;
    outages.recovered();
    expect(lines).toEqual(['Database not available', 'Database available again']);
  });

  it('ignores operations that began before the last change', () => {
    const lines: string[] = [];
    const outages = new OutageLog('Database', (_, message) => lines.push(message));
    const [early, late] = [outages.begin(), outages.begin()];
    outages.failed(new Error('ended'));
    outages.recovered(early);
    expect(outages.isOut).toBe(true);
    const next = outages.begin();
    outages.recovered(next);
    outages.failed(new Error('ended'), late);
    expect(outages.isOut).toBe(false);
    expect(lines).toHaveLength(2);
  });
});

describe('formatError', () => {
  it('is the message, or the code of an error without one', () => {
    expect(formatConnectionError(new Error('refused'))).toBe('refused');
    expect(formatConnectionError(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
    expect(formatConnectionError('text')).toBe('text');
  });
});

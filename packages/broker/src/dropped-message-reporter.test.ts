import { describe, expect, it } from 'vitest';
import { DroppedMessageReporter } from './dropped-message-reporter.ts';

const book = () => {
  const reported: unknown[] = [];
  return { reported, dropped: new DroppedMessageReporter(one => reported.push(one)) };
};

describe('DroppedMessageReporter', () => {
  it('counts all messages, and logs once for each device and kind of reason', () => {
    const { reported, dropped } = book();
    for (let index = 0; index < 1000; index++) {
      dropped.add({ device_id: 'dev_a', kind: `up/a${index}`, reason: 'unknown topic' });
      dropped.add({ device_id: 'dev_b', kind: 'events', reason: 'invalid', place: `events.${index}.id` });
    }
    dropped.add({ device_id: 'dev_a', kind: 'events', reason: 'invalid' });
    expect(dropped.count).toBe(2001);
    expect(reported).toEqual([
      { device_id: 'dev_a', kind: 'up/a0', reason: 'unknown topic' },
      { device_id: 'dev_b', kind: 'events', reason: 'invalid', place: 'events.0.id' },
      { device_id: 'dev_a', kind: 'events', reason: 'invalid' },
    ]);
  });

  it('logs again after a while', () => {
    const { reported, dropped } = book();
    const one = { device_id: null, kind: 'x', reason: 'unknown topic' };
    dropped.add(one);
    dropped.resetReported();
    dropped.add(one);
    expect(reported).toEqual([one, one]);
  });

  it('limits the logged devices and reasons, but still counts', () => {
    const { reported, dropped } = book();
    for (let index = 0; index < 50; index++) dropped.add({ device_id: 'dev_a', kind: 'x', reason: `${index}` });
    expect(reported).toHaveLength(32);
    for (let index = 0; index < 12_000; index++) dropped.add({ device_id: `dev_${index}`, kind: 'x', reason: 'r' });
    expect(reported).toHaveLength(32 + 9999);
    expect(dropped.count).toBe(12_050);
  });

  it('shortens names and removes control characters', () => {
    const shown = (name: string): string => {
      let text = '';
      new DroppedMessageReporter(({ kind }) => {
        text = kind;
      }).add({ device_id: null, kind: name, reason: 'unknown topic' });
      return text;
    };
    expect(shown(`up/${'y'.repeat(30_000)}`)).toBe(`up/${'y'.repeat(116)}…`);
    expect(shown('y'.repeat(120))).toBe('y'.repeat(120));
    expect(shown('\u001b'.repeat(500)).length).toBeLessThanOrEqual(120);
    expect(shown('a\u001b[2J\r\n\u009b1m\u202eb\u2028c')).toBe('a\\u{1b}[2J\\u{d}\\u{a}\\u{9b}1m\\u{202e}b\\u{2028}c');
  });
});

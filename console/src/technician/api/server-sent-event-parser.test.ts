import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerSentEventParser } from './server-sent-event-parser.ts';
import { type LiveLogEntry, prependToLiveLog } from './prepend-to-live-log.ts';

const stream = 'retry: 2000\n\nid: 1\ndata: {"a":1}\n\n: beat\n\nid: 2\ndata: {"b":"\\n"}\n\n';

describe('ServerSentEventParser', () => {
  it('reads the same events for any split into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: stream.length })), cuts => {
        const parser = new ServerSentEventParser();
        const offsets = [0, ...cuts, stream.length].toSorted((a, b) => a - b);
        const data = offsets.slice(1).flatMap((end, index) => parser.parse(stream.slice(offsets[index], end)));
        expect(data.map(text => JSON.parse(text) as unknown)).toEqual([{ a: 1 }, { b: '\n' }]);
      }),
    );
  });

  it('discards an event without an end', () => {
    const parser = new ServerSentEventParser();
    expect(() => {
      for (let count = 0; count < 20; count++) parser.parse(`data: ${'x'.repeat(100_000)}`);
    }).toThrow(RangeError);
  });
});

describe('prependToLiveLog', () => {
  it('keeps the newest five hundred entries and numbers them', () => {
    let log: readonly LiveLogEntry[] = [];
    for (let at = 1; at <= 1_200; at++) log = prependToLiveLog(log, { type: 'key', station: 'front', key: '•' }, at);
    expect(log).toHaveLength(500);
    expect([log[0]?.number, log[0]?.at, log.at(-1)?.number]).toEqual([1_200, 1_200, 701]);
  });
});

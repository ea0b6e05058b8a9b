import { describe, expect, it } from 'vitest';
import { createGadgetAndActionNames } from '../../components/input-rules-editor/gadget-and-action-names.ts';
import type { LiveLogEntry } from '../api/prepend-to-live-log.ts';
import { describeLiveMessage } from './describe-live-message.ts';
import { foldLiveLog } from './fold-live-log.ts';

const key = { type: 'key', station: 'front', key: '•' };
const light = { type: 'feedback', station: 'front', kind: 'granted' };
const relay = { type: 'output', output: 'strike-0', on: true, pulse_ms: 5_000 };
const event = (kind: string, more: object = {}) => ({ type: 'event', event: { kind, gadget_id: 'gad_1', ...more } });

const names = createGadgetAndActionNames([]);
/** Oldest first. */
const fold = (...events: readonly object[]) => {
  const log = events.map((one, number) => ({ number, at: 0, event: one }) as unknown as LiveLogEntry).reverse();
  return foldLiveLog(log, entry => describeLiveMessage(entry.event, names)).map(item =>
    item.kind === 'event' ? describeLiveMessage(item.entry.event, names).title : item.entries.length,
  );
};

describe('foldLiveLog', () => {
  it('leads with decisions, and folds keys, lights, relays and states between them', () => {
    expect(fold(key, key, event('use'), relay, event('state'), light, key, event('deny'))).toEqual([
      'Denied: unknown gadget',
      4,
      'Granted: unknown gadget',
      2,
    ]);
  });

  it('leads with faults, alarms and what technicians do', () => {
    expect(fold(event('fault', { fault: 'reader: gone' }), event('signal'), event('commissioning_made'))).toEqual([
      'Temporary PIN or card created',
      'unknown gadget: ?',
      'Fault: reader: gone',
    ]);
  });

  it('keeps the number of a fold while it grows, so that it stays open', () => {
    const of = (count: number) =>
      foldLiveLog(
        Array.from(
          { length: count },
          (_, at) => ({ number: count - at, at: 0, event: key }) as unknown as LiveLogEntry,
        ),
        entry => describeLiveMessage(entry.event, names),
      );
    expect(of(1)).toMatchObject([{ number: 1 }]);
    expect(of(5)).toMatchObject([{ number: 1, entries: { length: 5 } }]);
  });
});

import { describe, expect, it } from 'vitest';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { adminMessages } from '../messages/en.ts';
import { formatEventsAsCsv } from './export-events.ts';

describe('formatEventsAsCsv', () => {
  it('quotes texts and disarms formulas', () => {
    const event = {
      id: 'evt_1',
      occurred_at: '2026-06-01T10:00:00.000Z',
      verb: 'use',
      subject: { member_id: 'mem_1', access_method: 'pin' },
      object: { type: 'gadget_action', gadget_action_id: 'open' },
      object_site: { name: 'Hotel' },
      subject_member: { name: '=SUM("A1")' },
      object_gadget: { name: 'Room, 101', actions: [], states: [], signals: [] },
    } as unknown as ExpandedEvent;
    const [header, row] = formatEventsAsCsv([event], adminMessages, () => ({
      zone: 'Europe/Madrid',
      formatDateTime: () => '1 Jun, 12:00',
    })).split('\r\n');
    expect(header).toBe(
      '"Local time","Time zone","Time (UTC)","Site","What happened","Verb","Object","Door","Person","Method","Reason","Event ID"',
    );
    expect(row).toContain('"1 Jun, 12:00","Europe/Madrid","2026-06-01T10:00:00.000Z","Hotel"');
    expect(row).toContain(`"Room, 101","'=SUM(""A1"")","pin","","evt_1"`);
  });
});

import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { describe, expect, it } from 'vitest';
import {
  type EventFilter,
  matchesEventFilter,
  findActivityPeriodOfRange,
  computeActivityPeriodRange,
} from './event-filter.ts';
import type { ExpandedEvent } from '../events/describe-event.ts';
import { adminMessages } from '../messages/en.ts';
import { formatEventsAsCsv } from './export-events.ts';

const none: EventFilter = {
  kind: 'all',
  memberId: null,
  gadgetId: null,
  deviceId: null,
  reason: null,
  from: null,
  until: null,
};
const denial = {
  verb: 'deny',
  reason: 'out_of_schedule',
  subject: { member_id: 'mem_1' },
  object: { type: 'gadget_action', gadget_id: 'gad_1', device_id: 'dev_1' },
  occurred_at: '2026-06-01T10:00:00.000Z',
} as EventResponse;
const matches = (filter: Partial<EventFilter>) => matchesEventFilter(denial, { ...none, ...filter });

describe('matchesEventFilter', () => {
  it('matches every filter as the bridge does', () => {
    expect(matches({})).toBe(true);
    expect(matches({ kind: 'deny', memberId: 'mem_1', gadgetId: 'gad_1', reason: 'out_of_schedule' })).toBe(true);
    expect(matches({ kind: 'use' })).toBe(false);
    expect(matches({ memberId: 'mem_2' })).toBe(false);
    expect(matches({ gadgetId: 'gad_2' })).toBe(false);
    expect(matches({ deviceId: 'dev_1' })).toBe(true);
    expect(matches({ deviceId: 'dev_2' })).toBe(false);
    expect(matches({ reason: 'member_ended' })).toBe(false);
  });

  it('includes the start and excludes the end of the time range', () => {
    expect(matches({ from: '2026-06-01T10:00:00Z', until: '2026-06-01T10:00:00.001Z' })).toBe(true);
    expect(matches({ until: '2026-06-01T10:00:00Z' })).toBe(false);
    expect(matches({ from: '2026-06-01T10:00:01Z' })).toBe(false);
  });
});

const madrid = 'Europe/Madrid';
const now = Date.parse('2026-06-01T22:30:00Z');

describe('periods', () => {
  it('count days on the calendar of the site', () => {
    expect(computeActivityPeriodRange('last_night', now, madrid)).toEqual({
      from: '2026-06-01T18:00',
      until: '2026-06-02T08:00',
    });
    expect(computeActivityPeriodRange('yesterday', now, madrid)).toEqual({
      from: '2026-06-01T00:00',
      until: '2026-06-02T00:00',
    });
    expect(computeActivityPeriodRange('today', now, madrid)).toEqual({ from: '2026-06-02T00:00', until: '' });
  });

  it('are recognized by their range', () => {
    expect(findActivityPeriodOfRange(computeActivityPeriodRange('week', now, madrid), now, madrid)).toBe('week');
    expect(findActivityPeriodOfRange({ from: '2026-06-01T00:00', until: '' }, now, madrid)).toBeNull();
  });
});

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

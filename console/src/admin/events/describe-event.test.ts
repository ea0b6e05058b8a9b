import { describe, expect, it } from 'vitest';
import { adminMessages as german } from '../messages/de.ts';
import { adminMessages as english } from '../messages/en.ts';
import { adminMessages as spanish } from '../messages/es.ts';
import { describeEvent, type ExpandedEvent, selectEventTone } from './describe-event.ts';

const room = {
  name: 'Room 101',
  actions: [
    { id: 'open', name: 'Open' },
    { id: 'hold', name: 'Hold open' },
  ],
  states: [{ id: 'forced', name: 'Forced open' }],
  signals: [],
};

const event = (given: object): ExpandedEvent =>
  ({ verb: 'use', subject: {}, object: { type: 'gadget_action' }, reason: null, ...given }) as ExpandedEvent;

const opening = event({
  subject: { member_id: 'mem_1', access_method: 'pin' },
  object: { type: 'gadget_action', gadget_action_id: 'open' },
  subject_member: { name: 'Ann' },
  object_gadget: room,
});

describe('describeEvent', () => {
  it('names who opened which door and how, in each language', () => {
    expect(describeEvent(opening, english)).toBe('Ann opened Room 101 with a PIN');
    expect(describeEvent(opening, german)).toBe('Ann hat Room 101 mit einer PIN geöffnet');
    expect(describeEvent(opening, spanish)).toBe('Ann ha abierto Room 101 con un PIN');
    expect(selectEventTone(opening)).toBe('granted');
  });

  it('names another action than opening', () => {
    const hold = { ...opening, object: { type: 'gadget_action', gadget_action_id: 'hold' } } as ExpandedEvent;
    expect(describeEvent(hold, english)).toBe('Ann used “Hold open” on Room 101 with a PIN');
  });

  it('gives the reason of a denial, with and without a known member', () => {
    const denied = { ...opening, verb: 'deny', reason: 'out_of_schedule' };
    expect(describeEvent(denied, english)).toBe('Room 101 denied access to Ann with a PIN: outside the schedule');
    const unknown = event({
      verb: 'deny',
      reason: 'unknown_credential',
      subject: { access_method: 'card' },
      object_gadget: room,
    });
    expect(describeEvent(unknown, english)).toBe('Room 101 denied access with a card: unknown credential');
    expect(selectEventTone(unknown)).toBe('denied');
  });

  it('counts what a controller lost, and says when the number is a limit', () => {
    const lost = (details: object) =>
      event({
        verb: 'edit',
        object: { type: 'device' },
        object_device: { name: 'Gym' },
        reason: 'events_lost',
        details,
      });
    expect(describeEvent(lost({ lost_count: '1' }), english)).toMatch(/ lost 1 event$/);
    const possible = lost({ lost_count: '30', lost_at_most: 'true' });
    expect(describeEvent(possible, english)).toMatch(/ may have lost up to 30 events$/);
    expect(describeEvent(possible, german)).toMatch(/ hat möglicherweise bis zu 30 Ereignisse verloren$/);
    expect(describeEvent(possible, spanish)).toMatch(/ puede haber perdido hasta 30 eventos$/);
  });

  it('says which events of a replaced controller may be missing', () => {
    const replaced = event({
      verb: 'edit',
      object: { type: 'device' },
      reason: 'controller_replaced',
      details: { last_received: '512' },
    });
    expect(describeEvent(replaced, english)).toMatch(/ was replaced\. Events .* after number 512 may be missing$/);
    expect(describeEvent(replaced, german)).toMatch(/ wurde ersetzt\. Ereignisse .* nach Nummer 512 können fehlen$/);
    expect(describeEvent(replaced, spanish)).toMatch(/ se ha sustituido\. Pueden faltar .* al número 512$/);
  });

  it('uses the names of states and of reports of controllers', () => {
    const forced = event({
      verb: 'edit',
      object: { type: 'gadget_state', gadget_state_id: 'forced' },
      object_gadget: room,
    });
    expect([describeEvent(forced, english), selectEventTone(forced)]).toEqual(['Room 101: Forced open', 'alarm']);
    const locked = event({ verb: 'edit', object: { type: 'gadget_state', gadget_state_id: 'locked' } });
    expect(selectEventTone(locked)).toBe('state');
    const offline = event({
      verb: 'edit',
      reason: 'offline',
      object: { type: 'device' },
      object_device: { name: 'First floor' },
    });
    expect(describeEvent(offline, english)).toBe('First floor is offline');
  });

  it('names who changed what', () => {
    const user = { subject: { user_id: 'usr_1' }, subject_user: { name: '', email: 'eva@example.test' } };
    const pin = event({ ...user, verb: 'reveal', object: { type: 'member_pin' }, object_member: { name: 'Ann' } });
    expect(describeEvent(pin, english)).toBe('eva@example.test viewed a PIN of Ann');
    expect(describeEvent(pin, german)).toBe('eva@example.test hat eine PIN von Ann angezeigt');
    const group = event({
      ...user,
      verb: 'create',
      object: { type: 'member_group' },
      object_member_group: { name: 'Staff' },
    });
    expect(describeEvent(group, english)).toBe('eva@example.test created the group Staff');
  });

  it('describes an unknown verb or type with its own name', () => {
    expect(describeEvent(event({ verb: 'lend', object: { type: 'umbrella' } }), english)).toBe('Lintel: lend umbrella');
  });
});

import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import { beforeEach, describe, expect, it } from 'vitest';
import { ActivityLog } from './activity-log.ts';

const START = Date.parse('2026-06-01T12:00:00Z');
const at = (second: number): string => new Date(START + second * 1000).toISOString();

let now: number;
let reported: SimulatorActivityEntry[];
let log: ActivityLog;

beforeEach(() => {
  now = START;
  reported = [];
  const door = { key: 'room', name: 'Room 101', gadgetId: 'gad_1' };
  log = new ActivityLog({
    controllers: [{ key: 'corridor', name: 'First floor', deviceId: 'dev_1', upstream: 'gateway', doors: [door] }],
    nameOf: id => (id === 'mem_ann' ? 'Ann' : null),
    now: () => now,
    onChange: entry => void reported.push(entry),
  });
});

const atDoor = (id: string, changes: object = {}): TechnicianEventResponse =>
  ({
    id,
    sequence: 1,
    kind: 'use',
    occurred_at: at(-1),
    time_trusted: true,
    subject: { member_id: 'mem_ann', access_method: 'pin' },
    gadget_id: 'gad_1',
    gadget_action_id: 'open',
    ...changes,
  }) as unknown as TechnicianEventResponse;

const atBridge = (id: string, changes: object = {}): EventResponse =>
  ({
    id,
    verb: 'use',
    subject: { member_id: 'mem_ann', access_method: 'pin' },
    object: { type: 'gadget_action', device_id: 'dev_1', gadget_id: 'gad_1', gadget_action_id: 'open' },
    occurred_at: at(-1),
    created_at: at(-1),
    recorded_at: at(0),
    ...changes,
  }) as unknown as EventResponse;

const only = (): SimulatorActivityEntry => {
  const [entry, ...others] = log.list();
  expect(others).toEqual([]);
  return entry!;
};

describe('ActivityLog', () => {
  it('marks each place that an event reaches', () => {
    log.recordedAtDoor('corridor', atDoor('evt_1'), true);
    now += 1000;
    log.passedGateway(['evt_1']);
    now += 1000;
    log.committed(atBridge('evt_1'));
    now += 1000;
    log.delivered(atBridge('evt_1'));
    expect(reported.map(({ way }) => Object.values(way).filter(time => time !== null).length)).toEqual([1, 2, 3, 4]);
    expect(only()).toMatchObject({
      words: 'Room 101 opened for Ann with a PIN',
      decided_by: 'door',
      way: { door: at(0), gateway: at(1), bridge: at(2), webhook: at(3) },
      deliveries: 1,
    });
  });

  it('counts a repeated delivery without changing its time', () => {
    log.recordedAtDoor('corridor', atDoor('evt_1'), true);
    log.delivered(atBridge('evt_1'));
    now += 5000;
    log.delivered(atBridge('evt_1'));
    expect(only()).toMatchObject({ deliveries: 2, way: { webhook: at(0) } });
  });

  it('recognizes an event that is seen at the gateway first', () => {
    log.passedGateway(['evt_1']);
    expect(log.list()).toEqual([]);
    now += 10;
    log.recordedAtDoor('corridor', atDoor('evt_1'), true);
    expect(only().way).toMatchObject({ door: at(0), gateway: at(0) });
  });

  it('marks the gateway for an event that only the bridge reported', () => {
    log.committed(atBridge('evt_1'), at(0));
    expect(only()).toMatchObject({ decided_by: 'door', way: { door: at(-1), gateway: at(0), bridge: at(0) } });
    log.recordedAtDoor('corridor', atDoor('evt_1'), false);
    expect(only().way.bridge).toBe(at(0));
  });

  describe('decision', () => {
    it('is made by the bridge for an action of an application, also when the door executes it', () => {
      log.recordedAtDoor('corridor', atDoor('evt_1', { request_id: 'req_1', subject: null }), true);
      log.committed(atBridge('evt_2', { subject: { oauth_application_id: 'oap_1' } }));
      expect(log.list().map(({ decided_by }) => decided_by)).toEqual(['bridge', 'bridge']);
    });

    it('names the reason of a denial', () => {
      log.recordedAtDoor('corridor', atDoor('evt_1', { kind: 'deny', reason: 'out_of_schedule' }), true);
      expect(only()).toMatchObject({
        kind: 'deny',
        reason: 'out_of_schedule',
        words: 'Room 101 denied access to Ann with a PIN: outside the schedule',
      });
    });
  });

  it('shows a fault message without its code', () => {
    const fault = 'event_store: the event store is not working: events wait in memory';
    log.recordedAtDoor('corridor', atDoor('evt_1', { kind: 'fault', gadget_id: null, subject: null, fault }), true);
    expect(only().words).toBe('First floor: the event store is not working: events wait in memory');
  });

  it('omits events without a door', () => {
    log.committed(atBridge('evt_1', { object: { type: 'member', member_id: 'mem_ann' }, verb: 'edit' }));
    log.committed(
      atBridge('evt_2', { object: { type: 'device', device_id: 'dev_1' }, verb: 'edit', reason: 'status' }),
    );
    log.delivered(
      atBridge('evt_2', { object: { type: 'device', device_id: 'dev_1' }, verb: 'edit', reason: 'status' }),
    );
    expect(log.list()).toEqual([]);
  });

  it('shows when a controller goes offline and online, as seen by the bridge', () => {
    log.committed(
      atBridge('evt_1', { object: { type: 'device', device_id: 'dev_1' }, verb: 'edit', reason: 'offline' }),
    );
    expect(only()).toMatchObject({ words: 'First floor is offline', decided_by: 'bridge', way: { door: null } });
  });

  it('is ordered by the local clock, not by the clock of a controller', () => {
    log.recordedAtDoor('corridor', atDoor('evt_1', { occurred_at: at(3600) }), true);
    now += 1000;
    log.recordedAtDoor('corridor', atDoor('evt_2'), true);
    expect(log.list().map(({ id }) => id)).toEqual(['evt_2', 'evt_1']);
  });

  it('drops the oldest entries beyond two hundred', () => {
    for (let number = 0; number < 250; number++) {
      now += 1;
      log.recordedAtDoor('corridor', atDoor(`evt_${number}`), true);
    }
    expect(log.list()).toHaveLength(200);
    expect([log.list()[0]?.id, log.list().at(-1)?.id]).toEqual(['evt_249', 'evt_50']);
  });
});

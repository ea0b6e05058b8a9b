import { afterEach, beforeEach, expect, it } from 'vitest';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import type { FirmwareDoor } from '../support/devices/firmware-hotel.ts';
import { door } from '../support/bridge/place.ts';

const OPENINGS = 40;
const withLock = { ...door, states: [{ id: 'locked', name: 'Locked' }, ...(door.states ?? [])] };

let site: FirmwareSite;
let reader: FirmwareDoor;
let owner: FirmwareDoor;
beforeEach(async () => {
  site = await FirmwareSite.open();
  reader = await site.door([withLock]);
  owner = await site.door();
});
afterEach(() => site.close());

const trigger = (source: object): Promise<unknown> =>
  site.hotel.client.done('POST', '/gadget_triggers', {
    ...source,
    target_gadget_id: owner.gadgetId,
    target_action_id: 'open',
  });

const DAY_S = 86_400;

/** A range that begins in so many seconds by the site's clock, whatever day it is there. */
const everyDayIn = (seconds: number) => {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', timeStyle: 'medium' }).format(Date.now());
  const [hour = 0, minute = 0, second = 0] = parts.split(':').map(Number);
  const start = (hour * 3600 + minute * 60 + second + seconds) % DAY_S;
  return Array.from({ length: 7 }, () => ({ ranges: [{ start, end: Math.min(start + 3600, DAY_S) }] }));
};

/** One event that names the trigger, the controller where it began and the one whose door moved. */
const byTrigger = () => ({
  subject: { device_id: reader.deviceId },
  object: { gadget_trigger_id: expect.stringMatching(/^gt_/), device_id: owner.deviceId },
});

const usesOf = ({ recorded }: FirmwareDoor): number => recorded.filter(({ kind }) => kind === 'use').length;

const untilUsed = (times: number): Promise<void> =>
  site.hotel.until(
    () => usesOf(owner) >= times,
    () => `the door opened ${times} times; ${reader.logged.join('\n')} ${owner.logged.join('\n')}`,
  );

/** What the bridge has of the owner's door, once the line is back. */
const usesAtTheBridge = async () => {
  await site.restore();
  await owner.reported();
  await reader.reported();
  return site.hotel.events(`verb=use&object.gadget_id=${owner.gadgetId}`, 'recorded_at');
};

it('with the cloud cut off a PIN at one controller opens the door of another, each time with one event that names both', async () => {
  await site.rule(reader, '*7', owner.gadgetId);
  const member = await site.hotel.member(await site.hotel.group(owner.gadgetId), { pin: '2580' });
  await site.start(reader, owner);
  await site.cut();
  for (let opening = 1; opening <= OPENINGS; opening++) {
    reader.running.keypad.press('*72580');
    await untilUsed(opening);
  }
  const uses = await usesAtTheBridge();
  expect(uses).toHaveLength(OPENINGS);
  for (const use of uses) {
    expect(use).toMatchObject({
      subject: { member_id: member, device_id: reader.deviceId, access_method: 'pin' },
      object: { device_id: owner.deviceId, gadget_id: owner.gadgetId },
    });
  }
});

it('with the cloud cut off a state of one controller moves the door of another', async () => {
  await trigger({ source_type: 'state', source_gadget_id: reader.gadgetId, source_state_id: 'unlocked' });
  await site.hotel.member(await site.hotel.group(reader.gadgetId), { uid: '04a1b2c3d4e5f6' });
  await site.start(reader, owner);
  await site.cut();
  reader.running.reader.tap('04a1b2c3d4e5f6');
  await untilUsed(1);
  expect(await usesAtTheBridge()).toMatchObject([byTrigger()]);
});

it('with the cloud cut off a signal of one controller moves the door of another', async () => {
  await trigger({ source_type: 'signal', source_gadget_id: reader.gadgetId, source_signal_id: 'forced' });
  await site.start(reader, owner);
  await site.cut();
  reader.running.inputs.set('contact-0', 'active');
  await untilUsed(1);
  expect(await usesAtTheBridge()).toMatchObject([byTrigger()]);
});

it('with the cloud cut off a schedule that begins moves a door by itself, once', async () => {
  const { id } = await site.hotel.client.done('POST', '/schedules', { name: 'Soon', weekdays: everyDayIn(6) });
  await trigger({ source_type: 'schedule', source_schedule_id: id, source_schedule_event: 'enter' });
  await site.start(reader, owner);
  await site.cut();
  await untilUsed(1);
  expect(await usesAtTheBridge()).toMatchObject([
    { object: { gadget_trigger_id: expect.stringMatching(/^gt_/), device_id: owner.deviceId } },
  ]);
});

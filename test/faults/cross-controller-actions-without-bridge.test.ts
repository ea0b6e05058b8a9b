import { instant } from '@lintel/access-core/instant';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FirmwareSiteWithGateway } from '../support/devices/firmware-gateway-site.ts';
import type { FirmwareController } from '../support/devices/firmware-site.ts';
import { door } from '../support/bridge/site-fixtures.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

const OPENINGS = iterations({ sample: 3, all: 40 });
const slow = { tags: ['slow'] };
const withLock = { ...door, states: [{ id: 'locked', name: 'Locked' }, ...(door.states ?? [])] };

let site: FirmwareSiteWithGateway;
let reader: FirmwareController;
let owner: FirmwareController;
beforeEach(async () => {
  site = await FirmwareSiteWithGateway.open();
  reader = await site.claimController([withLock]);
  owner = await site.claimController();
});
afterEach(() => site.close());

const createTrigger = (source: object): Promise<unknown> =>
  site.client.callOk('POST', '/gadget_triggers', {
    ...source,
    target_gadget_id: owner.gadgetId,
    target_action_id: 'open',
  });

const DAY_S = 86_400;

/** A daily range that begins in this many seconds in the time zone of the site. */
const everyDayIn = (seconds: number) => {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', timeStyle: 'medium' }).format(Date.now());
  const [hour = 0, minute = 0, second = 0] = parts.split(':').map(Number);
  const start = (hour * 3600 + minute * 60 + second + seconds) % DAY_S;
  return Array.from({ length: 7 }, () => ({ ranges: [{ start, end: Math.min(start + 3600, DAY_S) }] }));
};

/** An event with the trigger, the controller of its source and the controller of the door. */
const byTrigger = () => ({
  subject: { device_id: reader.deviceId },
  object: { gadget_trigger_id: expect.stringMatching(/^gt_/), device_id: owner.deviceId },
});

const usesOf = ({ recorded }: FirmwareController): number => recorded.filter(({ kind }) => kind === 'use').length;

const waitUntilUsed = (times: number): Promise<void> =>
  site.waitUntil(
    () => usesOf(owner) >= times,
    () => `the door opened ${times} times; ${reader.logged.join('\n')} ${owner.logged.join('\n')}`,
  );

/** Restores the link, and reads the uses of the owner's door at the bridge. */
const usesAtBridge = async () => {
  await site.restoreLink();
  await owner.waitUntilEventsUploaded();
  await reader.waitUntilEventsUploaded();
  return site.events(`verb=use&object.gadget_id=${owner.gadgetId}`, 'recorded_at');
};

describe('Site without a link to the bridge', () => {
  it('opens the door of one controller for a PIN at another, with one event that names both', {
    timeout: 300_000,
  }, async () => {
    await site.setInputRule(reader, '*7', owner.gadgetId);
    const member = await site.createMember(await site.createGroup(owner.gadgetId), { pin: '2580' });
    await site.start(reader, owner);
    await site.cutLink();
    for (let opening = 1; opening <= OPENINGS; opening++) {
      reader.running.keypad.press('*72580');
      await waitUntilUsed(opening);
    }
    const uses = await usesAtBridge();
    expect(uses).toHaveLength(OPENINGS);
    for (const use of uses) {
      expect(use).toMatchObject({
        subject: { member_id: member, device_id: reader.deviceId, access_method: 'pin' },
        object: { device_id: owner.deviceId, gadget_id: owner.gadgetId },
      });
    }
  });

  it('opens the door of one controller when a gadget of another changes its state', slow, async () => {
    await createTrigger({ source_type: 'state', source_gadget_id: reader.gadgetId, source_state_id: 'unlocked' });
    await site.createMember(await site.createGroup(reader.gadgetId), { uid: '04a1b2c3d4e5f6' });
    await site.start(reader, owner);
    await site.cutLink();
    reader.running.reader.tap('04a1b2c3d4e5f6');
    await waitUntilUsed(1);
    expect(await usesAtBridge()).toMatchObject([byTrigger()]);
  });

  it('opens the door of one controller on a signal of another', slow, async () => {
    await createTrigger({ source_type: 'signal', source_gadget_id: reader.gadgetId, source_signal_id: 'forced' });
    await site.start(reader, owner);
    await site.cutLink();
    reader.running.inputs.set('contact-0', 'active');
    await waitUntilUsed(1);
    expect(await usesAtBridge()).toMatchObject([byTrigger()]);
  });

  it('opens a door once when a schedule begins', slow, async () => {
    const { id } = await site.client.callOk('POST', '/schedules', { name: 'Soon', weekdays: everyDayIn(1800) });
    await createTrigger({ source_type: 'schedule', source_schedule_id: id, source_schedule_event: 'enter' });
    let clockOffsetMs = 0;
    const system = { now: () => instant(Date.now() + clockOffsetMs), isSynchronized: () => true };
    owner.start(site.gateway.ready.mqtt, { system });
    await site.start(reader);
    await site.waitUntilSynced(owner);
    await site.cutLink();
    clockOffsetMs = 1_801_000;
    await waitUntilUsed(1);
    expect(await usesAtBridge()).toMatchObject([
      { object: { gadget_trigger_id: expect.stringMatching(/^gt_/), device_id: owner.deviceId } },
    ]);
  });
});

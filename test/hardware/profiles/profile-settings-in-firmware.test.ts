import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHardware } from '@lintel/device-runtime/hardware';
import { ProfileControllers, shippedProfile } from '../../support/hardware/profile-controller.ts';

let controllers: ProfileControllers;
beforeEach(() => {
  controllers = new ProfileControllers();
});
afterEach(() => controllers.close());

const laptopWith = (changes: object): Profile => {
  const checked = checkProfile({ ...shippedProfile('laptop-simulator'), ...changes });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.profile;
};

const partsOf = async (changes: object) => {
  const parts = await openHardware(laptopWith(changes), controllers.context());
  controllers.closing.push(() => parts.close());
  return parts;
};

describe('settings of a profile', () => {
  it('reach the firmware: times, policies, clock', async () => {
    const parts = await partsOf({
      times: { forget_ms: 20_000 },
      policies: { untrusted_time: 'use_clock', slice_refuse_hours: 48 },
      real_time_clock: true,
    });
    expect(parts.times).toMatchObject({ forget_ms: 20_000, known_pin_pause_ms: 3_000, first_lockout_ms: 30_000 });
    expect(parts).toMatchObject({ untrustedTime: 'use_clock', snapshotRefusedAfterMs: 172_800_000, hasRtc: true });
  });

  it('default to safe values', async () => {
    expect(await partsOf({})).toMatchObject({ untrustedTime: 'refuse', snapshotRefusedAfterMs: null, hasRtc: false });
  });

  it('show the same feedback for every denial reason', async () => {
    const blink = [{ step: 'pulse', output: 'red', ms: 50 }];
    const { wiring } = await partsOf({ feedback: { refused: blink, granted: [] } });
    expect(wiring.feedback).toEqual({ refused: blink, denied: blink, dropped: blink, granted: [] });
  });

  it('name the lines, the housing and the button for the technician', async () => {
    const { wiring } = await partsOf({});
    expect(wiring).toMatchObject({ tamper: 'housing', setup_button: 'setup_button' });
    expect(wiring.lines?.outputs).toContain('door_relay');
    expect(wiring.lines?.inputs).toContain('door_contact');
  });

  it('interlock exactly the configured doors', async () => {
    const [door] = shippedProfile('laptop-simulator').gadgets;
    const doors = ['a', 'b', 'c'].map((key, index) => ({
      ...door,
      key,
      name: key,
      strike: ['door_relay', 'blind_up', 'blind_down'][index],
      contact: undefined,
      exit_button: undefined,
      held_open_ms: undefined,
      pre_alarm_ms: 0,
    }));
    const { wiring } = await partsOf({ gadgets: doors, interlocks: [{ gadgets: ['a', 'c'] }] });
    const gadgets = ['a', 'b', 'c'].map((name, index) => ({ id: `gad_${index}`, name, actions: [{ id: 'open' }] }));
    const groups = gadgets.map((gadget, index) => {
      const found = wiring.gadget(gadget as never, index, gadgets as never);
      return found?.kind === 'door' ? found.config.interlock_group : found;
    });
    expect(groups).toEqual(['interlock 0', null, 'interlock 0']);
  });
});

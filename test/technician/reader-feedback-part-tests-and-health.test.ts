import {
  feedbackTestResponseSchema,
  nextCardResponseSchema,
  technicianHardwareTestsResponseSchema,
  type HardwareTestRecord,
} from '@lintel/wire-protocol/technician/hardware-tests';
import { technicianHealthResponseSchema } from '@lintel/wire-protocol/technician/health';
import {
  hardwareDetectionResponseSchema,
  hardwareProfileCheckResponseSchema,
} from '@lintel/wire-protocol/technician/hardware-detection-and-profile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

const STATION = 'station-0';
const OTHER_CARD = '04deadbeef0102';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
  await door.serve();
  door.claim();
  await door.client.login({ pass: door.passOf() });
});
afterEach(() => door.remove());

const call = (method: string, path: string, body?: object) =>
  door.client.call(method, path, body === undefined ? {} : { body });
const tests = async (): Promise<readonly HardwareTestRecord[]> =>
  technicianHardwareTestsResponseSchema.parse((await call('GET', '/tests')).body).data;

describe('POST /readers/{station}/next_card', () => {
  const waits = () => call('POST', `/readers/${STATION}/next_card`, {});
  const isWaiting = (): boolean => {
    try {
      void door.device.controller.technician.tapCapture.waitForTap('a look', 1, { signal: AbortSignal.abort() });
      return false;
    } catch {
      return true;
    }
  };
  const begun = async (): Promise<void> => {
    await expect.poll(isWaiting).toBe(true);
  };

  it('returns the card number once and only to the waiting client', async () => {
    const live = await door.client.live();
    const waiting = waits();
    await begun();
    expect((await waits()).body['args']).toEqual({ reason: 'busy' });
    door.device.reader.tap(OTHER_CARD);
    const { status, body } = await waiting;
    expect([status, nextCardResponseSchema.parse(body)]).toEqual([
      200,
      { outcome: 'card', station: STATION, uid: OTHER_CARD },
    ]);
    await expect.poll(() => live.messages.filter(({ type }) => type === 'feedback')).toHaveLength(1);
    live.stop();
    const everythingElse = [
      live.messages,
      ...(await Promise.all(
        ['/events', '/support_bundle', '/tests', '/status', '/report'].map(
          async path => (await call('GET', path)).text,
        ),
      )),
    ];
    expect(JSON.stringify(everythingElse)).not.toContain(OTHER_CARD);
    expect((await tests())[0]).toMatchObject({ id: `reader:${STATION}`, result: null, seen: { ok: true } });
  });

  it('opens nothing and records no event for the awaited card', async () => {
    const waiting = waits();
    await begun();
    door.device.reader.tap(CARD);
    expect((await waiting).body['uid']).toBe(CARD);
    expect(door.device.outputs.isOn('strike-0')).toBe(false);
    const events: readonly { readonly kind: string }[] = (await call('GET', '/events')).body['data']!;
    expect(events.filter(({ kind }) => kind !== 'state')).toEqual([]);
    door.device.reader.tap(CARD);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);
  });

  it('stops waiting when the client disconnects', async () => {
    const disconnect = door.client.send('POST', `/readers/${STATION}/next_card`, { body: {} });
    await begun();
    disconnect();
    await expect
      .poll(() => {
        door.device.reader.tap(CARD);
        return door.device.outputs.isOn('strike-0');
      })
      .toBe(true);
  });

  it('rejects unknown readers and fields', async () => {
    expect((await call('POST', '/readers/nowhere/next_card', {})).status).toBe(404);
    expect((await call('POST', `/readers/${STATION}/next_card`, { ms: 1 })).status).toBe(400);
  });
});

describe('POST /stations/{station}/feedback', () => {
  it('plays a pattern and returns its outputs', async () => {
    const { status, body } = await call('POST', `/stations/${STATION}/feedback`, { pattern: 'granted' });
    expect([status, feedbackTestResponseSchema.parse(body)]).toEqual([200, { lines: ['green', 'red', 'buzzer'] }]);
    expect(door.device.outputs.isOn('green')).toBe(true);
    await expect.poll(() => door.device.outputs.isOn('buzzer')).toBe(false);
  });

  it('rejects alarms and unknown stations', async () => {
    const alarm = await call('POST', `/stations/${STATION}/feedback`, { pattern: 'forced' });
    expect([alarm.status, alarm.body['args']]).toEqual([400, { field: 'pattern' }]);
    expect((await call('POST', '/stations/nowhere/feedback', { pattern: 'granted' })).status).toBe(404);
  });
});

describe('/tests', () => {
  it('records each test with the observed result and stores the verdict of the technician', async () => {
    await call('POST', '/outputs/red/pulse', { ms: 100 });
    await call('POST', '/gadgets/gad_door/actions/open', {});
    await call('POST', `/stations/${STATION}/feedback`, { pattern: 'denied' });
    expect((await tests()).map(({ id, result, seen }) => [id, result, seen?.ok])).toEqual([
      [`feedback:${STATION}`, null, true],
      ['gadget:gad_door:open', null, true],
      ['output:red', null, true],
    ]);
    const judged = await call('POST', '/tests', { id: 'output:red', result: 'failed', note: 'stays dark' });
    expect([judged.status, judged.body]).toEqual([
      200,
      expect.objectContaining({ result: 'failed', note: 'stays dark', seen: expect.objectContaining({ ok: true }) }),
    ]);
    const [newest] = await tests();
    expect(newest).toMatchObject({
      id: 'output:red',
      result: 'failed',
      by: { user_id: 'usr_tina', pass_id: 'pass_1', user_name: 'Tina' },
      is_remote: false,
    });
  });

  it('keeps the newest result of each test over a restart', async () => {
    for (const result of ['failed', 'skipped'] as const) await call('POST', '/tests', { id: 'reader:front', result });
    await door.close();
    await door.open();
    await door.client.login({ pass: door.passOf() });
    expect((await tests()).map(({ id, result }) => [id, result])).toEqual([['reader:front', 'skipped']]);
  });

  it('adds what the controller sees to the verdict of an input and of a health check', async () => {
    door.device.inputs.press('contact-0');
    const contact = await call('POST', '/tests', { id: 'input:contact-0', result: 'passed' });
    expect(contact.body['seen']).toMatchObject({ ok: true, what: 'changed, now inactive' });
    const clock = await call('POST', '/tests', { id: 'health:clock', result: 'skipped' });
    expect(clock.body['seen']).toMatchObject({ what: expect.stringContaining('Z, ') });
    const own = await call('POST', '/tests', { id: 'signage', result: 'passed' });
    expect(own.body['seen']).toBeNull();
  });

  it('accepts a pass only after the controller has seen the part work', async () => {
    const keypad = `keypad:${STATION}`;
    const steps = [
      ['gadget:gad_door:open', () => call('POST', '/gadgets/gad_door/actions/open', {})],
      ['output:red', () => call('POST', '/outputs/red/pulse', { ms: 100 })],
      [`feedback:${STATION}`, () => call('POST', `/stations/${STATION}/feedback`, { pattern: 'denied' })],
      [keypad, () => door.device.keypad.press('5')],
      ['input:contact-0', () => door.device.inputs.press('contact-0')],
    ] as const;
    for (const [id, run] of steps) {
      const early = await call('POST', '/tests', { id, result: 'passed' });
      expect([id, early.status, early.body['args']]).toEqual([id, 409, { reason: 'not_run' }]);
      await run();
      expect([id, (await call('POST', '/tests', { id, result: 'passed' })).status]).toEqual([id, 200]);
    }
    for (const id of [`reader:${STATION}`, 'rule:gad_door:open', 'power:supply', 'health:nothing']) {
      expect([id, (await call('POST', '/tests', { id, result: 'passed' })).status]).toEqual([id, 409]);
      expect([id, (await call('POST', '/tests', { id, result: 'skipped' })).status]).toEqual([id, 200]);
    }
    expect((await tests()).find(({ id }) => id === keypad)?.seen).toMatchObject({ what: 'keys were pressed' });
  });

  it('rejects a pass after a run that failed', async () => {
    door.device.outputs.fail({ kind: 'absent', message: 'the board is gone' });
    await call('POST', '/gadgets/gad_door/actions/open', {});
    const { status, body } = await call('POST', '/tests', { id: 'gadget:gad_door:open', result: 'passed' });
    expect([status, body['message']]).toEqual([409, expect.stringContaining('the board is gone')]);
  });

  it.each([
    [{ id: 'Output:red', result: 'passed' }, 'id'],
    [{ id: 'output:red', result: 'great' }, 'result'],
    [{ id: 'output:red', result: 'passed', note: 'x'.repeat(501) }, 'note'],
    [{ id: `a${':b'.repeat(100)}`, result: 'passed' }, 'id'],
  ])('rejects %j', async (body, field) => {
    const answer = await call('POST', '/tests', body);
    expect([answer.status, answer.body['args']]).toEqual([400, { field }]);
  });
});

describe('GET /health', () => {
  it('names a failing reader and the fix until it works again', async () => {
    const state = async () => {
      const { checks } = technicianHealthResponseSchema.parse((await call('GET', '/health')).body);
      return checks.find(({ id }) => id === `reader:${STATION}`);
    };
    expect(await state()).toMatchObject({ state: 'ok', advice: null });
    door.device.reader.fail({ kind: 'absent', message: 'the reader is unplugged' });
    expect(await state()).toMatchObject({
      state: 'fail',
      found: 'the reader is unplugged',
      advice: expect.any(String),
    });
    door.device.reader.fail(null);
    expect(await state()).toMatchObject({ state: 'ok' });
  });

  it('names a reader with a bad signal and the fix until the signal is good again', async () => {
    const state = async () => {
      const { checks } = technicianHealthResponseSchema.parse((await call('GET', '/health')).body);
      return checks.find(({ id }) => id === `signal:${STATION}`);
    };
    const { reader } = door.device;
    const recordSignal = (
      side: 'line' | 'cards',
      reading: Parameters<typeof reader.recordSignal>[1],
      times: number,
    ): void => {
      for (let time = 0; time < times; time++) reader.recordSignal(side, reading);
    };
    expect(await state()).toMatchObject({ state: 'unknown', title: `Signal of reader ${STATION}`, advice: null });
    recordSignal('cards', 'clean', 1);
    recordSignal('line', 'clean', 80);
    recordSignal('line', 'damaged', 20);
    expect(await state()).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/80 of 100 messages were intact \(80 %\).*damaged/),
      advice: expect.stringMatching(/baud rate.*ground/),
    });
    recordSignal('line', 'clean', 100);
    expect(await state()).toMatchObject({ state: 'warn', advice: expect.any(String) });
    recordSignal('line', 'clean', 800);
    expect(await state()).toMatchObject({ state: 'ok', advice: null });
    recordSignal('cards', 'unreadable', 3);
    expect(await state()).toMatchObject({ state: 'fail', advice: expect.stringMatching(/metal/) });
    recordSignal('cards', 'clean', 147);
    expect(await state()).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('148 of 151 cards were read (98 %)'),
    });
  });
});

describe('GET /doctor', () => {
  it('lists the products that fit this machine and why the profile is fixed', async () => {
    const doctor = hardwareDetectionResponseSchema.parse((await call('GET', '/doctor')).body);
    expect(doctor).toMatchObject({ current: 'laptop-simulator', fixed_because: 'fixed_by_command' });
    const ids = doctor.profiles.map(({ product_id }) => product_id);
    expect(ids).toContain('rpi-osdp');
    expect(ids.slice(-2).toSorted()).toEqual(['laptop-simulator', 'virtual']);
    expect(doctor.profiles.find(({ product_id }) => product_id === 'rpi-osdp')).toMatchObject({
      fits: false,
      missing: expect.arrayContaining([expect.objectContaining({ fix: expect.any(String) })]),
    });
    const refused = await call('PUT', '/profile', { name: 'rpi-osdp' });
    expect([refused.status, refused.body['args']]).toEqual([409, { reason: 'fixed_by_command' }]);
  });
});

describe('PUT /profile of a claimed controller', () => {
  const saved: string[] = [];
  const profiles = {
    isFixed: false,
    save: ({ product_id }: { readonly product_id: string }) => void saved.push(product_id),
    restart: () => undefined,
  };
  beforeEach(async () => {
    saved.length = 0;
    await door.close();
    await door.open({ profiles });
    await door.serve([rule('*1'), rule('*2', 'gad_garage')]);
    await door.client.login({ pass: door.passOf() });
  });

  it('shows what loses its hardware, and changes only with a confirmation', async () => {
    const check = hardwareProfileCheckResponseSchema.parse(
      (await call('POST', '/profile/check', { name: 'gateway' })).body,
    );
    expect(check).toMatchObject({
      gadgets: [{ gadget_id: 'gad_door', now: expect.any(String), next: null }],
      rules: [{ code: '*1', gadget_id: 'gad_door' }],
      lost_stations: [STATION],
    });
    const early = await call('PUT', '/profile', { name: 'rpi-osdp' });
    expect([early.status, early.body['args'], saved]).toEqual([409, { reason: 'needs_confirmation' }, []]);
    expect((await call('PUT', '/profile', { name: 'rpi-osdp', confirm: true })).status).toBe(202);
    expect(saved).toEqual(['rpi-osdp']);
    const events: readonly { readonly kind: string }[] = (await call('GET', '/events')).body['data']!;
    expect(events.map(({ kind }) => kind)).toContain('profile_changed');
  });

  it('keeps the door that the new profile has, too', async () => {
    const { gadgets, rules } = hardwareProfileCheckResponseSchema.parse(
      (await call('POST', '/profile/check', { name: 'rpi-gpio-acr122u' })).body,
    );
    expect([gadgets[0]?.next, rules]).toEqual([expect.any(String), []]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
});
afterEach(() => door.remove());

describe('technician API outputs', () => {
  beforeEach(async () => {
    await door.serve();
    door.claim();
    await door.client.login({ pass: door.passOf() });
  });
  const pulse = (output: string, ms: unknown) => door.client.call('POST', `/outputs/${output}/pulse`, { body: { ms } });

  it('pulses one output without a gadget at a time', async () => {
    expect((await pulse('red', 5000)).status).toBe(200);
    expect(door.device.outputs.isOn('red')).toBe(true);
    expect((await pulse('green', 100)).body['args']).toEqual({ reason: 'busy' });
  });

  it('pulses the next output when the first is off again, and records it', async () => {
    expect((await pulse('red', 100)).status).toBe(200);
    await expect.poll(async () => (await pulse('green', 100)).status).toBe(200);
    const { body } = await door.client.call('GET', '/events');
    expect(body['data']).toContainEqual(
      expect.objectContaining({
        kind: 'output_tested',
        subject: { user_id: 'usr_tina' },
        detail: 'red for 100 ms (technician, pass pass_1)',
      }),
    );
  });

  it('switches outputs of a gadget through its actions only', async () => {
    const strike = await pulse('strike-0', 500);
    expect([strike.status, strike.body['args']]).toEqual([409, { reason: 'gadget', gadget_id: 'gad_door' }]);
    expect(door.device.outputs.isOn('strike-0')).toBe(false);
    const done = await door.client.call('POST', '/gadgets/gad_door/actions/open', { body: {} });
    expect([done.status, done.body]).toEqual([200, { event_id: expect.stringMatching(/^evt?_|^ev/) }]);
    expect(door.device.outputs.isOn('strike-0')).toBe(true);
    const { body } = await door.client.call('GET', '/events');
    expect(body['data']).toContainEqual(
      expect.objectContaining({ id: done.body['event_id'], kind: 'use', subject: { user_id: 'usr_tina' } }),
    );
  });

  it('rejects invalid durations and unknown outputs, gadgets and actions', async () => {
    for (const ms of [99, 5_001, 1.5, '500', null]) expect([ms, (await pulse('red', ms)).status]).toEqual([ms, 400]);
    expect((await pulse('no-such', 500)).status).toBe(404);
    expect((await door.client.call('POST', '/gadgets/gad_door/actions/fly', { body: {} })).status).toBe(404);
    expect((await door.client.call('POST', '/gadgets/gad_garage/actions/open', { body: {} })).status).toBe(404);
  });
});

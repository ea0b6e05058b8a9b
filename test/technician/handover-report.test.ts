import { handoverReportResponseSchema } from '@lintel/wire-protocol/technician/handover-report';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, PIN, rule, TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
});
afterEach(() => door.remove());

const report = async () => handoverReportResponseSchema.parse((await door.client.call('GET', '/report')).body);

describe('GET /report', () => {
  it('lists the wiring and the tests of an unclaimed controller', async () => {
    await door.client.login({ code: door.setupCode });
    await door.client.call('POST', '/outputs/red/pulse', { body: { ms: 100 } });
    await door.client.call('POST', '/tests', { body: { id: 'output:red', result: 'passed' } });
    expect(await report()).toMatchObject({
      by: { user_id: null, pass_id: null, user_name: null },
      device: { id: null, name: null },
      organization: { id: null, name: null },
      product: { id: 'laptop-simulator', name: expect.any(String), revision: expect.any(String) },
      wiring: [
        { title: 'Simulated parts', wires: expect.arrayContaining([expect.objectContaining({ to: 'readers' })]) },
      ],
      rules: [],
      without_rules: null,
      tests: [{ id: 'output:red', result: 'passed', seen: { ok: true } }],
      certificates: { technician: door.technician.fingerprint, device_serial: null, device_expires_at: null },
      last_sync: null,
      health: { state: expect.any(String) },
    });
  });

  it('lists the rules with the names of their gadgets and the claim', async () => {
    await door.serve([rule('*1'), rule('*2', 'gad_garage'), rule('*3', 'gad_gone')]);
    door.claim();
    await door.client.login({ pass: door.passOf() });
    const { rules, device, site, certificates, by, status } = await report();
    expect(rules.map(({ code, gadget_name, action_name, is_own }) => [code, gadget_name, action_name, is_own])).toEqual(
      [
        ['*1', 'gad_door', 'open', true],
        ['*2', 'gad_garage', 'open', false],
        ['*3', null, null, false],
      ],
    );
    expect(by).toEqual({ user_id: 'usr_tina', pass_id: 'pass_1', user_name: 'Tina' });
    expect([device.id, site.id, status.organization_id]).toEqual(['dev_own', 'site_1', 'org_1']);
    expect([device.name, site.name]).not.toContain(null);
    expect(certificates).toMatchObject({ device_serial: '0a1b', device_expires_at: '2030-03-17T17:46:40.000Z' });
  });

  it('names the default action when there are no rules', async () => {
    await door.serve([]);
    door.claim();
    await door.client.login({ pass: door.passOf() });
    expect((await report()).without_rules).toMatchObject({ gadget_id: 'gad_door', action_id: 'open' });
  });

  it('contains no secrets', async () => {
    await door.serve([rule('*1')]);
    const code = door.setupCode;
    await door.client.login({ code });
    const { text } = await door.client.call('GET', '/report');
    for (const secret of [`"${PIN}"`, CARD, code, 'digest"']) expect(text).not.toContain(secret);
  });
});

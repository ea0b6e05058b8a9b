import { randomBytes } from 'node:crypto';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import {
  type ControllerReplacementResponse,
  encodeControllerReplacementSigningBytes,
  readVerifiedControllerReplacement,
} from '@lintel/wire-protocol/claiming/controller-replacement';
import type { RedeemClaimResponse } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { afterEach, describe, expect, it } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { ControllerIdentity, issueTicket } from '../../support/devices/controller-identity.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { ControllerWithBridge } from '../../support/technician/controller-with-bridge.ts';

const ask = async (
  bridge: TestBridge,
  identity: ControllerIdentity,
  { device_id, serial }: Pick<RedeemClaimResponse, 'device_id' | 'serial'>,
  address: string | null = 'https://10.0.0.7:8443',
) => {
  const asked = { device_id, serial, nonce: randomBytes(16).toString('base64url'), address };
  const signature = Buffer.from(identity.sign(encodeControllerReplacementSigningBytes(asked))).toString('base64url');
  const payload = { v: 1, ...asked, signature };
  const answer = await bridge.app.inject({ method: 'POST', url: '/claim/v1/replacement', payload });
  return { asked, status: answer.statusCode, body: answer.json<ControllerReplacementResponse>() };
};

const attention = async (bridge: TestBridge, client: TestOrganizationClient) => {
  const { items } = await callAsOwner(bridge, client, 'GET', '/attention');
  return (items as readonly Record<string, unknown>[]).filter(({ kind }) => kind === 'replaced_controller');
};

describeOnBothDatabases('POST /claim/v1/replacement', bridge => {
  const claimAndReplace = async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const old = new ControllerIdentity(bridge());
    const claimed = await old.redeem(bridge(), {
      ticket: (await issueTicket(bridge(), client, { site_id })).ticket,
      name: 'Back door',
    });
    const replace = async (identity: ControllerIdentity) => {
      const { ticket } = await issueTicket(bridge(), client, { site_id, device_id: claimed.device_id });
      return identity.redeem(bridge(), { ticket });
    };
    return { client, old, claimed, replace };
  };

  it('answers with a statement that the organization has signed, and lists the controller once a day', async () => {
    const { client, old, claimed, replace } = await claimAndReplace();
    expect((await ask(bridge(), old, claimed)).body).toEqual({ v: 1, replacement: null });
    const replaced_at = bridge().now;
    await replace(new ControllerIdentity(bridge()));
    bridge().advanceSeconds(60);
    const { asked, body } = await ask(bridge(), old, claimed);
    const verified = readVerifiedControllerReplacement(body.replacement!, asked, (bytes, signature) =>
      verifyEd25519(claimed.organization_key, bytes, signature),
    );
    expect(verified).toMatchObject({ ok: true, value: { serial: claimed.serial, replaced_at } });
    const other = { ...asked, nonce: 'A'.repeat(22) };
    expect(readVerifiedControllerReplacement(body.replacement!, other, () => true).ok).toBe(false);
    await ask(bridge(), old, claimed, 'https://10.0.0.8:8443');
    expect(await attention(bridge(), client)).toMatchObject([
      { device_id: claimed.device_id, severity: 'warning', address: 'https://10.0.0.7:8443' },
    ]);
    bridge().advanceSeconds(86_400);
    await ask(bridge(), old, claimed, null);
    expect(await attention(bridge(), client)).toMatchObject([{ address: '127.0.0.1' }]);
    const logins = (await eventsOf(bridge(), client)).filter(
      event => event.startsWith('edit device') && event.includes(old.hardwareId),
    );
    expect(logins).toHaveLength(2);
    bridge().advanceSeconds(2 * 86_400);
    expect(await attention(bridge(), client)).toEqual([]);
  });

  it('tells nothing to a controller with another key, and nothing about one that was claimed again', async () => {
    const { client, old, claimed, replace } = await claimAndReplace();
    await replace(new ControllerIdentity(bridge()));
    expect((await ask(bridge(), new ControllerIdentity(bridge()), claimed)).status).toBe(403);
    expect((await ask(bridge(), old, { ...claimed, serial: '0f' })).status).toBe(403);
    await replace(old);
    expect((await ask(bridge(), old, claimed)).body).toEqual({ v: 1, replacement: null });
    expect(await attention(bridge(), client)).toEqual([]);
  });
});

describe('a controller that was replaced', () => {
  let controller: ControllerWithBridge;
  afterEach(() => controller.close());

  it('says so on its page and in doctor when the broker refuses it, and works again after a new claim', async () => {
    controller = await ControllerWithBridge.createClaimed();
    const { bridge } = controller;
    const technician = await controller.loginWithPass();
    const device_id = await controller.deviceId();
    await new ControllerIdentity(bridge).redeem(bridge, {
      ticket: await controller.ticket({ device_id }),
      product_id: null,
      revision_id: null,
    });
    const faults = async (): Promise<readonly string[]> => {
      const { body } = await technician.call('GET', '/status');
      return (body['faults'] as unknown as readonly { code: string }[]).map(({ code }) => code);
    };
    await controller.waitUntil('the controller knows that it was replaced', async () =>
      (await faults()).includes('replaced'),
    );
    const { body } = await technician.call('GET', '/health');
    const checks = body['checks'] as unknown as readonly { id: string; found: string }[];
    expect(checks.find(({ id }) => id === 'line')?.found).toMatch(
      /^The bridge refuses this controller\. This controller was replaced by another on 20/,
    );
    expect(await attention(bridge, controller.client)).toMatchObject([{ device_id, address: controller.url }]);
    const doctor = await runLintel('doctor', '--data', controller.dataDir, '--json');
    expect(doctor.stdout).toContain('This controller was replaced by another on');

    await controller.device.parts({ press: 'setup_button' });
    await technician.login({ code: controller.setupCode });
    await technician.call('POST', '/claim', {
      body: { ticket: await controller.ticket({ device_id }), replace: true },
    });
    await controller.waitUntil('the controller is in use again', async () => !(await faults()).includes('replaced'));
  });
});

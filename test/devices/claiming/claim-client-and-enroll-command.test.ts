import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { instant } from '@lintel/access-core/instant';
import { issueClaimTicket } from '@lintel/cloud-bridge/resources/claim-tickets';
import { ClaimService } from '@lintel/device-link/identity/claim-service';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { RedeemClaimResponse } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { issueTicket } from '../../support/devices/controller-identity.ts';
import { virtualDoor, LinkedDevice } from '../../support/devices/linked-device.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

const NOW = instant(Date.parse('2041-03-01T10:00:00Z'));
const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

const createDevice = (): LinkedDevice => {
  const device = new LinkedDevice(NOW);
  cleanups.push(() => device.close());
  return device;
};

describe('claim client over HTTPS', () => {
  let bridge: TlsBridge;
  let client: TestOrganizationClient;
  let site_id: string;
  beforeAll(async () => {
    bridge = await TlsBridge.open(NOW);
    client = await bridge.bridge.newOrganization();
    site_id = await createTestSite(bridge.bridge, client);
    return () => bridge.close();
  });

  const ticketOf = (place: object = {}) => issueTicket(bridge.bridge, client, { site_id, ...place } as never);

  it('claims a device with a ticket, and gets the same enrollment when it retries', async () => {
    const device = createDevice();
    const { ticket } = await ticketOf();
    const first = await device.claim({ ticket });
    expect(first).toMatchObject({
      organization_id: client.organizationId,
      site_id,
      product_id: 'virtual',
      bridge_url: bridge.url,
      ca_fingerprint: bridge.fingerprint,
      brokers: { mqtts: bridge.mqtts, mqtt: bridge.mqtt },
    });
    expect(await device.claim({ ticket })).toEqual(first);
    await expect(createDevice().claim({ ticket })).rejects.toMatchObject({ isFinal: true, field: 'ticket' });
  });

  it('claims an existing device with a code and the fingerprint, without naming the product', async () => {
    const { deviceId } = await createTestDevice(bridge.bridge, client, { site_id: site_id as never });
    const { code } = await ticketOf({ device_id: deviceId });
    const proof = { code, bridgeUrl: `${bridge.url}/`, caFingerprint: bridge.fingerprint };
    const membership = await createDevice().claim(proof, { productId: null, revisionId: null });
    expect(membership).toMatchObject({ device_id: deviceId, product_id: 'virtual' });
  });

  it('needs no fingerprint on loopback, and HTTPS elsewhere', async () => {
    const { code } = await ticketOf();
    const proof = { code, bridgeUrl: bridge.url, caFingerprint: null };
    await expect(createDevice().claim(proof)).resolves.toMatchObject({ site_id });
    const remote = createDevice().claim({ ...proof, bridgeUrl: 'http://192.0.2.1' });
    await expect(remote).rejects.toMatchObject({
      isFinal: true,
      message: expect.stringContaining('not https') as string,
    });
  });

  it('rejects a changed ticket before it sends anything', async () => {
    const { ticket } = await ticketOf();
    const before = bridge.requests;
    const changed = `${ticket.slice(0, -6)}AAAAAA`;
    await expect(createDevice().claim({ ticket: changed })).rejects.toMatchObject({ field: 'ticket', isFinal: true });
    expect(bridge.requests).toBe(before);
  });

  it('keeps the claim on disk while the bridge is unreachable, and completes it after a restart', async () => {
    const device = createDevice();
    const options = {
      enrollmentFile: device.membershipFile,
      pendingFile: device.pendingFile,
      device: () => device.unclaimed(),
      now: () => device.now,
      random: () => 0,
      log: device.writeLog,
    };
    const { code } = await ticketOf();
    const offline = new ClaimService(options);
    offline.requestClaim({ code, bridgeUrl: 'https://127.0.0.1:1', caFingerprint: null, description: virtualDoor });
    await expect.poll(() => offline.pendingClaim()?.last_problem).toContain('cannot be reached');
    offline.stop();
    const pending = device.pendingFile.read()!;
    device.pendingFile.write({ ...pending, proof: { code, bridgeUrl: bridge.url, caFingerprint: bridge.fingerprint } });
    const online = new ClaimService(options);
    cleanups.push(async () => online.stop());
    const claimed = new Promise<string>(resolve => {
      online.onClaimed(({ device_id }) => resolve(device_id));
    });
    online.start();
    const id = await claimed;
    expect(device.membership.device_id).toBe(id);
    expect(online.pendingClaim()).toBeNull();
  });
});

describe('claim client with a lying bridge', () => {
  let bridge: TestBridge;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    bridge.now = NOW;
    return () => bridge.close();
  });

  /** A server that forwards requests to the bridge and changes the response. */
  const startLiar = async (change: (response: RedeemClaimResponse) => object): Promise<string> => {
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const payload = await buffer(request);
      const honest = await bridge.app.inject({ method: 'POST', url: request.url ?? '', headers, payload });
      const body = honest.json<RedeemClaimResponse>();
      response.writeHead(honest.statusCode, headers).end(JSON.stringify({ ...body, ...change(body) }));
    };
    const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(async () => server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  };

  const claimFrom = async (publicUrl: string): Promise<unknown> => {
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client);
    const { ticket } = await bridge.services.writer.write(client.organizationId, {}, context =>
      issueClaimTicket(context, { site_id, expires_in: 3600 }, { publicUrl, caFingerprint: null }),
    );
    return createDevice().claim({ ticket });
  };

  it.each([
    ['organization_key', { organization_key: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' }],
    ['site_id', { site_id: 'site_other' }],
    ['organization_id', { organization_id: 'org_other' }],
  ])('rejects another %s than the ticket has', async (_, lie) => {
    await expect(claimFrom(await startLiar(() => lie))).rejects.toThrow('than the ticket');
  });

  it.each([
    ['of another device', ({ ca_certificate }: RedeemClaimResponse) => ({ certificate: ca_certificate })],
    ['with another serial', () => ({ serial: 'ff' })],
    ['for another name', () => ({ device_id: 'dev_other' })],
  ])('rejects a certificate %s', async (_, lie) => {
    await expect(claimFrom(await startLiar(lie))).rejects.toThrow('for another device');
  });

  it('retries after a malformed response', async () => {
    const claim = claimFrom(await startLiar(() => ({ renew_after: 'soon' })));
    await expect(claim).rejects.toMatchObject({
      isFinal: false,
      message: expect.stringContaining('renew_after') as string,
    });
  });

  it('accepts unknown fields in a correct response', async () => {
    await expect(claimFrom(await startLiar(() => ({ more: 1 })))).resolves.toMatchObject({ v: 1 });
  });
});

describe('lintel enroll', () => {
  let bridge: TestBridge;
  let client: TestOrganizationClient;
  let site_id: string;
  let url: string;
  const profile = fileURLToPath(new URL('../../../hardware-profiles/profiles/laptop-simulator.json', import.meta.url));
  beforeAll(async () => {
    bridge = await TestBridge.open();
    bridge.now = instant(Date.now());
    client = await bridge.newOrganization();
    site_id = await createTestSite(bridge, client);
    url = await bridge.listen('127.0.0.1', 0);
    bridge.devices.brokerAddresses = { mqtts: null, mqtt: 'mqtt://127.0.0.1:1883' };
    return () => bridge.close();
  });

  const codeOf = async (): Promise<string> => (await issueTicket(bridge, client, { site_id } as never)).code;
  const enroll = (dataDir: string, code: string, ...more: readonly string[]) =>
    runLintel('enroll', '--data', dataDir, '--bridge', url, '--code', code, ...more);

  it('creates a device with the gadgets of its profile, and replaces it only with --replace', async () => {
    const { dataDir, membershipFile } = createDevice();
    const code = await codeOf();
    const { code: exit, stdout } = await enroll(dataDir, code, '--profile', profile, '--name', 'Back', '--json');
    expect(exit).toBe(0);
    const enrolled = JSON.parse(stdout) as { device_id: string };
    expect(enrolled).toMatchObject({
      organization_id: client.organizationId,
      site_id,
      product_id: 'laptop-simulator',
      bridge_url: url,
      brokers: { mqtts: null, mqtt: 'mqtt://127.0.0.1:1883' },
    });
    const device = await client.callOk('GET', `/devices/${enrolled.device_id}?expand=gadgets`);
    const newestFirst = loadProfile(profile)
      .gadgets.map(({ name }) => ({ name }))
      .toReversed();
    expect(newestFirst.length).toBeGreaterThan(0);
    expect(device).toMatchObject({ name: 'Back', gadgets: newestFirst });
    expect(membershipFile.read()).toMatchObject({ value: { device_id: enrolled.device_id } });
    const digestKey = readFileSync(join(dataDir, 'digest.key'));
    expect(stdout).not.toContain(digestKey.toString('base64url'));
    expect(stdout).not.toContain(code);
    const again = await enroll(dataDir, await codeOf(), '--profile', profile);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') as string });
    const taken = await enroll(dataDir, await codeOf(), '--profile', profile, '--replace');
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('delete that device first') as string });
    const { code: own } = await issueTicket(bridge, client, { site_id, device_id: enrolled.device_id } as never);
    const replaced = await enroll(dataDir, own, '--replace');
    expect(replaced.stdout).toContain(
      `Enrolled as ${enrolled.device_id} in ${client.organizationId}, site ${site_id}.`,
    );
  });

  it('creates a device of a custom product, and names the product that does not match', async () => {
    const { dataDir } = createDevice();
    const own = join(dataDir, 'my-door.json');
    const shipped = JSON.parse(readFileSync(profile, 'utf8')) as object;
    const writeProfile = (change: object) => writeFileSync(own, JSON.stringify({ ...shipped, ...change }));
    writeProfile({ product_id: 'my-door', name: 'My door', revision: '7' });
    const made = await enroll(dataDir, await codeOf(), '--profile', own, '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { device_id } = JSON.parse(made.stdout) as { device_id: string };
    expect(await client.callOk('GET', `/devices/${device_id}?expand=product`)).toMatchObject({
      name: 'My door',
      revision_id: '7',
      product: { id: 'my-door', name: 'My door' },
    });
    const codeForIt = async () => (await issueTicket(bridge, client, { site_id, device_id } as never)).code;
    const other = await enroll(dataDir, await codeForIt(), '--profile', profile, '--replace');
    expect(other.code).toBe(1);
    expect(other.stderr).toBe(
      `The field 'product_id' must be my-door, the product of the device ${device_id}.\nThe code is for a device of another product than ${profile}. Use a code that creates a new device.\n`,
    );
    const { capabilities } = loadProfile(own);
    writeProfile({
      product_id: 'my-door',
      revision: '7',
      capabilities: { ...capabilities, audio: !capabilities.audio },
    });
    const changed = await enroll(dataDir, await codeForIt(), '--profile', own, '--replace');
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('Increase the revision') as string });
  });

  it('explains what to do when it fails', async () => {
    const { dataDir } = createDevice();
    const code = await codeOf();
    const used = await enroll(dataDir, '0000-0000-0000', '--profile', profile);
    expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('Create a new code') as string });
    const productless = await enroll(dataDir, code);
    expect(productless).toMatchObject({ code: 1, stderr: expect.stringContaining('--profile FILE') as string });
    const unreachable = await runLintel('enroll', '--data', dataDir, '--bridge', 'http://127.0.0.1:1', '--code', code);
    expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') as string });
    expect(unreachable.stderr).not.toContain(code);
  });

  it.each([
    [['--bridge', 'http://127.0.0.1:1', '--code', '7K3M-0QXW-PT5H'], '--data is required'],
    [['--data', 'x', '--bridge', 'nowhere', '--code', '7K3M-0QXW-PT5H'], '--bridge must be an address'],
    [['--data', 'x', '--bridge', 'http://127.0.0.1:1', '--code', '1234'], '--code must have twelve'],
    [
      ['--data', 'x', '--bridge', 'http://127.0.0.1:1', '--code', '7K3M-0QXW-PT5H', '--ca-fingerprint', 'AB'],
      '32 bytes',
    ],
    [['--dta', 'x'], '--dta'],
  ])('exits with 2 and the problem when called with %j', async (args, message) => {
    const { code, stderr } = await runLintel('enroll', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('`lintel enroll --help`');
  });
});

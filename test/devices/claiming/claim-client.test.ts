import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { instant } from '@lintel/access-core/instant';
import { issueClaimTicket } from '@lintel/cloud-bridge/resources/claim-tickets';
import { Claiming } from '@lintel/device-link/identity/claiming';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import type { Redeemed } from '@lintel/wire-protocol/claiming/redemption';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld, type OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { aTicket } from '../../support/devices/controller-identity.ts';
import { aVirtualDoor, LinkedDevice } from '../../support/devices/linked-device.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';
import { administer, aDevice, aSite } from '../../support/bridge/place.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

const NOW = instant(Date.parse('2041-03-01T10:00:00Z'));
const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const aLinkedDevice = (): LinkedDevice => {
  const device = new LinkedDevice(NOW);
  closing.push(() => device.close());
  return device;
};

describe('claiming over HTTPS', () => {
  let bridge: TlsBridge;
  let client: OrganizationClient;
  let site_id: string;
  beforeAll(async () => {
    bridge = await TlsBridge.open(NOW);
    client = await bridge.world.newOrganization();
    site_id = await aSite(bridge.world, client);
    return () => bridge.close();
  });

  const ticketOf = (place: object = {}) => aTicket(bridge.world, client, { site_id, ...place } as never);

  it('with a ticket gives what the ticket promised, and the same again when the answer was lost', async () => {
    const device = aLinkedDevice();
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
    await expect(aLinkedDevice().claim({ ticket })).rejects.toMatchObject({ isFinal: true, field: 'ticket' });
  });

  it('with a code and the fingerprint puts the hardware in the place of a device, whatever product that is', async () => {
    const { deviceId } = await aDevice(bridge.world, client, { site_id: site_id as never });
    const { code } = await ticketOf({ device_id: deviceId });
    const proof = { code, bridgeUrl: `${bridge.url}/`, caFingerprint: bridge.fingerprint };
    const membership = await aLinkedDevice().claim(proof, { productId: null, revisionId: null });
    expect(membership).toMatchObject({ device_id: deviceId, product_id: 'virtual' });
  });

  it('is believed on this machine without a fingerprint, and elsewhere not', async () => {
    const { code } = await ticketOf();
    const proof = { code, bridgeUrl: bridge.url, caFingerprint: null };
    await expect(aLinkedDevice().claim(proof)).resolves.toMatchObject({ site_id });
    const far = aLinkedDevice().claim({ ...proof, bridgeUrl: 'http://192.0.2.1' });
    await expect(far).rejects.toMatchObject({ isFinal: true, message: expect.stringContaining('not https') as string });
  });

  it('refuses a ticket that somebody has changed before anything leaves the device', async () => {
    const { ticket } = await ticketOf();
    const before = bridge.requests;
    const changed = `${ticket.slice(0, -6)}AAAAAA`;
    await expect(aLinkedDevice().claim({ ticket: changed })).rejects.toMatchObject({ field: 'ticket', isFinal: true });
    expect(bridge.requests).toBe(before);
  });

  it('waits for a line with the ticket on the disk, and becomes a device when there is one', async () => {
    const device = aLinkedDevice();
    const options = {
      membership: device.membershipFile,
      pending: device.pendingFile,
      device: () => device.unclaimed(),
      now: () => device.now,
      random: () => 0,
      log: device.tell,
    };
    const { code } = await ticketOf();
    const offline = new Claiming(options);
    offline.requestClaim({ code, bridgeUrl: 'https://127.0.0.1:1', caFingerprint: null, thing: aVirtualDoor });
    await expect.poll(() => offline.pendingClaim()?.last_problem).toContain('cannot be reached');
    offline.stop();
    const kept = device.pendingFile.read()!;
    device.pendingFile.write({ ...kept, proof: { code, bridgeUrl: bridge.url, caFingerprint: bridge.fingerprint } });
    const online = new Claiming(options);
    closing.push(async () => online.stop());
    const claimed = new Promise<string>(resolve => {
      online.onClaimed(({ device_id }) => resolve(device_id));
    });
    online.start();
    const id = await claimed;
    expect(device.membership.device_id).toBe(id);
    expect(online.pendingClaim()).toBeNull();
  });
});

describe('a bridge that lies', () => {
  let world: BridgeWorld;
  beforeAll(async () => {
    world = await BridgeWorld.open();
    world.now = NOW;
    return () => world.close();
  });

  /** Passes on what the bridge answers, with a change. */
  const liar = async (change: (answer: Redeemed) => object): Promise<string> => {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const payload = await buffer(request);
      const honest = await world.bridge.app.inject({ method: 'POST', url: request.url ?? '', headers, payload });
      const said = honest.json<Redeemed>();
      response.writeHead(honest.statusCode, headers).end(JSON.stringify({ ...said, ...change(said) }));
    };
    const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  };

  const claimFrom = async (publicUrl: string): Promise<unknown> => {
    const client = await world.newOrganization();
    const site_id = await aSite(world, client);
    const { ticket } = await administer(world, client, context =>
      issueClaimTicket(context, { site_id, expires_in: 3600 }, { publicUrl, caFingerprint: null }),
    );
    return aLinkedDevice().claim({ ticket });
  };

  it.each([
    ['organization_key', { organization_key: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' }],
    ['site_id', { site_id: 'site_other' }],
    ['organization_id', { organization_id: 'org_other' }],
  ])('about the %s that the ticket promised is not believed', async (_, lie) => {
    await expect(claimFrom(await liar(() => lie))).rejects.toThrow('than the ticket');
  });

  it.each([
    ['of another device', ({ ca_certificate }: Redeemed) => ({ certificate: ca_certificate })],
    ['with another serial', () => ({ serial: 'ff' })],
    ['for another name', () => ({ device_id: 'dev_other' })],
  ])('with a certificate %s is not believed', async (_, lie) => {
    await expect(claimFrom(await liar(lie))).rejects.toThrow('not for this device');
  });

  it('or says what nobody understands is asked again later', async () => {
    const claim = claimFrom(await liar(() => ({ renew_after: 'soon' })));
    await expect(claim).rejects.toMatchObject({
      isFinal: false,
      message: expect.stringContaining('renew_after') as string,
    });
  });

  it('is believed when it tells the truth', async () => {
    await expect(claimFrom(await liar(() => ({ more: 1 })))).resolves.toMatchObject({ v: 1 });
  });
});

describe('lintel enroll', () => {
  let world: BridgeWorld;
  let client: OrganizationClient;
  let site_id: string;
  let url: string;
  const profile = fileURLToPath(new URL('../../../hardware-profiles/profiles/laptop-simulator.json', import.meta.url));
  beforeAll(async () => {
    world = await BridgeWorld.open();
    world.now = instant(Date.now());
    client = await world.newOrganization();
    site_id = await aSite(world, client);
    url = await world.bridge.listen('127.0.0.1', 0);
    world.bridge.devices.addresses = { mqtts: null, mqtt: 'mqtt://127.0.0.1:1883' };
    return () => world.close();
  });

  const codeOf = async (): Promise<string> => (await aTicket(world, client, { site_id } as never)).code;
  const enroll = (dataDir: string, code: string, ...more: readonly string[]) =>
    runLintel('enroll', '--data', dataDir, '--bridge', url, '--code', code, ...more);

  it('makes a device with the gadgets of its profile, once, and says so', async () => {
    const { dataDir, membershipFile } = aLinkedDevice();
    const code = await codeOf();
    const { code: exit, stdout } = await enroll(dataDir, code, '--profile', profile, '--name', 'Back', '--json');
    expect(exit).toBe(0);
    const told = JSON.parse(stdout) as { device_id: string };
    expect(told).toMatchObject({
      organization_id: client.organizationId,
      site_id,
      product_id: 'laptop-simulator',
      bridge_url: url,
      brokers: { mqtts: null, mqtt: 'mqtt://127.0.0.1:1883' },
    });
    const device = await client.done('GET', `/devices/${told.device_id}?expand=gadgets`);
    const newestFirst = loadProfile(profile)
      .gadgets.map(({ name }) => ({ name }))
      .toReversed();
    expect(newestFirst.length).toBeGreaterThan(0);
    expect(device).toMatchObject({ name: 'Back', gadgets: newestFirst });
    expect(membershipFile.read()).toMatchObject({ value: { device_id: told.device_id } });
    const digestKey = readFileSync(join(dataDir, 'digest.key'));
    expect(stdout).not.toContain(digestKey.toString('base64url'));
    expect(stdout).not.toContain(code);
    const again = await enroll(dataDir, await codeOf(), '--profile', profile);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') as string });
    const taken = await enroll(dataDir, await codeOf(), '--profile', profile, '--replace');
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('delete that one first') as string });
    const { code: own } = await aTicket(world, client, { site_id, device_id: told.device_id } as never);
    const anew = await enroll(dataDir, own, '--replace');
    expect(anew.stdout).toContain(`This is ${told.device_id} now, of ${client.organizationId}, at ${site_id}.`);
  });

  it('makes a device of a product that is not among the shipped ones, and tells which one does not fit', async () => {
    const { dataDir } = aLinkedDevice();
    const own = join(dataDir, 'my-door.json');
    const shipped = JSON.parse(readFileSync(profile, 'utf8')) as object;
    const writeProfile = (change: object) => writeFileSync(own, JSON.stringify({ ...shipped, ...change }));
    writeProfile({ product_id: 'my-door', name: 'My door', revision: '7' });
    const made = await enroll(dataDir, await codeOf(), '--profile', own, '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    const { device_id } = JSON.parse(made.stdout) as { device_id: string };
    expect(await client.done('GET', `/devices/${device_id}?expand=product`)).toMatchObject({
      name: 'My door',
      revision_id: '7',
      product: { id: 'my-door', name: 'My door' },
    });
    const codeForIt = async () => (await aTicket(world, client, { site_id, device_id } as never)).code;
    const other = await enroll(dataDir, await codeForIt(), '--profile', profile, '--replace');
    expect(other.code).toBe(1);
    expect(other.stderr).toBe(
      `The device is a my-door\nThe code is for a device of another product than ${profile}: a code that makes a new device takes any.\n`,
    );
    const { capabilities } = loadProfile(own);
    writeProfile({
      product_id: 'my-door',
      revision: '7',
      capabilities: { ...capabilities, audio: !capabilities.audio },
    });
    const changed = await enroll(dataDir, await codeForIt(), '--profile', own, '--replace');
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('needs another revision') as string });
  });

  it('says what a person needs when it does not succeed', async () => {
    const { dataDir } = aLinkedDevice();
    const code = await codeOf();
    const used = await enroll(dataDir, '0000-0000-0000', '--profile', profile);
    expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('Fetch a new code') as string });
    const productless = await enroll(dataDir, code);
    expect(productless).toMatchObject({ code: 1, stderr: expect.stringContaining('--profile FILE') as string });
    const nobody = await runLintel('enroll', '--data', dataDir, '--bridge', 'http://127.0.0.1:1', '--code', code);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') as string });
    expect(nobody.stderr).not.toContain(code);
  });

  it.each([
    [['--bridge', 'http://127.0.0.1:1', '--code', '7K3M-0QXW-PT5H'], '--data is needed'],
    [['--data', 'x', '--bridge', 'nowhere', '--code', '7K3M-0QXW-PT5H'], '--bridge must be an address'],
    [['--data', 'x', '--bridge', 'http://127.0.0.1:1', '--code', '1234'], '--code must have twelve'],
    [
      ['--data', 'x', '--bridge', 'http://127.0.0.1:1', '--code', '7K3M-0QXW-PT5H', '--ca-fingerprint', 'AB'],
      '32 bytes',
    ],
    [['--dta', 'x'], '--dta'],
  ])('called with %j it answers 2 and explains itself', async (args, message) => {
    const { code, stderr } = await runLintel('enroll', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('npx lintel enroll --data');
  });
});

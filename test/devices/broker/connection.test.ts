import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { GuardedBroker } from '@lintel/device-link/broker/guarded-broker';
import { CertificateRenewal } from '@lintel/device-link/identity/certificate-renewal';
import { downTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { aTicket } from '../../support/devices/controller-identity.ts';
import { LinkedDevice } from '../../support/devices/linked-device.ts';
import { aSite } from '../../support/bridge/place.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

/** Not the year of the system's clock: whoever asks that one finds every certificate here not valid yet. */
const NOW = instant(Date.parse('2041-03-01T10:00:00Z'));
const DAY_MS = 86_400_000;

let bridge: TlsBridge;
let client: OrganizationClient;
let siteId: string;
const closing: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
  bridge = await TlsBridge.open(NOW);
  client = await bridge.world.newOrganization();
  siteId = await aSite(bridge.world, client);
  return () => bridge.close();
});

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  bridge.world.now = NOW;
});

const ticketOf = async (): Promise<{ ticket: string }> => ({
  ticket: (await aTicket(bridge.world, client, { site_id: siteId as never })).ticket,
});

const aDevice = (): LinkedDevice => {
  const device = new LinkedDevice(NOW);
  closing.push(() => device.close());
  return device;
};

const claimed = async (): Promise<LinkedDevice> => {
  const device = aDevice();
  await device.claim(await ticketOf());
  return device;
};

const aGateway = async (): Promise<LinkedDevice> => {
  const gateway = aDevice();
  await gateway.claim(await ticketOf(), { productId: 'gateway', revisionId: '1', name: 'Site', gadgets: [] });
  return gateway;
};

/** A broker of the site with the certificate of a device: whoever has one of the authority may come in. */
const siteBroker = async (device: LinkedDevice, port = 0): Promise<{ broker: GuardedBroker<never>; url: string }> => {
  const broker = await GuardedBroker.start(
    {
      byCertificate: async (_, name) => ({ deviceId: name as DeviceId }),
      byPassword: async () => null,
      mayPublish: () => true,
      maySubscribe: () => true,
    },
    { now: () => device.now },
  );
  closing.push(() => broker.close());
  const { certificate, ca_certificate } = device.membership;
  const own = { key: device.unclaimed().keys.privateKeyPem, certificate };
  const url = `mqtts://127.0.0.1:${await broker.listenTls('127.0.0.1', port, own, ca_certificate)}`;
  return { broker: broker as GuardedBroker<never>, url };
};

describe('a claimed device', () => {
  it('connects over TLS with its own certificate, says and hears, by kept time and not by the clock of the system', async () => {
    const device = await claimed();
    const connection = device.connect([bridge.mqtts]);
    await expect.poll(() => connection.isConnected).toBe(true);
    expect(connection.url).toBe(bridge.mqtts);
    await connection.publish(upTopic(device.membership.device_id, 'status'), Buffer.from('{}'));
    const topic = downTopic(device.membership.device_id, 'rules');
    await bridge.world.bridge.devices.transport.publish(topic, Buffer.from('hello'));
    await expect.poll(() => device.heard).toContain(`${topic} hello`);
  });

  it('connects on loopback without TLS by what its key has signed', async () => {
    const device = await claimed();
    const connection = device.connect([bridge.mqtt]);
    await expect.poll(() => connection.isConnected).toBe(true);
  });

  it('goes without TLS nowhere else, and to no address of another kind', async () => {
    const device = await claimed();
    device.connect(['mqtt://192.0.2.1:1883', 'ws://127.0.0.1:1']);
    await expect.poll(() => device.log.join('\n')).toMatch(/on this machine only[^]*such as mqtts:/);
    expect(device.connections).toBe(0);
  });

  it('publishes nothing while there is no line, and at once says so', async () => {
    const device = await claimed();
    const connection = device.connect(['mqtts://127.0.0.1:1']);
    await expect(connection.publish('lintel/v1/x', Buffer.from(''))).rejects.toThrow('not connected');
    expect(connection.bufferedBytes).toBe(0);
  });

  it('comes back after it was cut off, and takes the next address when one is gone', async () => {
    const device = await claimed();
    const connection = device.connect(['mqtts://127.0.0.1:1', bridge.mqtts]);
    await expect.poll(() => device.connections).toBe(1);
    bridge.world.bridge.devices.transport.sendAway(device.membership.device_id);
    await expect.poll(() => device.connections).toBe(2);
    expect(device.lost).toHaveLength(1);
    connection.reconnect();
    await expect.poll(() => device.connections).toBe(3);
  });

  it('goes back first to the broker that worked last', async () => {
    const gateway = await aGateway();
    const first = await siteBroker(gateway);
    const second = await siteBroker(gateway);
    await first.broker.close();
    const device = await claimed();
    const connection = device.connect([first.url, second.url]);
    await expect.poll(() => connection.url).toBe(second.url);
    await siteBroker(gateway, Number(new URL(first.url).port));
    second.broker.sendAway(device.membership.device_id);
    await expect.poll(() => device.connections).toBe(2);
    expect(connection.url).toBe(second.url);
  });

  it('is told when the broker refuses it, and is let in when it is right', async () => {
    const device = await claimed();
    device.now = NOW - 10 * 60_000;
    const connection = device.connect([bridge.mqtt]);
    await expect.poll(() => device.log.join('\n')).toMatch(/not reachable .*Not authorized/);
    device.now = NOW;
    await expect.poll(() => connection.isConnected).toBe(true);
  });

  it('says its last word and leaves without its will being spoken', async () => {
    const device = await claimed();
    const { device_id } = device.membership;
    const { broker, url } = await siteBroker(await aGateway());
    const said: string[] = [];
    broker.onMessage((topic, payload) => said.push(`${topic} ${Buffer.from(payload).toString()}`));
    const gone = new Promise<void>(resolve => {
      broker.onPresence((_, isConnected) => {
        if (!isConnected) resolve();
      });
    });
    const connection = device.connect([url]);
    await expect.poll(() => connection.isConnected).toBe(true);
    await connection.stop({ topic: upTopic(device_id, 'goodbye'), payload: Buffer.from('bye') });
    await gone;
    expect(said).toEqual([`${upTopic(device_id, 'goodbye')} bye`]);
    expect(connection.isConnected).toBe(false);
  });
});

describe('a server that is not the right one', () => {
  it('is left before anything is said, when its certificate has expired by kept time', async () => {
    const device = await claimed();
    device.now = NOW + 398 * DAY_MS;
    device.connect([bridge.mqtts]);
    await expect.poll(() => device.log.join('\n')).toContain('its certificate expired on 2042-04-02');
    expect(device.connections).toBe(0);
  });

  it('is left when it is of another authority', async () => {
    const other = await TlsBridge.open(NOW);
    closing.push(() => other.close());
    const device = await claimed();
    device.connect([other.mqtts]);
    await expect.poll(() => device.log.join('\n')).toContain('not from the authority that this device trusts');
    expect(device.connections).toBe(0);
  });

  it('gets no claim either: neither ticket nor digest key reach another authority than the pinned one', async () => {
    const { code } = await aTicket(bridge.world, client, { site_id: siteId as never });
    const before = bridge.requests;
    const caFingerprint = Array(32).fill('AB').join(':');
    const claim = aDevice().claim({ code, bridgeUrl: bridge.url, caFingerprint });
    await expect(claim).rejects.toMatchObject({ name: 'ClaimFailure', field: 'ca_fingerprint', isFinal: false });
    expect(bridge.requests).toBe(before);
  });

  it('is left when it shows the certificate of a controller, which is for clients', async () => {
    const { url } = await siteBroker(await claimed());
    const device = await claimed();
    device.connect([url]);
    await expect.poll(() => device.log.join('\n')).toContain('is not one for servers');
  });
});

describe('a site gateway', () => {
  it('serves its site with its own device certificate', async () => {
    const gateway = await aGateway();
    expect(new X509Certificate(gateway.membership.certificate).keyUsage).toEqual([
      '1.3.6.1.5.5.7.3.2',
      '1.3.6.1.5.5.7.3.1',
    ]);
    const { url } = await siteBroker(gateway);
    const device = await claimed();
    const connection = device.connect([url]);
    await expect.poll(() => connection.isConnected).toBe(true);
  });

  it('lets nobody in whose certificate has expired by its kept time', async () => {
    const gateway = await aGateway();
    const { url } = await siteBroker(gateway);
    const device = await claimed();
    gateway.now = NOW + 731 * DAY_MS;
    device.connect([url]);
    await expect.poll(() => device.log.join('\n')).toContain('the broker is not reachable');
    expect(device.connections).toBe(0);
  });

  it('takes up a renewed certificate without a restart', async () => {
    const gateway = await aGateway();
    const { broker, url } = await siteBroker(gateway);
    const other = await aGateway();
    const { certificate } = other.membership;
    broker.replaceCertificate({ key: other.unclaimed().keys.privateKeyPem, certificate });
    const device = await claimed();
    device.connect([url]);
    await expect.poll(() => device.connections).toBe(1);
  });

  it('is found again by its controllers after a restart', async () => {
    const gateway = await aGateway();
    const { broker, url } = await siteBroker(gateway);
    const device = await claimed();
    device.connect([url]);
    await expect.poll(() => device.connections).toBe(1);
    await broker.close();
    await expect.poll(() => device.lost).toHaveLength(1);
    await siteBroker(gateway, Number(new URL(url).port));
    await expect.poll(() => device.connections, { timeout: 10_000 }).toBe(2);
  });
});

describe('a line that is dead without a word', () => {
  /** Stands between the two and lets nothing through any more when it is told to. */
  const frozenLine = async (to: number): Promise<{ server: Server; freeze: () => void; url: string }> => {
    const pairs: Array<[Socket, Socket]> = [];
    const server = createServer(near => {
      const far = connectSocket(to, '127.0.0.1');
      pairs.push([near, far]);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => {
      for (const socket of pairs.flat()) socket.destroy();
      server.close();
    });
    const freeze = (): void => {
      for (const [near, far] of pairs.splice(0)) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.resume();
      }
    };
    return { server, freeze, url: `mqtts://127.0.0.1:${(server.address() as { port: number }).port}` };
  };

  it('is noticed, what was under way is told lost, and another is opened', async () => {
    const device = await claimed();
    const line = await frozenLine(Number(new URL(bridge.mqtts).port));
    const limits = { keepaliveS: 1, firstRetryMs: 10, longestRetryMs: 10 };
    const connection = device.connect([line.url], { limits });
    await expect.poll(() => device.connections).toBe(1);
    line.freeze();
    const lost = connection.publish(upTopic(device.membership.device_id, 'status'), Buffer.from('{}'));
    await expect(lost).rejects.toThrow();
    await expect.poll(() => device.connections, { timeout: 10_000 }).toBe(2);
  });
});

describe('renewal', () => {
  it('gets the next certificate when half of the life of the first is over, and the line is opened with it', async () => {
    const device = await claimed();
    const first = device.membership;
    const serials: string[] = [];
    const renewal = new CertificateRenewal({
      membership: device.membershipFile,
      keys: () => device.unclaimed().keys,
      now: () => device.now,
      random: () => 0,
      log: device.tell,
      onRenewed: ({ serial }) => serials.push(serial),
    });
    closing.push(async () => renewal.stop());
    renewal.start();
    device.now = first.renew_after - 1;
    renewal.lookNow();
    await expect(bridge.world.bridge.devices.idle()).resolves.toBeUndefined();
    expect(serials).toEqual([]);
    device.now = first.renew_after;
    bridge.world.now = instant(first.renew_after);
    renewal.lookNow();
    await expect.poll(() => serials).toHaveLength(1);
    expect(serials[0]).not.toBe(first.serial);
    expect(device.membership).toMatchObject({ serial: serials[0], device_id: first.device_id });
    expect(device.membership.expires_at).toBeGreaterThan(first.expires_at);
    const connection = device.connect([bridge.mqtts]);
    await expect.poll(() => connection.isConnected).toBe(true);
  });
});

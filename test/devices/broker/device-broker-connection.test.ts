import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { DAY_MS } from '@lintel/access-core/durations';
import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { GuardedBroker } from '@lintel/broker/guarded-broker';
import { CertificateRenewal } from '@lintel/device-link/identity/certificate-renewal';
import { buildDownlinkTopic, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { issueTicket } from '../../support/devices/controller-identity.ts';
import { LinkedDevice } from '../../support/devices/linked-device.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

/** Far from the system clock, by which no certificate of these tests is valid yet. */
const NOW = instant(Date.parse('2041-03-01T10:00:00Z'));

let bridge: TlsBridge;
let client: TestOrganizationClient;
let siteId: string;
const cleanups: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
  bridge = await TlsBridge.open(NOW);
  client = await bridge.bridge.newOrganization();
  siteId = await createTestSite(bridge.bridge, client);
  return () => bridge.close();
});

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
  bridge.bridge.now = NOW;
});

const ticketOf = async (): Promise<{ ticket: string }> => ({
  ticket: (await issueTicket(bridge.bridge, client, { site_id: siteId as never })).ticket,
});

const createDevice = (): LinkedDevice => {
  const device = new LinkedDevice(NOW);
  cleanups.push(() => device.close());
  return device;
};

const claimDevice = async (): Promise<LinkedDevice> => {
  const device = createDevice();
  await device.claim(await ticketOf());
  return device;
};

const claimGatewayDevice = async (): Promise<LinkedDevice> => {
  const gateway = createDevice();
  await gateway.claim(await ticketOf(), { productId: 'gateway', revisionId: '1', name: 'Site', gadgets: [] });
  return gateway;
};

/** A site broker with the certificate of a device. It accepts every certificate of the same authority. */
const startSiteBroker = async (
  device: LinkedDevice,
  port = 0,
): Promise<{ broker: GuardedBroker<never>; url: string }> => {
  const broker = await GuardedBroker.start(
    {
      byCertificate: async (_, name) => ({ deviceId: name as DeviceId }),
      byPassword: async () => null,
      mayPublish: () => true,
      maySubscribe: () => true,
    },
    { now: () => device.now },
  );
  cleanups.push(() => broker.close());
  const { certificate, ca_certificate } = device.membership;
  const own = { key: device.unclaimed().keys.privateKeyPem, certificate };
  const url = `mqtts://127.0.0.1:${await broker.listenTls('127.0.0.1', port, own, ca_certificate)}`;
  return { broker: broker as GuardedBroker<never>, url };
};

describe('BrokerConnection', () => {
  it('connects over TLS with its certificate, checks certificates by kept time, and exchanges messages', async () => {
    const device = await claimDevice();
    const connection = device.connect([bridge.mqtts]);
    await expect.poll(() => connection.isConnected).toBe(true);
    expect(connection.url).toBe(bridge.mqtts);
    await connection.publish(buildUplinkTopic(device.membership.device_id, 'status'), Buffer.from('{}'));
    const topic = buildDownlinkTopic(device.membership.device_id, 'rules');
    await bridge.bridge.devices.transport.publish(topic, Buffer.from('hello'));
    await expect.poll(() => device.received).toContain(`${topic} hello`);
  });

  it('connects without TLS on loopback, with a password that its key signed', async () => {
    const device = await claimDevice();
    const connection = device.connect([bridge.mqtt]);
    await expect.poll(() => connection.isConnected).toBe(true);
  });

  it('does not connect without TLS elsewhere, nor to URLs of other schemes', async () => {
    const device = await claimDevice();
    device.connect(['mqtt://192.0.2.1:1883', 'ws://127.0.0.1:1']);
    await expect.poll(() => device.log.join('\n')).toMatch(/only a broker on this machine[^]*such as mqtts:/);
    expect(device.connections).toBe(0);
  });

  it('rejects a publish while it is not connected, and buffers nothing', async () => {
    const device = await claimDevice();
    const connection = device.connect(['mqtts://127.0.0.1:1']);
    await expect(connection.publish('lintel/v1/x', Buffer.from(''))).rejects.toThrow('not connected');
    expect(connection.bufferedBytes).toBe(0);
  });

  it('reconnects after it is disconnected, and tries the next URL when one is unreachable', async () => {
    const device = await claimDevice();
    const connection = device.connect(['mqtts://127.0.0.1:1', bridge.mqtts]);
    await expect.poll(() => device.connections).toBe(1);
    bridge.bridge.devices.transport.disconnect(device.membership.device_id);
    await expect.poll(() => device.connections).toBe(2);
    expect(device.disconnectReasons).toHaveLength(1);
    connection.reconnect();
    await expect.poll(() => device.connections).toBe(3);
  });

  it('reconnects first to the broker that worked last', async () => {
    const gateway = await claimGatewayDevice();
    const first = await startSiteBroker(gateway);
    const second = await startSiteBroker(gateway);
    await first.broker.close();
    const device = await claimDevice();
    const connection = device.connect([first.url, second.url]);
    await expect.poll(() => connection.url).toBe(second.url);
    await startSiteBroker(gateway, Number(new URL(first.url).port));
    second.broker.disconnect(device.membership.device_id);
    await expect.poll(() => device.connections).toBe(2);
    expect(connection.url).toBe(second.url);
  });

  it('logs why the broker refuses it, and connects once its clock is right', async () => {
    const device = await claimDevice();
    device.now = NOW - 10 * 60_000;
    const connection = device.connect([bridge.mqtt]);
    await expect.poll(() => device.log.join('\n')).toMatch(/not reachable .*Not authorized/);
    device.now = NOW;
    await expect.poll(() => connection.isConnected).toBe(true);
  });

  it('publishes its goodbye and disconnects without its last will when it is stopped', async () => {
    const device = await claimDevice();
    const { device_id } = device.membership;
    const { broker, url } = await startSiteBroker(await claimGatewayDevice());
    const published: string[] = [];
    broker.onMessage((topic, payload) => published.push(`${topic} ${Buffer.from(payload).toString()}`));
    const disconnected = new Promise<void>(resolve => {
      broker.onConnectionChange((_, isConnected) => {
        if (!isConnected) resolve();
      });
    });
    const connection = device.connect([url]);
    await expect.poll(() => connection.isConnected).toBe(true);
    await connection.stop({ topic: buildUplinkTopic(device_id, 'goodbye'), payload: Buffer.from('bye') });
    await disconnected;
    expect(published).toEqual([`${buildUplinkTopic(device_id, 'goodbye')} bye`]);
    expect(connection.isConnected).toBe(false);
  });
});

describe('BrokerConnection to an untrusted server', () => {
  it('does not connect when the certificate of the server has expired by kept time', async () => {
    const device = await claimDevice();
    device.now = NOW + 398 * DAY_MS;
    device.connect([bridge.mqtts]);
    await expect.poll(() => device.log.join('\n')).toContain('its certificate expired on 2042-04-02');
    expect(device.connections).toBe(0);
  });

  it('does not connect to a server with a certificate of another authority', async () => {
    const other = await TlsBridge.open(NOW);
    cleanups.push(() => other.close());
    const device = await claimDevice();
    device.connect([other.mqtts]);
    await expect.poll(() => device.log.join('\n')).toContain('not from the authority that this device trusts');
    expect(device.connections).toBe(0);
  });

  it('sends neither ticket nor digest key to a bridge of another authority than the pinned one', async () => {
    const { code } = await issueTicket(bridge.bridge, client, { site_id: siteId as never });
    const before = bridge.requests;
    const caFingerprint = Array(32).fill('AB').join(':');
    const claim = createDevice().claim({ code, bridgeUrl: bridge.url, caFingerprint });
    await expect(claim).rejects.toMatchObject({ name: 'ClaimOrRenewalError', field: 'ca_fingerprint', isFinal: false });
    expect(bridge.requests).toBe(before);
  });

  it('does not connect to a server with the client certificate of a controller', async () => {
    const { url } = await startSiteBroker(await claimDevice());
    const device = await claimDevice();
    device.connect([url]);
    await expect.poll(() => device.log.join('\n')).toContain('is not for servers');
  });
});

describe('BrokerConnection to a site broker', () => {
  it('trusts the device certificate of a gateway', async () => {
    const gateway = await claimGatewayDevice();
    expect(new X509Certificate(gateway.membership.certificate).keyUsage).toEqual([
      '1.3.6.1.5.5.7.3.2',
      '1.3.6.1.5.5.7.3.1',
    ]);
    const { url } = await startSiteBroker(gateway);
    const device = await claimDevice();
    const connection = device.connect([url]);
    await expect.poll(() => connection.isConnected).toBe(true);
  });

  it('is refused when its certificate has expired by the kept time of the gateway', async () => {
    const gateway = await claimGatewayDevice();
    const { url } = await startSiteBroker(gateway);
    const device = await claimDevice();
    gateway.now = NOW + 731 * DAY_MS;
    device.connect([url]);
    await expect.poll(() => device.log.join('\n')).toContain('The broker is not reachable');
    expect(device.connections).toBe(0);
  });

  it('connects after the broker replaces its certificate without a restart', async () => {
    const gateway = await claimGatewayDevice();
    const { broker, url } = await startSiteBroker(gateway);
    const other = await claimGatewayDevice();
    const { certificate } = other.membership;
    broker.replaceCertificate({ key: other.unclaimed().keys.privateKeyPem, certificate });
    const device = await claimDevice();
    device.connect([url]);
    await expect.poll(() => device.connections).toBe(1);
  });

  it('reconnects after the broker restarts', async () => {
    const gateway = await claimGatewayDevice();
    const { broker, url } = await startSiteBroker(gateway);
    const device = await claimDevice();
    device.connect([url]);
    await expect.poll(() => device.connections).toBe(1);
    await broker.close();
    await expect.poll(() => device.disconnectReasons).toHaveLength(1);
    await startSiteBroker(gateway, Number(new URL(url).port));
    await expect.poll(() => device.connections).toBe(2);
  });
});

describe('BrokerConnection over a frozen link', () => {
  /** A proxy that drops all bytes of its open connections once it is frozen. */
  const openFreezableLink = async (to: number): Promise<{ server: Server; freeze: () => void; url: string }> => {
    const pairs: Array<[Socket, Socket]> = [];
    const server = createServer(near => {
      const far = connectSocket(to, '127.0.0.1');
      pairs.push([near, far]);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(async () => {
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

  it('detects it by its keepalive, rejects the pending publish, and reconnects', async () => {
    const device = await claimDevice();
    const link = await openFreezableLink(Number(new URL(bridge.mqtts).port));
    const limits = { keepaliveS: 1, firstRetryMs: 10, longestRetryMs: 10 };
    const connection = device.connect([link.url], { limits });
    await expect.poll(() => device.connections).toBe(1);
    link.freeze();
    const lost = connection.publish(buildUplinkTopic(device.membership.device_id, 'status'), Buffer.from('{}'));
    await expect(lost).rejects.toThrow();
    await expect.poll(() => device.connections).toBe(2);
  });
});

describe('CertificateRenewal', () => {
  it('renews the certificate at half of its lifetime, and the device connects with the new one', async () => {
    const device = await claimDevice();
    const first = device.membership;
    const serials: string[] = [];
    const renewal = new CertificateRenewal({
      enrollmentFile: device.membershipFile,
      keys: () => device.unclaimed().keys,
      now: () => device.now,
      random: () => 0,
      log: device.writeLog,
      onRenewed: ({ serial }) => serials.push(serial),
    });
    cleanups.push(async () => renewal.stop());
    renewal.start();
    device.now = first.renew_after - 1;
    renewal.checkNow();
    await expect(bridge.bridge.devices.whenIdle()).resolves.toBeUndefined();
    expect(serials).toEqual([]);
    device.now = first.renew_after;
    bridge.bridge.now = instant(first.renew_after);
    renewal.checkNow();
    await expect.poll(() => serials).toHaveLength(1);
    expect(serials[0]).not.toBe(first.serial);
    expect(device.membership).toMatchObject({ serial: serials[0], device_id: first.device_id });
    expect(device.membership.expires_at).toBeGreaterThan(first.expires_at);
    const connection = device.connect([bridge.mqtts]);
    await expect.poll(() => connection.isConnected).toBe(true);
  });
});

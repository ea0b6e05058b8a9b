import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { DeviceId } from '@lintel/access-core/ids';
import { FleetMqttConnection } from '@lintel/simulator/testing';
import { buildDeviceDownlinkFilter, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaimedFleet } from '../bench/devices-fixture/create-claimed-controllers-and-members.ts';
import { connectPacket, publishPackets, subscribePacket } from '../bench/gateway-fixture/mqtt-packets.ts';
import { eventFrames, helloFrame, loginOf, peerRequestFrame } from '../bench/gateway-fixture/signed-messages.ts';
import type { TestOrganizationClient, TestBridge } from '../support/bridge/test-bridge.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { claimGateway, removeGatewayData } from '../support/devices/claim-and-start-gateway.ts';
import { keepFailureEvidence } from '../support/faults/failure-evidence.ts';
import { FaultyTcpProxy } from '../support/faults/faulty-tcp-proxy.ts';
import { openBridgeInRealTime } from '../support/faults/faulty-site.ts';

let bridge: TestBridge;
let client: TestOrganizationClient;
let link: FaultyTcpProxy;
let gateway: GatewayProcess;
let dataDir: string;
const closing: Array<() => void> = [];

beforeEach(async () => {
  bridge = await openBridgeInRealTime();
  client = await bridge.newOrganization();
  link = await FaultyTcpProxy.to(`mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`);
});
afterEach(async context => {
  for (const close of closing.splice(0)) close();
  await gateway.stop('SIGKILL');
  link.close();
  keepFailureEvidence(context, { directories: [dataDir, bridge.dataDir], logs: { gateway: gateway.log() } });
  await bridge.close();
  removeGatewayData(dataDir);
});

/** Claims controllers of one site, and starts its gateway. */
const openFleet = async (count: number) => {
  const fleet = await createClaimedFleet(bridge, client, count);
  const { site_id } = await client.callOk('GET', `/devices/${fleet.controllers[0]!.deviceId}`);
  dataDir = await claimGateway(bridge, client, site_id as string);
  gateway = await GatewayProcess.start(dataDir, { upstream: link.url });
  const isOpen = async (): Promise<boolean> => {
    const { upstream, controllers } = await gateway.status();
    return upstream.connected && controllers.length === count;
  };
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true);
  return fleet;
};

const join = async (member: Parameters<typeof loginOf>[0]): Promise<Socket> => {
  const socket = connect({ port: gateway.mqttPort, host: '127.0.0.1', noDelay: true });
  closing.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(connectPacket(loginOf(member)));
  await once(socket, 'data');
  socket.write(subscribePacket(buildDeviceDownlinkFilter(member.deviceId as DeviceId)));
  await once(socket, 'data');
  return socket;
};

const CONTROLLERS = 200;
const EVENTS_EACH = 300;
const BATCH = 100;

describe('Gateway under load', { tags: ['slow'] }, () => {
  it('serves the other controllers while one stalls with 50,000 waiting messages, and after it leaves', async () => {
    const { controllers } = await openFleet(3);
    const [stalling, speaking, other] = controllers as [
      (typeof controllers)[0],
      (typeof controllers)[0],
      (typeof controllers)[0],
    ];
    const stalled = await join(stalling);
    stalled.pause();
    const speaker = await join(speaking);
    const before = gateway.memory;
    const [first] = publishPackets(
      buildUplinkTopic(speaking.deviceId as DeviceId, 'peer-request'),
      peerRequestFrame(speaking, stalling),
      1,
    );
    const hundred = Buffer.concat(Array.from({ length: 100 }, () => first!));
    let acknowledged = 0;
    speaker.on('data', chunk => {
      acknowledged += chunk.length / 4;
    });
    for (let sent = 0; sent < 50_000; sent += 100) {
      if (!speaker.write(hundred)) await once(speaker, 'drain');
    }
    await expect.poll(() => acknowledged, { timeout: 120_000 }).toBe(50_000);
    expect(gateway.memory - before).toBeLessThan(250);
    stalled.destroy();
    const listener = await join(other);
    const received = once(listener, 'data') as Promise<[Buffer]>;
    speaker.write(
      publishPackets(
        buildUplinkTopic(speaking.deviceId as DeviceId, 'peer-request'),
        peerRequestFrame(speaking, other),
        1,
      )[0]!,
    );
    expect((await received)[0].toString('latin1')).toContain(other.deviceId);
    expect(gateway.isRunning).toBe(true);
  });

  it('passes on the backlog of 200 controllers while the bridge answers requests', async () => {
    const { controllers, organizationId } = await openFleet(CONTROLLERS);
    const newId = (): string => bridge.services.newId('event');
    const confirmed = new Map<string, Set<string>>();
    const uploaded = new Map<string, string[]>();
    const clients: Array<readonly [FleetMqttConnection, DeviceId, readonly Buffer[]]> = [];
    for (const member of controllers) {
      const own = member.deviceId as DeviceId;
      const { frames, ids } = eventFrames(member, organizationId, EVENTS_EACH, newId, BATCH);
      uploaded.set(own, ids);
      const onMessage = (topic: string, payload: Buffer): void => {
        if (!topic.endsWith('/down/ack')) return;
        const body = payload.subarray(payload.indexOf(0x0a) + 1).toString();
        const { event_ids } = JSON.parse(body) as { event_ids: readonly string[] };
        confirmed.set(own, new Set([...(confirmed.get(own) ?? []), ...event_ids]));
      };
      const thin = new FleetMqttConnection(connect({ port: gateway.mqttPort, host: '127.0.0.1', noDelay: true }), {
        onMessage,
      });
      closing.push(() => thin.close());
      clients.push([thin, own, frames]);
      await thin.open({ clientId: own, password: loginOf(member).password, filters: [buildDeviceDownlinkFilter(own)] });
      thin.publish(buildUplinkTopic(own, 'hello'), helloFrame(member, organizationId));
    }
    const before = { gateway: gateway.memory, bridge: process.memoryUsage().rss };
    let peak = { gateway: 0, bridge: 0 };
    for (const [thin, own, frames] of clients)
      for (const frame of frames) thin.publish(buildUplinkTopic(own, 'events'), frame);
    let answered = 0;
    const isDone = async (): Promise<boolean> => {
      await client.callOk('GET', '/members?limit=1');
      answered++;
      peak = {
        gateway: Math.max(peak.gateway, gateway.memory - before.gateway),
        bridge: Math.max(peak.bridge, process.memoryUsage().rss - before.bridge),
      };
      return [...uploaded].every(([id, ids]) => confirmed.get(id)?.size === ids.length);
    };
    await expect.poll(isDone, { timeout: 300_000, interval: 0 }).toBe(true);
    expect(answered).toBeGreaterThan(1);
    expect(peak.gateway).toBeLessThan(200);
    expect(peak.bridge).toBeLessThan(400 * 1024 * 1024);
    const rows = await bridge.services.storage.reader
      .selectFrom('events')
      .select(['id', 'recorded_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('recorded_at')
      .execute();
    const order = new Map(rows.map(({ id }, index) => [id, index]));
    for (const ids of uploaded.values()) {
      const places = ids.map(id => order.get(id) ?? -1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places[0]).toBeGreaterThanOrEqual(0);
    }
  });
});

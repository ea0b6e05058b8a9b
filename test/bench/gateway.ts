import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { buildDeviceDownlinkFilter, buildUplinkTopic } from '@lintel/wire-protocol/mqtt/topics';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { claimGateway, removeGatewayData } from '../support/devices/claim-and-start-gateway.ts';
import { type Benchmark, median, p99, scaled } from './harness/benchmark-types-and-statistics.ts';
import { createClaimedFleet, type BenchFleet } from './devices-fixture/create-claimed-controllers-and-members.ts';
import type { EventLoadSettings, EventLoadResult } from './gateway-fixture/event-load.ts';
import { runLoadProcess } from './gateway-fixture/run-load-process.ts';
import { measureBareInserts } from './gateway-fixture/measure-bare-inserts.ts';
import { measureLocalPath } from './gateway-fixture/measure-door-opening-through-gateway.ts';
import { startMosquitto } from '../support/processes/mosquitto.ts';
import type { RingLoadSettings, RingLoadResult } from './gateway-fixture/client-ring-load.ts';
import { eventFrames, helloFrame, loginOf, ringClients } from './gateway-fixture/signed-messages.ts';

const CONTROLLERS = scaled(200, 10);
const ROUNDS = scaled(3);
/** Messages of one controller in flight. Each broker is rated by its best result. */
const WINDOWS = [1, 4, 16];
const EVENTS_EACH = 20;
/** Events that a controller sends in one message after an outage. */
const BACKLOG_BATCH = 500;
const BACKLOG_EACH = scaled(1000, BACKLOG_BATCH);

const isReady = async (gateway: GatewayProcess): Promise<boolean> => {
  const { upstream, controllers } = await gateway.status();
  return upstream.connected && controllers.length >= CONTROLLERS;
};

interface Rates {
  readonly per_second: number;
  /** With one message per controller in flight. With more, p99 shows only the length of the queue. */
  readonly one_each_per_second: number;
  readonly p99_ms: number;
}

const rateOf = (rounds: readonly RingLoadResult[]): number => median(rounds.map(({ per_second }) => per_second));

const ratesOf = (rounds: ReadonlyMap<number, readonly RingLoadResult[]>): Rates => ({
  per_second: Math.max(...[...rounds.values()].map(rateOf)),
  one_each_per_second: rateOf(rounds.get(1)!),
  p99_ms: median(rounds.get(1)!.map(({ p99_ms }) => p99_ms)),
});

/** Sends the same messages through both brokers, alternately. */
const compareWithMosquitto = async (fleet: BenchFleet, gateway: GatewayProcess) => {
  const mosquitto = await startMosquitto();
  const ours = new Map<number, RingLoadResult[]>(WINDOWS.map(window => [window, []]));
  const theirs = new Map<number, RingLoadResult[]>(WINDOWS.map(window => [window, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const window of WINDOWS) {
      const settings = { window, warmUp_ms: 500, duration_ms: 1500 };
      const through: RingLoadSettings = { ...settings, port: gateway.mqttPort, members: ringClients(fleet, 'gateway') };
      const direct: RingLoadSettings = { ...settings, port: mosquitto.port, members: ringClients(fleet, 'broker') };
      ours.get(window)!.push(await runLoadProcess<RingLoadResult>('client-ring-load.ts', through));
      theirs.get(window)!.push(await runLoadProcess<RingLoadResult>('client-ring-load.ts', direct));
    }
  }
  await mosquitto.stop();
  return { ours: ratesOf(ours), theirs: ratesOf(theirs) };
};

/** Events per second from the controllers through the gateway until the bridge acknowledges them, one message of each at a time. */
const measureForwarding = async (
  { bridge }: TestBridge,
  { controllers, organizationId }: BenchFleet,
  port: number,
  { each, batch }: { readonly each: number; readonly batch: number },
): Promise<number> => {
  const newId = (): string => bridge.services.newId('event');
  const senders = controllers.map(member => ({
    ...loginOf(member),
    filter: buildDeviceDownlinkFilter(member.deviceId as DeviceId),
    topic: buildUplinkTopic(member.deviceId as DeviceId, 'events'),
    helloTopic: buildUplinkTopic(member.deviceId as DeviceId, 'hello'),
    hello: helloFrame(member, organizationId).toString('base64'),
    frames: eventFrames(member, organizationId, each, newId, batch).frames.map(frame => frame.toString('base64')),
  }));
  const settings: EventLoadSettings = { port, senders, window: 1, batch };
  return (await runLoadProcess<EventLoadResult>('event-load.ts', settings)).per_second;
};

const siteOf = async (client: TestOrganizationClient, { controllers }: BenchFleet): Promise<string> => {
  const { site_id } = await client.callOk('GET', `/devices/${controllers[0]!.deviceId}`);
  return site_id as string;
};

/** Events are numbered from 1, so each measurement has its own controllers. */
const halves = ({ controllers, ...fleet }: BenchFleet): [BenchFleet, BenchFleet] => {
  const middle = controllers.length >> 1;
  return [
    { ...fleet, controllers: controllers.slice(0, middle) },
    { ...fleet, controllers: controllers.slice(middle) },
  ];
};

const run: Benchmark['run'] = async () => {
  if (spawnSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v mosquitto']).status !== 0) {
    throw new Error('mosquitto is not installed (apt-get install mosquitto)');
  }
  const world = await TestBridge.open({ clock: () => instant(Date.now()) });
  world.now = instant(Date.now());
  const client = await world.newOrganization();
  const fleet = await createClaimedFleet(world, client, CONTROLLERS);
  const dataDir = await claimGateway(world, client, await siteOf(client, fleet));
  const bridgePort = await world.bridge.devices.broker!.listen('127.0.0.1', 0);
  const gateway = await GatewayProcess.start(dataDir, { upstream: `mqtt://127.0.0.1:${bridgePort}` });
  while (!(await isReady(gateway))) await delay(50);
  const { ours, theirs } = await compareWithMosquitto(fleet, gateway);
  const [one, other] = halves(fleet);
  const single = { each: EVENTS_EACH, batch: 1 };
  const backlog = { each: BACKLOG_EACH, batch: BACKLOG_BATCH };
  const single_events_per_second = await measureForwarding(world, one, gateway.mqttPort, single);
  const forwarded_per_second = await measureForwarding(world, other, gateway.mqttPort, backlog);
  const bare_inserts_per_second = measureBareInserts(world.dataDir, BACKLOG_BATCH);
  await gateway.stop();
  await world.close();
  removeGatewayData(dataDir);
  return {
    figures: {
      ...ours,
      mosquitto_per_second: theirs.per_second,
      mosquitto_one_each_per_second: theirs.one_each_per_second,
      mosquitto_p99_ms: theirs.p99_ms,
      single_events_per_second,
      forwarded_per_second,
      bare_inserts_per_second,
      local_path_p99_ms: p99(await measureLocalPath()),
    },
    ratios: {
      mosquitto: ours.per_second / theirs.per_second,
      mosquitto_one_each: ours.one_each_per_second / theirs.one_each_per_second,
      forward: forwarded_per_second / bare_inserts_per_second,
    },
  };
};

export default {
  name: 'gateway',
  goals: { mosquitto: 2.5, mosquitto_one_each: 1, forward: 0.5 },
  run,
} satisfies Benchmark;

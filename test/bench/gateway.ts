import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { ownDownFilter, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { TestBridge, type OrganizationClient } from '../support/bridge/test-bridge.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { claimGateway, removeGatewayData } from '../support/devices/claimed-gateway.ts';
import type { Benchmark } from './benchmark.ts';
import { claimedFleet, type Fleet } from './devices-fixture/claimed-fleet.ts';
import type { EventOrder, EventResult } from './gateway-fixture/event-load.ts';
import { runLoad } from './gateway-fixture/load-process.ts';
import { localPathTimes } from './gateway-fixture/local-path.ts';
import { startMosquitto } from './gateway-fixture/mosquitto.ts';
import type { RingOrder, RingResult } from './gateway-fixture/ring-load.ts';
import { eventFrames, loginOf, ringOf } from './gateway-fixture/signed-load.ts';

const CONTROLLERS = 200;
const ROUNDS = 3;
/** Messages of one controller under way at a time. Each broker is taken at the one that suits it best. */
const WINDOWS = [1, 4, 16];
const EVENT_WINDOW = 4;
const EVENTS_EACH = 20;

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const median = (values: readonly number[]): number => sorted(values)[Math.floor(values.length / 2)]!;
const p99 = (values: readonly number[]): number => sorted(values)[Math.floor(values.length * 0.99)]!;

const isOpen = async (gateway: GatewayProcess): Promise<boolean> => {
  const { upstream, controllers } = await gateway.status();
  return upstream.connected && controllers.length >= CONTROLLERS;
};

interface Rates {
  readonly per_second: number;
  /** With one message of each controller under way. Of more, p99 tells only how long they queue. */
  readonly one_each_per_second: number;
  readonly p99_ms: number;
}

const rateOf = (rounds: readonly RingResult[]): number => median(rounds.map(({ per_second }) => per_second));

const ratesOf = (rounds: ReadonlyMap<number, readonly RingResult[]>): Rates => ({
  per_second: Math.max(...[...rounds.values()].map(rateOf)),
  one_each_per_second: rateOf(rounds.get(1)!),
  p99_ms: median(rounds.get(1)!.map(({ p99_ms }) => p99_ms)),
});

/** The same messages through both, in turns. */
const besideMosquitto = async (fleet: Fleet, gateway: GatewayProcess) => {
  const mosquitto = await startMosquitto();
  const ours = new Map<number, RingResult[]>(WINDOWS.map(window => [window, []]));
  const theirs = new Map<number, RingResult[]>(WINDOWS.map(window => [window, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const window of WINDOWS) {
      const order = { window, warmUp_ms: 500, duration_ms: 1500 };
      const through: RingOrder = { ...order, port: gateway.mqttPort, members: ringOf(fleet, 'gateway') };
      const direct: RingOrder = { ...order, port: mosquitto.port, members: ringOf(fleet, 'broker') };
      ours.get(window)!.push(await runLoad<RingResult>('ring-load.ts', through));
      theirs.get(window)!.push(await runLoad<RingResult>('ring-load.ts', direct));
    }
  }
  await mosquitto.stop();
  return { ours: ratesOf(ours), theirs: ratesOf(theirs) };
};

/** From the controller through the gateway's disk to the bridge's, and the bridge's word back: then the next may come. */
const storedAndForwarded = async (
  { bridge }: TestBridge,
  { controllers, organizationId }: Fleet,
  port: number,
): Promise<number> => {
  const newId = (): string => bridge.services.newId('event');
  const senders = controllers.map(member => ({
    ...loginOf(member),
    filter: ownDownFilter(member.deviceId as DeviceId),
    topic: upTopic(member.deviceId as DeviceId, 'events'),
    frames: eventFrames(member, organizationId, EVENTS_EACH, newId).frames.map(frame => frame.toString('base64')),
  }));
  const order: EventOrder = { port, senders, window: EVENT_WINDOW };
  return (await runLoad<EventResult>('event-load.ts', order)).per_second;
};

const siteOf = async (client: OrganizationClient, { controllers }: Fleet): Promise<string> => {
  const { site_id } = await client.callOk('GET', `/devices/${controllers[0]!.deviceId}`);
  return site_id as string;
};

const run: Benchmark['run'] = async () => {
  if (spawnSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v mosquitto']).status !== 0) {
    throw new Error('mosquitto is not installed (apt-get install mosquitto)');
  }
  const world = await TestBridge.open({ clock: () => instant(Date.now()) });
  world.now = instant(Date.now());
  const client = await world.newOrganization();
  const fleet = await claimedFleet(world, client, CONTROLLERS);
  const dataDir = await claimGateway(world, client, await siteOf(client, fleet));
  const bridgePort = await world.bridge.devices.broker!.listen('127.0.0.1', 0);
  const gateway = await GatewayProcess.start(dataDir, { upstream: `mqtt://127.0.0.1:${bridgePort}` });
  while (!(await isOpen(gateway))) await delay(50);
  const { ours, theirs } = await besideMosquitto(fleet, gateway);
  const store_and_forward_per_second = await storedAndForwarded(world, fleet, gateway.mqttPort);
  await gateway.stop();
  await world.close();
  removeGatewayData(dataDir);
  return {
    figures: {
      ...ours,
      mosquitto_per_second: theirs.per_second,
      mosquitto_one_each_per_second: theirs.one_each_per_second,
      mosquitto_p99_ms: theirs.p99_ms,
      store_and_forward_per_second,
      local_path_p99_ms: p99(await localPathTimes()),
    },
    ratios: { mosquitto: ours.per_second / theirs.per_second },
  };
};

export default { name: 'gateway', run } satisfies Benchmark;

import type { DeviceId } from '@lintel/access-core/ids';
import { type BrokerClient, GuardedBroker } from '@lintel/broker/guarded-broker';
import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { ControllerSite } from '../support/devices/controller-site.ts';
import { type RecordedLogLine, RecordingLogger } from '../support/processes/recording-logger.ts';
import { claimGateway, removeGatewayData, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import type { TestController } from '../support/devices/test-controller.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

const EACH = iterations({ sample: 30, all: 300 });
/** Up to the longest topic of MQTT. */
const LENGTHS = [10, 150, 3000, 65_000];
const ALL = EACH * LENGTHS.length;

const closing: Array<() => Promise<unknown> | void> = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const openSite = async () => {
  const logger = new RecordingLogger();
  const bridge = await TestBridge.open({ logger });
  closing.push(() => bridge.close());
  const site = await ControllerSite.open(bridge);
  closing.push(() => site.controller.stop());
  return { site, bridge, logger };
};

/** Publishes under many unknown topics of the controller, with control characters of a terminal in their names. */
const publishUnknownTopics = async (controller: TestController): Promise<void> => {
  for (const length of LENGTHS) {
    const publishing = Array.from({ length: EACH }, (_, index) => {
      const topic = `lintel/v1/${controller.deviceId}/up/\u001b[2J${index}-${'y'.repeat(length)}`;
      return controller.publish(topic.slice(0, 65_500), Buffer.from('{}'));
    });
    await Promise.all(publishing);
  }
};

const drops = (lines: readonly RecordedLogLine[]): RecordedLogLine[] =>
  lines.filter(({ message }) => /^dropped a message/i.test(String(message)));

const expectLoggedOnce = (lines: readonly RecordedLogLine[], { deviceId }: TestController): void => {
  expect(drops(lines)).toHaveLength(1);
  const [line] = drops(lines);
  expect(line).toMatchObject({ device_id: deviceId });
  expect(String(line!['kind']).length).toBeLessThanOrEqual(120);
  expect(String(line!['kind'])).toContain('\\u{1b}[2J0-');
};

describe('Controller that publishes unknown topics', () => {
  it('is logged once by the bridge, counted, and stays connected', async () => {
    const { site, bridge, logger } = await openSite();
    const { controller } = site;
    await controller.start(site.url);
    const { devices } = bridge;
    await publishUnknownTopics(controller);
    await expect.poll(() => devices.droppedMessages).toBeGreaterThanOrEqual(ALL);
    expectLoggedOnce(logger.lines, controller);
    const answer = controller.next('time');
    await controller.send('time-request', { v: 1, nonce: 'C'.repeat(22) });
    await answer;
    expect(devices.droppedMessages).toBe(ALL);
  });

  it('is logged once for each kind of error, whatever the position in the message', async () => {
    const { site, bridge, logger } = await openSite();
    const { controller } = site;
    await controller.start(site.url);
    for (let index = 0; index < 50; index++) {
      const gadgets = [
        ...Array.from({ length: index }, () => ({ gadget_id: site.gadgetId, state_id: 'open', since: 0 })),
        7,
      ];
      await controller.send('state', { v: 1, gadgets } as never);
    }
    await expect.poll(() => bridge.devices.droppedMessages).toBeGreaterThanOrEqual(50);
    expect(drops(logger.lines)).toHaveLength(1);
    expect(drops(logger.lines)[0]).toMatchObject({ kind: 'state', place: expect.stringContaining('gadgets') });
  });

  it('is logged once by the gateway, counted, and stays connected', async () => {
    const { site, bridge } = await openSite();
    const { controller } = site;
    const dataDir = await claimGateway(bridge, site.client, site.siteId);
    closing.push(() => removeGatewayData(dataDir));
    const lines: RecordedLogLine[] = [];
    const log = (level: string, message: string, facts = {}): void => void lines.push({ level, message, ...facts });
    const gateway = await startGateway(bridge, dataDir, site.url, { log });
    closing.push(() => gateway.stop());
    const isReady = (): boolean => gateway.status().upstream.connected && gateway.status().controllers.length === 1;
    await expect.poll(isReady).toBe(true);
    await controller.start(gateway.addresses().mqtt!);
    await publishUnknownTopics(controller);
    await expect.poll(() => gateway.status().traffic.dropped).toBeGreaterThanOrEqual(ALL);
    expectLoggedOnce(lines, controller);
    const answer = controller.next('time');
    await controller.send('time-request', { v: 1, nonce: 'C'.repeat(22) });
    await answer;
    expect(gateway.status().traffic.dropped).toBe(ALL);
  });
});

describe('GuardedBroker', () => {
  const openBroker = async () => {
    const broker = await GuardedBroker.start<BrokerClient>(
      {
        byCertificate: async () => null,
        byPassword: async name => ({ deviceId: name as DeviceId }),
        mayPublish: () => true,
        maySubscribe: () => true,
      },
      { now: () => Date.now() },
    );
    closing.push(() => broker.close());
    const received: string[] = [];
    broker.onMessage(topic => received.push(topic));
    const url = `mqtt://127.0.0.1:${await broker.listen('127.0.0.1', 0)}`;
    const join = async (name: string) => {
      const login = { clientId: name, username: name, password: 'x', reconnectPeriod: 0 };
      const client = await connectAsync(url, login);
      client.on('error', () => undefined);
      closing.push(() => client.endAsync(true));
      return client;
    };
    return { received, join };
  };

  it('reports a message with a topic of more than 256 bytes, and does not deliver it', async () => {
    const { received, join } = await openBroker();
    const [listener, speaker] = [await join('dev_a'), await join('dev_b')];
    const got: string[] = [];
    listener.on('message', topic => got.push(topic));
    await listener.subscribeAsync('up/#', { qos: 1 });
    const [longest, tooLong] = [`up/${'é'.repeat(126)}x`, `up/${'é'.repeat(127)}`];
    await speaker.publishAsync(tooLong, 'x', { qos: 1 });
    await speaker.publishAsync(longest, 'x', { qos: 1 });
    await expect.poll(() => got).toEqual([longest]);
    expect(received).toEqual([tooLong, longest]);
  });

  it('closes the connection of a QoS 2 message with such a topic', async () => {
    const { received, join } = await openBroker();
    const speaker = await join('dev_b');
    const closed = new Promise<void>(resolve => {
      speaker.once('close', () => resolve());
    });
    speaker.publish(`up/${'y'.repeat(300)}`, 'x', { qos: 2 });
    await closed;
    expect(received).toHaveLength(1);
  });
});

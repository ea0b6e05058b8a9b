import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import { type BrokerClient, GuardedBroker } from '@lintel/broker/guarded-broker';
import { connectAsync } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from '../../support/require-program.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { GatewaySite } from '../../support/devices/gateway-site.ts';
import { killMosquittoClients, mosquitto, type MosquittoRun } from '../../support/devices/mosquitto-clients.ts';

const clients = { command: 'mosquitto_sub', install: 'apt-get install mosquitto-clients' };

beforeEach(context => requireProgram(context, clients));
afterEach(killMosquittoClients);

describe('GuardedBroker with mosquitto clients', () => {
  let broker: GuardedBroker<BrokerClient>;
  let port: number;
  let folder: string;
  let subscribed: string[];
  const received: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-interop-'));
    subscribed = [];
    received.length = 0;
    const isOpen = (topic: string): boolean => topic.startsWith('open/') || topic === '+/room';
    broker = await GuardedBroker.start(
      {
        byCertificate: async () => null,
        byPassword: async name => (name.startsWith('dev_') ? { deviceId: name as DeviceId } : null),
        mayPublish: (_, topic) => isOpen(topic),
        maySubscribe: (_, filter) => isOpen(filter),
      },
      { now: () => Date.now() },
    );
    broker.onSubscribed((device, filters) => subscribed.push(...filters.map(filter => `${device} ${filter}`)));
    broker.onMessage((topic, payload) => received.push(`${topic} ${Buffer.from(payload).toString()}`));
    port = await broker.listen('127.0.0.1', 0);
  });

  afterEach(async () => {
    await broker.close();
    rmSync(folder, { recursive: true });
  });

  const startSubscriber = async (name: string, filter: string, ...more: readonly string[]): Promise<MosquittoRun> => {
    const run = mosquitto('mosquitto_sub', port, name, '-t', filter, '-v', ...more);
    await expect.poll(() => subscribed).toContain(`${name} ${filter}`);
    return run;
  };

  const publish = async (name: string, ...args: readonly string[]) =>
    mosquitto('mosquitto_pub', port, name, ...args).ended;

  for (const qos of ['0', '1', '2']) {
    it(`delivers messages with QoS ${qos} once`, async () => {
      const sub = await startSubscriber('dev_sub', 'open/#', '-q', qos, '-C', '3');
      expect((await publish('dev_a', '-t', 'open/room', '-q', qos, '-m', 'zero')).code).toBe(0);
      const pub = mosquitto('mosquitto_pub', port, 'dev_a', '-t', 'open/room', '-q', qos, '-l');
      pub.process.stdin!.end('one\ntwo\n');
      await pub.ended;
      expect((await sub.ended).stdout).toBe('open/room zero\nopen/room one\nopen/room two\n');
      expect(received).toEqual(['open/room zero', 'open/room one', 'open/room two']);
    });
  }

  it('delivers a message once to overlapping single-level and multi-level wildcards', async () => {
    const sub = await startSubscriber('dev_sub', 'open/+/door', '-t', 'open/#', '-C', '3');
    for (const topic of ['open/a/door', 'open/a/b/door', 'open']) await publish('dev_a', '-t', topic, '-m', 'x');
    await publish('dev_a', '-t', 'open/last', '-m', 'x');
    expect((await sub.ended).stdout).toBe('open/a/door x\nopen/a/b/door x\nopen/last x\n');
  });

  it('denies filters in the SUBACK, and closes the connection on a forbidden publish', async () => {
    for (const filter of ['closed/#', '#', '$SYS/#']) {
      const { stderr } = await mosquitto('mosquitto_sub', port, 'dev_sub', '-t', filter).ended;
      expect(stderr).toMatch(/denied/);
    }
    expect((await publish('dev_a', '-t', 'closed/room', '-q', '1', '-m', 'x')).code).not.toBe(0);
    expect(received).toEqual([]);
    expect((await publish('stranger', '-t', 'open/room', '-m', 'x')).code).toBe(5);
  });

  it('publishes the last will of a killed client, and not of one that disconnects', async () => {
    const sub = await startSubscriber('dev_sub', 'open/wills', '-C', '1');
    const will = ['--will-topic', 'open/wills', '--will-payload', 'gone', '--will-qos', '1'];
    const leaving = await startSubscriber('dev_leaving', 'open/nothing', ...will);
    leaving.process.kill('SIGTERM');
    await leaving.ended;
    const dying = await startSubscriber('dev_dying', 'open/nothing', ...will);
    dying.process.kill('SIGKILL');
    expect((await sub.ended).stdout).toBe('open/wills gone\n');
    expect(received).toEqual(['open/wills gone']);
  });

  it('delivers a payload of one megabyte, and closes the connection for a larger one', async () => {
    const bytes = Buffer.alloc(1024 * 1024, 'large');
    const file = join(folder, 'large');
    writeFileSync(file, bytes);
    const sub = mosquitto('mosquitto_sub', port, 'dev_sub', '-t', 'open/large', '-C', '1', '-N', '-q', '1');
    await expect.poll(() => subscribed).toContain('dev_sub open/large');
    expect((await publish('dev_a', '-t', 'open/large', '-q', '1', '-f', file)).code).toBe(0);
    const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
    expect(digest((await sub.ended).stdout)).toBe(digest(bytes));
    writeFileSync(file, Buffer.alloc(1024 * 1024 + 8192));
    expect((await publish('dev_a', '-t', 'open/large', '-q', '1', '-f', file)).code).not.toBe(0);
    expect((await publish('dev_a', '-t', 'open/small', '-q', '1', '-m', 'x')).code).toBe(0);
  });

  it('stops delivery after an UNSUBSCRIBE', async () => {
    const sub = await startSubscriber('dev_sub', 'open/b', '-t', 'open/a', '-U', 'open/a', '-C', '1');
    await publish('dev_a', '-t', 'open/a', '-q', '1', '-m', 'x');
    await publish('dev_a', '-t', 'open/b', '-q', '1', '-m', 'x');
    expect((await sub.ended).stdout).toBe('open/b x\n');
  });

  it('delivers a retained message to current subscribers and does not keep it', async () => {
    const there = await startSubscriber('dev_there', 'open/kept', '-C', '1', '-q', '1');
    expect((await publish('dev_a', '-t', 'open/kept', '-r', '-q', '1', '-m', 'now')).code).toBe(0);
    expect((await there.ended).stdout).toBe('open/kept now\n');
    const late = await startSubscriber('dev_late', 'open/kept', '-C', '1', '-q', '1');
    await publish('dev_a', '-t', 'open/kept', '-q', '1', '-m', 'later');
    expect((await late.ended).stdout).toBe('open/kept later\n');
  });

  it('keeps no session, also when the client asks for one', async () => {
    const session = ['-c', '-q', '1', '-C', '1'];
    const first = await startSubscriber('dev_sub', 'open/session', ...session);
    await publish('dev_a', '-t', 'open/session', '-q', '1', '-m', 'first');
    await first.ended;
    await publish('dev_a', '-t', 'open/session', '-q', '1', '-m', 'while away');
    subscribed.length = 0;
    const second = await startSubscriber('dev_sub', 'open/session', ...session);
    await publish('dev_a', '-t', 'open/session', '-q', '1', '-m', 'back');
    expect((await second.ended).stdout).toBe('open/session back\n');
  });

  it('closes the older connection with the same client id', async () => {
    const login = { clientId: 'dev_twice', username: 'dev_twice', password: 'x', reconnectPeriod: 0 };
    const first = await connectAsync(`mqtt://127.0.0.1:${port}`, login);
    const cut = new Promise<void>(resolve => first.once('close', () => resolve()));
    await startSubscriber('dev_twice', 'open/room');
    await cut;
    expect(broker.connected()).toEqual(['dev_twice']);
  });

  it('delivers a request and its response', async () => {
    const login = { clientId: 'dev_responder', username: 'dev_responder', password: 'x' };
    const responder = await connectAsync(`mqtt://127.0.0.1:${port}`, login);
    responder.on('message', (_, payload) => responder.publish('open/response', `${payload.toString()}!`, { qos: 1 }));
    await responder.subscribeAsync('open/request', { qos: 1 });
    const request = ['-V', 'mqttv311', '-t', 'open/request', '-e', 'open/response', '-m', 'who', '-q', '1', '-W', '20'];
    const { code, stdout } = await mosquitto('mosquitto_rr', port, 'dev_requester', ...request).ended;
    expect([code, stdout.trim()]).toEqual([0, 'who!']);
    await responder.endAsync();
  });

  it('accepts MQTT 3.1 and refuses MQTT 5', async () => {
    expect((await publish('dev_a', '-V', 'mqttv31', '-t', 'open/old', '-q', '1', '-m', 'x')).code).toBe(0);
    const { code } = await publish('dev_a', '-V', 'mqttv5', '-t', 'open/new', '-q', '1', '-m', 'x');
    expect(code).not.toBe(0);
    expect(received).toEqual(['open/old x']);
  });
});

describe('gateway with mosquitto clients', () => {
  let bridge: TestBridge;
  let site: GatewaySite;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-interop-'));
    bridge = await TestBridge.open();
    site = await GatewaySite.open(bridge);
  });

  afterEach(async () => {
    await site.close();
    await bridge.close();
    rmSync(folder, { recursive: true });
  });

  const writeFile = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('accepts a client by its certificate only', async () => {
    const { deviceId, claimed, identity } = site.controller;
    const port = Number(new URL(site.gateway.addresses().mqtts).port);
    const ca = ['--cafile', writeFile('ca.pem', claimed.ca_certificate), '--insecure'];
    const key = writeFile('key.pem', identity.key.export({ type: 'pkcs8', format: 'pem' }));
    const own = ['--cert', writeFile('own.pem', claimed.certificate), '--key', key];
    const filter = ['-t', `lintel/v1/${deviceId}/down/#`, '-C', '1', '-W', '20'];
    const accepted = await mosquitto('mosquitto_sub', port, deviceId, ...ca, ...own, ...filter).ended;
    expect([accepted.code, accepted.stdout]).toEqual([0, '{"v":1,"online":true}\n']);
    expect((await mosquitto('mosquitto_sub', port, deviceId, ...ca, ...filter).ended).code).not.toBe(0);
    expect((await mosquitto('mosquitto_sub', port, 'dev_another', ...ca, ...own, ...filter).ended).code).not.toBe(0);
  });
});

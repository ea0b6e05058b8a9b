import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceId } from '@lintel/access-core/ids';
import { type BrokerClient, GuardedBroker } from '@lintel/device-link/broker/guarded-broker';
import { connectAsync } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requirePart } from '../../reporting/system-part.ts';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { GatewaySite } from '../../support/devices/gateway-site.ts';
import { endMosquittoClients, mosquitto, type MosquittoRun } from '../../support/devices/mosquitto-clients.ts';

const clients = { command: 'mosquitto_sub', install: 'apt-get install mosquitto-clients' };

beforeEach(context => requirePart(context, clients));
afterEach(endMosquittoClients);

describe('a broker that lets its clients speak to one another, and mosquitto’s own clients', () => {
  let broker: GuardedBroker<BrokerClient>;
  let port: number;
  let folder: string;
  let listening: string[];
  const heard: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-interop-'));
    listening = [];
    heard.length = 0;
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
    broker.onSubscribed((device, filters) => listening.push(...filters.map(filter => `${device} ${filter}`)));
    broker.onMessage((topic, payload) => heard.push(`${topic} ${Buffer.from(payload).toString()}`));
    port = await broker.listen('127.0.0.1', 0);
  });

  afterEach(async () => {
    await broker.close();
    rmSync(folder, { recursive: true });
  });

  const subscriber = async (name: string, filter: string, ...more: readonly string[]): Promise<MosquittoRun> => {
    const run = mosquitto('mosquitto_sub', port, name, '-t', filter, '-v', ...more);
    await expect.poll(() => listening, { timeout: 10_000 }).toContain(`${name} ${filter}`);
    return run;
  };

  const published = async (name: string, ...args: readonly string[]) =>
    mosquitto('mosquitto_pub', port, name, ...args).ended;

  for (const qos of ['0', '1', '2']) {
    it(`carry messages of quality ${qos} from one to the other, each once`, async () => {
      const sub = await subscriber('dev_sub', 'open/#', '-q', qos, '-C', '3');
      expect((await published('dev_a', '-t', 'open/room', '-q', qos, '-m', 'zero')).code).toBe(0);
      const pub = mosquitto('mosquitto_pub', port, 'dev_a', '-t', 'open/room', '-q', qos, '-l');
      pub.process.stdin!.end('one\ntwo\n');
      await pub.ended;
      expect((await sub.ended).stdout).toBe('open/room zero\nopen/room one\nopen/room two\n');
      expect(heard).toEqual(['open/room zero', 'open/room one', 'open/room two']);
    });
  }

  it('hear single-level and multi-level wildcards that the gate grants, and one message once', async () => {
    const sub = await subscriber('dev_sub', 'open/+/door', '-t', 'open/#', '-C', '3');
    for (const topic of ['open/a/door', 'open/a/b/door', 'open']) await published('dev_a', '-t', topic, '-m', 'x');
    await published('dev_a', '-t', 'open/last', '-m', 'x');
    expect((await sub.ended).stdout).toBe('open/a/door x\nopen/a/b/door x\nopen/last x\n');
  });

  it('are refused what the gate does not grant: filters by the answer, words by the end of the connection', async () => {
    for (const filter of ['closed/#', '#', '$SYS/#']) {
      const { stderr } = await mosquitto('mosquitto_sub', port, 'dev_sub', '-t', filter).ended;
      expect(stderr).toMatch(/denied/);
    }
    expect((await published('dev_a', '-t', 'closed/room', '-q', '1', '-m', 'x')).code).not.toBe(0);
    expect(heard).toEqual([]);
    expect((await published('stranger', '-t', 'open/room', '-m', 'x')).code).toBe(5);
  });

  it('have their will spoken when they are killed, and not when they leave', async () => {
    const sub = await subscriber('dev_sub', 'open/wills', '-C', '1');
    const will = ['--will-topic', 'open/wills', '--will-payload', 'gone', '--will-qos', '1'];
    const leaving = await subscriber('dev_leaving', 'open/nothing', ...will);
    leaving.process.kill('SIGTERM');
    await leaving.ended;
    const dying = await subscriber('dev_dying', 'open/nothing', ...will);
    dying.process.kill('SIGKILL');
    expect((await sub.ended).stdout).toBe('open/wills gone\n');
    expect(heard).toEqual(['open/wills gone']);
  });

  it('carry a megabyte as it is, and are cut for more', async () => {
    const bytes = Buffer.alloc(1024 * 1024, 'large');
    const file = join(folder, 'large');
    writeFileSync(file, bytes);
    const sub = mosquitto('mosquitto_sub', port, 'dev_sub', '-t', 'open/large', '-C', '1', '-N', '-q', '1');
    await expect.poll(() => listening).toContain('dev_sub open/large');
    expect((await published('dev_a', '-t', 'open/large', '-q', '1', '-f', file)).code).toBe(0);
    const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
    expect(digest((await sub.ended).stdout)).toBe(digest(bytes));
    writeFileSync(file, Buffer.alloc(1024 * 1024 + 8192));
    expect((await published('dev_a', '-t', 'open/large', '-q', '1', '-f', file)).code).not.toBe(0);
    expect((await published('dev_a', '-t', 'open/small', '-q', '1', '-m', 'x')).code).toBe(0);
  });

  it('hear nothing of what they have unsubscribed from', async () => {
    const sub = await subscriber('dev_sub', 'open/b', '-t', 'open/a', '-U', 'open/a', '-C', '1');
    await published('dev_a', '-t', 'open/a', '-q', '1', '-m', 'x');
    await published('dev_a', '-t', 'open/b', '-q', '1', '-m', 'x');
    expect((await sub.ended).stdout).toBe('open/b x\n');
  });

  it('find nothing retained: what was sent so is heard by those who are there and kept for nobody', async () => {
    const there = await subscriber('dev_there', 'open/kept', '-C', '1', '-q', '1');
    expect((await published('dev_a', '-t', 'open/kept', '-r', '-q', '1', '-m', 'now')).code).toBe(0);
    expect((await there.ended).stdout).toBe('open/kept now\n');
    const late = await subscriber('dev_late', 'open/kept', '-C', '1', '-q', '1');
    await published('dev_a', '-t', 'open/kept', '-q', '1', '-m', 'later');
    expect((await late.ended).stdout).toBe('open/kept later\n');
  });

  it('find no session kept, whatever they ask for', async () => {
    const session = ['-c', '-q', '1', '-C', '1'];
    const first = await subscriber('dev_sub', 'open/session', ...session);
    await published('dev_a', '-t', 'open/session', '-q', '1', '-m', 'first');
    await first.ended;
    await published('dev_a', '-t', 'open/session', '-q', '1', '-m', 'while away');
    listening.length = 0;
    const second = await subscriber('dev_sub', 'open/session', ...session);
    await published('dev_a', '-t', 'open/session', '-q', '1', '-m', 'back');
    expect((await second.ended).stdout).toBe('open/session back\n');
  });

  it('take over the session of another with the same name', async () => {
    const login = { clientId: 'dev_twice', username: 'dev_twice', password: 'x', reconnectPeriod: 0 };
    const first = await connectAsync(`mqtt://127.0.0.1:${port}`, login);
    const cut = new Promise<void>(resolve => first.once('close', () => resolve()));
    await subscriber('dev_twice', 'open/room');
    await cut;
    expect(broker.connected()).toEqual(['dev_twice']);
  });

  it('ask and are answered', async () => {
    const login = { clientId: 'dev_answers', username: 'dev_answers', password: 'x' };
    const answering = await connectAsync(`mqtt://127.0.0.1:${port}`, login);
    answering.on('message', (_, payload) => answering.publish('open/answer', `${payload.toString()}!`, { qos: 1 }));
    await answering.subscribeAsync('open/question', { qos: 1 });
    const asked = ['-V', 'mqttv311', '-t', 'open/question', '-e', 'open/answer', '-m', 'who', '-q', '1', '-W', '20'];
    const { code, stdout } = await mosquitto('mosquitto_rr', port, 'dev_asks', ...asked).ended;
    expect([code, stdout.trim()]).toEqual([0, 'who!']);
    await answering.endAsync();
  });

  it('speak MQTT 3.1 as well, and are told at once that 5 is not spoken', async () => {
    expect((await published('dev_a', '-V', 'mqttv31', '-t', 'open/old', '-q', '1', '-m', 'x')).code).toBe(0);
    const { code } = await published('dev_a', '-V', 'mqttv5', '-t', 'open/new', '-q', '1', '-m', 'x');
    expect(code).not.toBe(0);
    expect(heard).toEqual(['open/old x']);
  });
});

describe('a gateway and mosquitto’s own clients', () => {
  let world: BridgeWorld;
  let site: GatewaySite;
  let folder: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-interop-'));
    world = await BridgeWorld.open();
    site = await GatewaySite.open(world);
  });

  afterEach(async () => {
    await site.close();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  const written = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('know one another by their certificates, and by nothing else', async () => {
    const { deviceId, claimed, identity } = site.hotel.controller;
    const port = Number(new URL(site.gateway.addresses().mqtts).port);
    const ca = ['--cafile', written('ca.pem', claimed.ca_certificate), '--insecure'];
    const key = written('key.pem', identity.key.export({ type: 'pkcs8', format: 'pem' }));
    const own = ['--cert', written('own.pem', claimed.certificate), '--key', key];
    const filter = ['-t', `lintel/v1/${deviceId}/down/#`, '-C', '1', '-W', '20'];
    const welcome = await mosquitto('mosquitto_sub', port, deviceId, ...ca, ...own, ...filter).ended;
    expect([welcome.code, welcome.stdout]).toEqual([0, '{"v":1,"online":true}\n']);
    expect((await mosquitto('mosquitto_sub', port, deviceId, ...ca, ...filter).ended).code).not.toBe(0);
    expect((await mosquitto('mosquitto_sub', port, 'dev_another', ...ca, ...own, ...filter).ended).code).not.toBe(0);
  });
});

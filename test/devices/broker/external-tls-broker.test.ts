import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../../support/require-program.ts';
import { findFreePort } from '../../support/find-free-port.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';
import { TestController } from '../../support/devices/test-controller.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';

const program = { command: 'mosquitto', install: 'apt-get install mosquitto' };
const shipped = join(import.meta.dirname, '../../../deploy/mosquitto');

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** mosquitto with the shipped configuration, in a folder of its own and on free ports. */
const startBroker = async (folder: string) => {
  const [tlsPort, plainPort] = [await findFreePort(), await findFreePort()];
  for (const file of ['devices.acl', 'bridges.acl'])
    writeFileSync(join(folder, file), readFileSync(join(shipped, file), 'utf8'));
  writeFileSync(join(folder, 'passwords'), 'bridge:secret\n');
  spawnSync('mosquitto_passwd', ['-U', join(folder, 'passwords')]);
  const config = readFileSync(join(shipped, 'mosquitto.conf'), 'utf8')
    .replaceAll(/\/mosquitto\/(?:config|tls|data)\b/g, folder)
    .replace('listener 8883', `listener ${tlsPort} 127.0.0.1`)
    .replace('listener 1883', `listener ${plainPort} 127.0.0.1`);
  // The broker drops its privileges, and reads files of this test.
  writeFileSync(join(folder, 'mosquitto.conf'), `user root\n${config}`);
  const broker = spawn('mosquitto', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
  await waitUntil(
    async () => (await isListening(tlsPort)) && (await isListening(plainPort)),
    () => 'mosquitto to listen',
  );
  return {
    device: `mqtts://127.0.0.1:${tlsPort}`,
    bridge: `mqtt://bridge:secret@127.0.0.1:${plainPort}`,
    stop: async () => {
      const exited = once(broker, 'exit');
      broker.kill();
      await exited;
    },
  };
};

describe('mosquitto with the shipped configuration and a certificate of the bridge', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-broker-'));
  chmodSync(folder, 0o700);
  let broker: Awaited<ReturnType<typeof startBroker>>;
  let bridge: TestBridge;

  beforeAll(async () => {
    if (!isPresent(program)) return;
    const dataDir = join(folder, 'bridge');
    await (await TestBridge.open({ dataDir })).bridge.close();
    const out = ['--name', '127.0.0.1', '--out', folder];
    const { code, stderr } = await runLintel('broker-certificate', '--data', dataDir, ...out);
    if (code !== 0) throw new Error(stderr);
    broker = await startBroker(folder);
    bridge = await TestBridge.open({ dataDir, mqttUrl: broker.bridge });
  });

  afterAll(async () => {
    await bridge?.close();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const connectController = async () => {
    const client = await bridge.newOrganization();
    const site = await createTestSite(bridge, client);
    const controller = await TestController.claim(bridge, client, { site_id: site });
    const { identity, claimed } = controller;
    await controller.connect(broker.device, {
      ca: claimed.ca_certificate,
      cert: claimed.certificate,
      key: identity.key.export({ format: 'pem', type: 'pkcs8' }),
    });
    return controller;
  };

  it('connects controllers, which trust only the authority of the bridge', async context => {
    requireProgram(context, program);
    const controller = await connectController();
    await controller.hello();
    await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot');
    expect(controller.rejections).toEqual([]);
    await controller.stop();
  });

  it('does not let a controller write to the topics of another one', async context => {
    requireProgram(context, program);
    const [first, second] = [await connectController(), await connectController()];
    const received: string[] = [];
    bridge.devices.transport.onMessage(topic => received.push(topic));
    await first.publish(`lintel/v1/${second.claimed.device_id}/up/status`, Buffer.from('forged'));
    await first.hello();
    await expect.poll(() => received).toContain(`lintel/v1/${first.claimed.device_id}/up/hello`);
    expect(received.filter(topic => topic.includes(second.claimed.device_id))).toEqual([]);
    await Promise.all([first.stop(), second.stop()]);
  });
});

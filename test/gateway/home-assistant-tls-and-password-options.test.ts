import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCertificateAuthority } from '@lintel/cloud-bridge/testing';
import { requireProgram } from '../support/require-program.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, removeGatewayData } from '../support/devices/claim-and-start-gateway.ts';
import { ControllerSite } from '../support/devices/controller-site.ts';
import { HomeAssistantClient } from '../support/devices/home-assistant-client.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { mosquitto, startMosquitto } from '../support/processes/mosquitto.ts';

const login = { user: 'lintel', password: 'correct-horse' };

describe('lintel gateway --home-assistant', () => {
  let bridge: TestBridge;
  let site: ControllerSite;
  let dataDir: string;

  beforeAll(async () => {
    bridge = await TestBridge.open({ clock: () => instant(Date.now()) });
    bridge.now = instant(Date.now());
    return () => bridge.close();
  });

  beforeEach(async () => {
    site = await ControllerSite.open(bridge);
    dataDir = await claimGateway(bridge, site.client, site.siteId);
  });

  afterEach(() => removeGatewayData(dataDir));

  it('connects over TLS with the authority and the password from files, and logs no password', async context => {
    requireProgram(context, mosquitto);
    const authority = await openCertificateAuthority(dataDir, bridge.now);
    const tls = await authority.issueServerCertificate(['127.0.0.1'], bridge.now);
    const broker = await startMosquitto({ login, tls });
    const [caFile, passwordFile] = [join(dataDir, 'broker-ca.pem'), join(dataDir, 'password')];
    writeFileSync(caFile, authority.certificate);
    writeFileSync(passwordFile, `${login.password}\n`);
    const url = broker.url.replace('//', `//${login.user}@`);
    const more = [
      '--home-assistant',
      url,
      '--home-assistant-password-file',
      passwordFile,
      '--home-assistant-ca',
      caFile,
    ];
    const gateway = await GatewayProcess.start(dataDir, { upstream: site.bridgeUrl, more });
    const homeAssistant = await HomeAssistantClient.connect(broker.url, {
      username: login.user,
      password: login.password,
      ca: authority.certificate,
    });
    try {
      const { device_id } = gateway.ready;
      await expect.poll(() => homeAssistant.isAvailable(device_id), { message: gateway.log() }).toBe(true);
      await gateway.stop('SIGKILL');
      await expect.poll(() => homeAssistant.isAvailable(device_id)).toBe(false);
      expect(gateway.log()).toContain('Commands from there are not accepted');
      expect(gateway.log()).not.toContain(login.password);
    } finally {
      await homeAssistant.close();
      await gateway.stop('SIGKILL');
      await broker.stop();
    }
  });

  it.each([
    [
      'a password in the URL',
      ['--home-assistant', 'mqtt://user:secret-word@ha.example'],
      'must not contain a password',
    ],
    ['another protocol', ['--home-assistant', 'http://ha.example'], 'must be an address such as'],
    ['a prefix with a wildcard', ['--home-assistant', 'mqtt://h', '--home-assistant-prefix', 'a/#'], 'must be a topic'],
    ['a missing file', ['--home-assistant', 'mqtt://h', '--home-assistant-ca', '/no/file'], 'no such file'],
    ['an option without a broker', ['--home-assistant-prefix', 'a'], 'requires --home-assistant'],
  ])('rejects %s', async (_, args, message) => {
    const { code, stderr } = await runLintel('gateway', '--data', dataDir, '--listen', '127.0.0.1:0', ...args);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret-word');
  });
});

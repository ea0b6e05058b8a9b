import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';
import { RecordingLogger } from '../../support/processes/recording-logger.ts';

const METRICS_TOKEN = 'token-of-the-monitoring';

describe('refused MQTT logins', () => {
  const log = new RecordingLogger();
  let bridge: TestBridge;
  let site: ControllerSite;
  beforeAll(async () => {
    bridge = await TestBridge.open({ logger: log, metricsToken: METRICS_TOKEN });
    site = await ControllerSite.open(bridge);
  });
  afterAll(() => bridge.close());

  const refusals = () => log.lines.filter(line => line['message'] === 'Refused an MQTT login');
  const login = (clientId: string, username: string, password: string) =>
    expect(connectAsync(site.url, { clientId, username, password, reconnectPeriod: 0 })).rejects.toMatchObject({
      code: 5,
    });

  it('are logged with the claimed device, reason and address, and counted', async () => {
    const { controller } = site;
    const password = controller.identity.password(controller.claimed, bridge.now);
    await login(controller.deviceId, controller.deviceId, 'wrong password');
    await login('dev_other', controller.deviceId, password);
    await login('dev_other', controller.deviceId, password);
    const address = expect.stringContaining('127.0.0.1');
    expect(refusals()).toEqual([
      expect.objectContaining({
        device_id: controller.deviceId,
        reason: 'unknown device or wrong credentials',
        address,
      }),
      expect.objectContaining({ device_id: 'dev_other', reason: 'another client id', address }),
    ]);
    expect(JSON.stringify(log.lines)).not.toContain('wrong password');
    expect(JSON.stringify(log.lines)).not.toContain(password);
    const { payload } = await bridge.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(payload).toContain('lintel_mqtt_refused_logins_total{reason="another client id"} 2');
  });
});

import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestSite, door } from '../../support/bridge/site-fixtures.ts';
import { TestController } from '../../support/devices/test-controller.ts';

const DAY_S = 86_400;

describeOnSqliteFirst('GET /devices/{id}/health', bridge => {
  it('returns changes of faults and power, without small changes of the battery, for 30 days', async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const product = { product_id: 'laptop-simulator', gadgets: [door] };
    const controller = await TestController.claim(bridge(), client, { site_id }, product);
    await controller.start(`mqtt://127.0.0.1:${await bridge().devices.broker!.listen('127.0.0.1', 0)}`);
    const report = async (mains_present: boolean, battery_percent: number, codes: readonly string[]) => {
      bridge().advanceSeconds(60);
      const faults = codes.map(code => ({ code, since: bridge().now, message: code }));
      const power = { mains_present, battery_present: true, battery_charging: false, battery_percent };
      await controller.send('status', { v: 1, at: bridge().now, ...power, waiting_events: 0, faults });
      await bridge().devices.whenIdle();
    };
    const records = async () => {
      const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
      const body = await viewer.callOk('GET', `/devices/${controller.deviceId}/health`);
      return (body['records'] as { mains_present: boolean; battery_percent: number; faults: string[] }[])
        .filter(({ battery_percent }) => battery_percent !== null)
        .map(({ mains_present, battery_percent, faults }) => [mains_present, battery_percent, faults.join()]);
    };
    await report(true, 100, []);
    await report(true, 97, []);
    await report(false, 97, []);
    await report(false, 91, []);
    await report(true, 92, ['tamper']);
    const all = [
      [true, 100, ''],
      [false, 97, ''],
      [false, 91, ''],
      [true, 92, 'tamper'],
    ];
    expect(await records()).toEqual(all);
    bridge().advanceSeconds(31 * DAY_S);
    await report(true, 92, []);
    expect(await records()).toEqual([[true, 92, '']]);
    await controller.stop();
  });
});

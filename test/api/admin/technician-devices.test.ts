import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite, reportTestStatus } from '../../support/bridge/site-fixtures.ts';

const localPages = [
  'https://lintel-7f3a.local:8443',
  'https://192.168.1.20:8443',
  'https://10.0.0.7',
  'https://172.31.255.1:8443',
  'https://169.254.3.4:8443',
  'https://[fe80::1]:8443',
  'https://[fd12:3456::1]:8443',
  'https://127.0.0.1:8443',
];

const otherPages = [
  '',
  'lintel-7f3a.local',
  'http://192.168.1.20:8443',
  'javascript:alert(1)',
  'https://evil.example',
  'https://8.8.8.8:8443',
  'https://172.32.0.1',
  'https://[2001:db8::1]:8443',
  'https://[::ffff:8.8.8.8]:8443',
  'https://lintel-7f3a.local.evil.example',
  'https://.local',
  'https://user@192.168.1.20',
  'https://192.168.1.20:8443/path',
  'https://192.168.1.20:8443/?a=b',
  'https://192.168.1.20:8443/#pass',
];

describeOnSqliteFirst('GET /technician_devices', bridge => {
  it('contains the address of a technician page only on the local network of the site', async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const hardware_id = bridge().services.newId('hardware');
    const { deviceId } = await createTestDevice(bridge(), client, { site_id, hardware_id });
    await reportTestStatus(bridge(), client.organizationId, deviceId, { online: true });
    const { writer } = bridge().services.storage;
    const ids = { device_id: deviceId, organization_id: client.organizationId };
    await writer
      .insertInto('technician_pages')
      .values({ ...ids, name: 'lintel-7f3a', url: '', address: '', fingerprint: 'AB' })
      .execute();
    const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [site_id]);
    const shownFor = async (reported: string) => {
      await writer
        .updateTable('technician_pages')
        .set({ url: reported, address: `${reported}/` })
        .where('device_id', '=', deviceId)
        .execute();
      const [device] = (await technician.callOk('GET', '/technician_devices')).data;
      return [reported, device!['local_url'], device!['local_address']];
    };
    for (const page of localPages) expect(await shownFor(page)).toEqual([page, page, page]);
    for (const page of otherPages) expect(await shownFor(page)).toEqual([page, null, null]);
  });
});

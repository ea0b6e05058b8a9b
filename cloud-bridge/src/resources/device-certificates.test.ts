import { beforeEach, describe, expect, it } from 'vitest';
import { useTestOrganization } from '../test-organization.test-support.ts';
import { storeDeviceCertificate } from './device-certificates.ts';
import { createDevice, deleteDevice } from './devices.ts';
import { replaceDeviceHardware } from './replace-device-hardware.ts';

const test = useTestOrganization();
let site: string;
beforeEach(async () => {
  site = (await test.organization.site()).id;
});

const newHardware = (): string => test.database.services.newId('hardware');
const create = (given: object) =>
  test.organization.write(context =>
    createDevice(context, { site_id: site, name: 'Device', product_id: 'multiple', ...given } as never),
  );
const remove = (id: string) => test.organization.write(context => deleteDevice(context, id));

describe('certificates of a device', () => {
  const issue = (deviceId: string, hardwareId: string, serial: string) =>
    test.organization.write(context =>
      storeDeviceCertificate(
        context,
        { serial, publicKey: 'key', certificate: 'pem', expiresAt: context.now + 1000 },
        { deviceId, hardwareId, claimTicketId: null },
      ),
    );
  const revokedAt = async (deviceId: string) =>
    (
      await test.database.services.storage.writer
        .selectFrom('device_certificates')
        .select('revoked_at')
        .where('device_id', '=', deviceId)
        .orderBy('serial')
        .execute()
    ).map(({ revoked_at }) => revoked_at);

  it('are revoked when the device is deleted, each at the time of its own revocation', async () => {
    const hardware_id = newHardware();
    const { device } = await create({ hardware_id });
    await issue(device.id, hardware_id, `${device.id}-1`);
    await test.organization.write(context =>
      replaceDeviceHardware(context, device, { hardware_id: newHardware() as never }),
    );
    const first = test.database.clock.now;
    await issue(device.id, hardware_id, `${device.id}-2`);
    test.database.clock.now += 5000;
    await remove(device.id);
    expect(await revokedAt(device.id)).toEqual([first, first + 5000]);
  });

  it('stay valid when the hardware is replaced by itself', async () => {
    const hardware_id = newHardware();
    const { device } = await create({ hardware_id });
    await issue(device.id, hardware_id, `${device.id}-1`);
    const replace = () =>
      test.organization.write(context => replaceDeviceHardware(context, device, { hardware_id: hardware_id as never }));
    expect(await test.organization.eventsOf(replace)).toEqual([]);
    expect(await revokedAt(device.id)).toEqual([null]);
  });

  it('are not required to replace hardware, which logs events for the old and the new hardware', async () => {
    const { device } = await create({ hardware_id: newHardware() });
    const replace = () =>
      test.organization.write(context =>
        replaceDeviceHardware(context, device, { hardware_id: newHardware() as never }),
      );
    expect(await test.organization.eventsOf(replace)).toEqual(['delete hardware', 'edit device', 'create hardware']);
  });
});

import { describe, expect, it } from 'vitest';
import { useTestOrganization } from '../../../test-organization.test-support.ts';
import { addClaimedDevice } from '../claimed-device.test-support.ts';
import { DeviceEventRates } from './event-rates.ts';

describe('event rates of a device', () => {
  const context = useTestOrganization();
  const hour = 3_600_000;

  it('refill, take a message as a whole, and report each episode once', async () => {
    const { device_id, organization_id } = await addClaimedDevice(context);
    const { services } = context.database;
    const sender = { deviceId: device_id, organizationId: organization_id, siteId: '' } as never;
    let now = 0;
    const rates = new DeviceEventRates(() => now, { perSecond: 50, burst: 1_000 });
    const accept = (events: number) => rates.accept({ services }, sender, events);
    const incidents = async () => {
      const rows = await services.storage.reader.selectFrom('incidents').selectAll().execute();
      await services.storage.writer.updateTable('incidents').set({ acknowledged_at: 1 }).execute();
      return rows.map(({ kind }) => kind);
    };
    expect(await accept(1_000)).toBe(true);
    expect(await accept(500)).toBe(false);
    expect(await incidents()).toEqual(['device_event_flood']);
    now += 9_999;
    expect(await accept(500)).toBe(false);
    now += 1;
    expect(await accept(500)).toBe(true);
    rates.release(device_id, 500);
    expect(await accept(500)).toBe(true);
    now += hour - 2;
    expect(await accept(1_000)).toBe(true);
    expect(await accept(1)).toBe(false);
    expect(await incidents()).toHaveLength(1);
    now += 2 * hour;
    expect(await accept(1_001)).toBe(false);
    expect(await incidents()).toHaveLength(2);
  });
});

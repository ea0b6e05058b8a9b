import { describe, expect, it } from 'vitest';
import { useTestOrganization } from '../../test-organization.test-support.ts';
import { systemActor } from '../../transactions/actor.ts';
import { addClaimedDevice } from './claimed-device.test-support.ts';
import { type EndedSession, endStoredSessions } from './end-stored-sessions.ts';
import { setDevicesOnline } from './update-device-status.ts';

const world = useTestOrganization();

const addConnectedDevice = async (nonce: string): Promise<EndedSession> => {
  const { device_id, organization_id } = await addClaimedDevice(world, nonce);
  await world.database.services.writer.write(organization_id, systemActor, context =>
    setDevicesOnline(context, [device_id], true),
  );
  return { deviceId: device_id, nonce };
};

const stateOf = async ({ deviceId }: EndedSession) => {
  const { storage, deviceRows } = world.database.services;
  const { status } = await storage.reader
    .selectFrom('devices')
    .select('status')
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow();
  const link = await deviceRows.links.load(deviceId);
  return { nonce: link!.session_nonce, online: (JSON.parse(status) as { online: boolean }).online };
};

describe('endStoredSessions', () => {
  it('ends the given sessions, and not a newer one that another bridge has opened', async () => {
    const [ended, reconnected] = [await addConnectedDevice('a'), await addConnectedDevice('newer')];
    const { writer } = world.database.services;
    await writer.write(world.organization.id, systemActor, context =>
      endStoredSessions(context, [ended, { ...reconnected, nonce: 'older' }]),
    );
    expect(await stateOf(ended)).toEqual({ nonce: null, online: false });
    expect(await stateOf(reconnected)).toEqual({ nonce: 'newer', online: true });
  });
});

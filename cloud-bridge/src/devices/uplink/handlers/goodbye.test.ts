import { describe, expect, it } from 'vitest';
import { ManualTimers } from '@lintel/test/support/manual-timers';
import { useTestOrganization } from '../../../test-organization.test-support.ts';
import type { DownlinkSender } from '../../downlink/downlink-sender.ts';
import { DeviceSessionRegistry } from '../../device-session-registry.ts';
import { GatewayDeviceRegistry } from '../../gateway-device-registry.ts';
import { TechnicianRequestForwarder } from '../../remote-technician/technician-request-forwarder.ts';
import { addClaimedDevice } from '../claimed-device.test-support.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';
import { handleGoodbye } from './goodbye.ts';

const world = useTestOrganization();

const statusRequest = {
  operation: 'get_status',
  parameters: {},
  query: {},
  body: null,
  user_id: null,
  oauth_application_id: null,
} as const;

/** A request to a controller whose session is in the database only, as it is while its end is being stored. */
const requestStatus = async (nonce: string) => {
  const { device_id } = await addClaimedDevice(world, nonce);
  const { services } = world.database;
  const sent = Promise.withResolvers<void>();
  const downlink = { send: async () => sent.resolve() } as Pick<DownlinkSender, 'send'> as DownlinkSender;
  const sessions = new DeviceSessionRegistry();
  const timers = new ManualTimers();
  const technicians = new TechnicianRequestForwarder({ services, sessions, downlink, timers });
  const uplink = { services, sessions, technicians, gateways: new GatewayDeviceRegistry() } as UplinkDependencies;
  const response = technicians.forward(device_id, statusRequest);
  await sent.promise;
  const endSession = (ended: string) => handleGoodbye(uplink, device_id, ended, { from: device_id, order: 1 });
  return { response, timers, endSession };
};

describe('handleGoodbye', () => {
  it('ends the requests of a session that only the database has', async () => {
    const { response, timers, endSession } = await requestStatus('a');
    await endSession('a');
    expect(timers.next).toBeNull();
    expect(await response).toBeNull();
  });

  it('leaves the requests of a newer session waiting', async () => {
    const { response, timers, endSession } = await requestStatus('newer');
    await endSession('a');
    expect(timers.next).not.toBeNull();
    await timers.fire();
    expect(await response).toBeNull();
  });
});

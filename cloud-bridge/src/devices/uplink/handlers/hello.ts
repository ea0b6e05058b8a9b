import type { HelloMqttMessage } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceId } from '@lintel/access-core/ids';
import { findValidDevicePublicKey } from '../../identity/device-authentication.ts';
import type { UplinkMessageOrigin } from '../../device-session-registry.ts';
import { raiseOrganizationCounters } from '../data-loss-recovery/raise-organization-counters.ts';
import { requestLostEvents } from '../data-loss-recovery/request-lost-events.ts';
import { syncAfterReconciledRevocations } from '../data-loss-recovery/reconcile-revocations-before-sync.ts';
import { applyReportedProduct } from '../apply-reported-product.ts';
import { createDeviceSession } from '../restore-device-session.ts';
import { sendTimeMessage } from '../send-time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

/** Whoever claims a gateway and waits for a confirmation gets no messages of controllers that are in use. */
const isConfirmedConnection = async (
  { services }: UplinkDependencies,
  device: DeviceId,
  { from }: UplinkMessageOrigin,
): Promise<boolean> => {
  if (from === null || from === device) return true;
  return (await services.deviceRows.links.load(from))?.is_confirmed === 1;
};

/** Opens the session of a device that has connected. */
export const handleHello = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  hello: HelloMqttMessage,
  origin: UplinkMessageOrigin,
  counter: number,
): Promise<string | null> => {
  const [link, key] = await Promise.all([
    uplink.services.deviceRows.links.load(device),
    findValidDevicePublicKey(uplink.services, device, hello.serial),
  ]);
  if (link === undefined) return 'the device is not claimed';
  if (key === null) return 'the certificate is not valid';
  if (link.is_confirmed === 1 && !(await isConfirmedConnection(uplink, device, origin)))
    return 'the gateway waits for a confirmation';
  if (!(await uplink.hellos.record(link, hello, counter))) return 'replayed hello';
  const { session_nonce: nonce, serial } = hello;
  const session = createDeviceSession(uplink.services, link, { nonce, serial, helloCounter: counter }, origin);
  const { snapshot: have, resume, revoke_counter, down_counter } = hello;
  session.isNew = have === null && revoke_counter === 0 && down_counter === 0;
  session.acceptsOpenSnapshots = hello.accepts_open_snapshots === true;
  uplink.sessions.open(session);
  const isBelieved = await raiseOrganizationCounters(uplink, session, {
    revision: have?.revision ?? -1,
    revoke_counter,
  });
  // Devices may have been claimed since the gateway logged in; the snapshot that follows contains them.
  await uplink.gateways.refreshSiteDevices(uplink.services.storage, session.organizationId, device);
  await uplink.revocations.sendMissed(session, revoke_counter);
  await sendTimeMessage(uplink, session, hello.session_nonce);
  await requestLostEvents(uplink, session, link, hello);
  await uplink.rollouts.onHello(device);
  const refusedProduct = await applyReportedProduct(uplink, session, hello);
  if (hello.digest_key_id !== link.digest_key_id) return 'unknown digest key: the device must renew its certificate';
  if (!isBelieved) return 'reports more than this bridge has sent';
  await syncAfterReconciledRevocations(uplink, session, { v: 1, have, resume });
  return refusedProduct;
};

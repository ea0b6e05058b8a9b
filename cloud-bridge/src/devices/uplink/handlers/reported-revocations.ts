import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { fromBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { RevocationsMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocations';
import { acceptFrame, decodeUnverifiedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { recordIncident } from '../../../resources/incidents.ts';
import type { BridgeServices } from '../../../bridge-services-interface.ts';
import { applyLostRevocations } from '../data-loss-recovery/apply-lost-revocations.ts';
import { listLostRevocations, type NumberedRevocation } from '../../downlink/sent-revocations.ts';
import type { ActiveDeviceSession } from '../../device-session-registry.ts';
import { setFaultDetectedByBridge } from '../update-device-status.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type Verify = ReturnType<typeof createSignatureVerifier>;

const findVerifier = async ({ storage }: BridgeServices, organizationId: string): Promise<Verify | null> => {
  const row = await storage.reader
    .selectFrom('organization_keys')
    .select('public_key')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row === undefined ? null : createSignatureVerifier(row.public_key);
};

/** Null unless the organization has signed it: a controller cannot revoke anything by itself. */
const openRevocation = (text: string, organizationId: OrganizationId, verify: Verify): NumberedRevocation | null => {
  const bytes = fromBase64url(text);
  const frame = bytes === null ? null : decodeUnverifiedFrame(bytes);
  if (frame?.ok !== true) return null;
  const expected = {
    kind: 'revoke',
    signer: organizationId,
    audience: organizationId,
    serial: '',
    window: null,
  } as const;
  const accepted = acceptFrame(frame.value, expected, verify);
  const message = accepted.ok ? decodeMqttMessage('revoke', accepted.value.body) : accepted;
  return message.ok ? { counter: frame.value.header.counter, message: message.value } : null;
};

const stopAwaitingRevocations = async ({ writer }: BridgeServices, session: ActiveDeviceSession): Promise<void> => {
  const { deviceId: device_id, organizationId } = session;
  if (session.awaitsRevocations || session.revocationRequest.count > 1)
    await writer.write(organizationId, { device_id }, async context => {
      await context.db
        .updateTable('device_links')
        .set({ awaits_revocations: 0 })
        .where('device_id', '=', device_id)
        .execute();
      await setFaultDetectedByBridge(context, device_id, null);
    });
  session.awaitsRevocations = false;
  session.hasSentRevocations = true;
};

/** Applies revocations that this bridge has lost, then sends the snapshot that waited for them. */
export const handleReportedRevocations = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  { frames }: RevocationsMqttMessage,
): Promise<string | null> => {
  const { services, sessions, sync } = uplink;
  const session = sessions.of(device);
  if (session === undefined) return 'no session';
  const { organizationId } = session;
  const verify = await findVerifier(services, organizationId);
  if (verify === null) return 'unknown organization';
  const received = frames.flatMap(text => openRevocation(text, organizationId, verify) ?? []);
  const lost = await listLostRevocations(services.storage.reader, organizationId, received);
  if (lost.length > 0)
    await services.writer.write(organizationId, { device_id: device }, async context => {
      const revoked_ids = await applyLostRevocations(
        context,
        lost.map(({ message }) => message),
      );
      await recordIncident(context, 'bridge_behind', { device_ids: [device], revoked_ids });
    });
  await stopAwaitingRevocations(services, session);
  const waiting = session.waitingSyncRequest;
  session.waitingSyncRequest = null;
  if (waiting !== null) uplink.enqueueSync(device, () => sync.handleSyncRequest(session, waiting));
  return null;
};

import type { DeviceId } from '@lintel/access-core/ids';
import { fromBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { decodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { PeerRequestMqttMessage } from '@lintel/wire-protocol/mqtt/messages/peer-request';
import {
  decodeUnverifiedFrame,
  encodeFrameSigningBytes,
  matchUnverifiedFrame,
} from '@lintel/wire-protocol/mqtt/signed-frame';
import type { BridgeServices } from '../../../bridge-services-interface.ts';
import { actionSubjectOf } from '../../mqtt-action-executor.ts';
import { findRequestTime } from '../../request-id.ts';
import { isTimeOfRequest, proveTechnician, type ProvenTechnician, type SendingDevice } from '../technician-proof.ts';
import { decompressBody } from '../verify-uplink-message.ts';

/** What the proofs in an event show. */
export interface EventProofs {
  /** A bridge requested this action from the sender, for exactly this subject. */
  readonly isRequested: boolean;
  /** The technician who acted at the controller, or through a bridge. */
  readonly technician: ProvenTechnician | null;
  /** The controller that read the credential or fired the trigger. */
  readonly reader: DeviceId | null;
}

type ProofServices = Pick<BridgeServices, 'storage' | 'deviceVerifiers' | 'masterKeys'>;

const MAX_PEER_REQUEST_BYTES = 16_384;
/** How far trusted clocks of two controllers may be apart. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

/** Also certificates that have expired or were renewed since: events arrive late. */
const findSignerKey = async (
  { storage }: ProofServices,
  { organizationId }: SendingDevice,
  signer: string,
  serial: string,
) => {
  const row = await storage.reader
    .selectFrom('device_certificates')
    .select(['public_key', 'revoked_at'])
    .where('serial', '=', serial)
    .where('device_id', '=', signer)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row ?? null;
};

/** The request of another controller to the sender; null if it is not signed by a controller of the organization. */
const openPeerRequest = async (
  services: ProofServices,
  sender: SendingDevice,
  text: string,
): Promise<{ readonly reader: DeviceId; readonly request: PeerRequestMqttMessage } | null> => {
  const frame = decodeUnverifiedFrame(fromBase64url(text) ?? new Uint8Array());
  if (!frame.ok) return null;
  const { header, signature, body } = frame.value;
  const reader = header.signer as DeviceId;
  const address = { signer: reader, audience: sender.deviceId, serial: header.serial };
  if (!matchUnverifiedFrame(frame.value, { kind: 'peer-request', ...address, window: null }).ok) return null;
  const key = await findSignerKey(services, sender, reader, header.serial);
  if (key === null) return null;
  const signedBytes = encodeFrameSigningBytes(header, body);
  if (!(await services.deviceVerifiers.of(key.public_key).verifyInThread(signedBytes, signature))) return null;
  const bytes =
    header.encoding === 'identity'
      ? body
      : await decompressBody(body, MAX_PEER_REQUEST_BYTES).then(one => (one.ok ? one.value : null));
  const request = bytes === null ? null : decodeMqttMessage('peer-request', bytes);
  if (request === null || !request.ok) return null;
  const { occurred_at } = request.value;
  return key.revoked_at === null || key.revoked_at > occurred_at ? { reader, request: request.value } : null;
};

/** Whether the other controller asked for what the event reports. */
const isRequestOf = (event: DeviceEvent, request: PeerRequestMqttMessage): boolean =>
  request.gadget_id === event.gadget_id &&
  request.action_id === event.gadget_action_id &&
  (request.trigger?.gadget_trigger_id ?? null) === (event.gadget_trigger_id ?? null) &&
  (request.subject?.member_id ?? null) === (event.subject?.member_id ?? null) &&
  (!request.time_trusted ||
    !event.time_trusted ||
    Math.abs(request.occurred_at - event.occurred_at) < CLOCK_DIFFERENCE_MS);

const findReader = async (
  services: ProofServices,
  sender: SendingDevice,
  event: DeviceEvent,
): Promise<DeviceId | null> => {
  if (event.peer_request == null) return null;
  const opened = await openPeerRequest(services, sender, event.peer_request);
  return opened !== null && opened.reader === event.reader_device_id && isRequestOf(event, opened.request)
    ? opened.reader
    : null;
};

/** Checks the proofs in an event. Everything that it leaves out is only what the sender says. */
export const verifyEventProofs = async (
  services: ProofServices,
  sender: SendingDevice,
  event: DeviceEvent,
): Promise<EventProofs> => {
  const { subject, request_id, gadget_id, gadget_action_id, occurred_at, time_trusted } = event;
  const time = { at: occurred_at, isTrusted: time_trusted };
  const action = { gadgetId: gadget_id ?? '', actionId: gadget_action_id ?? '' };
  const requestedAt =
    request_id == null
      ? null
      : findRequestTime(services.masterKeys, request_id, {
          deviceId: sender.deviceId,
          action,
          subject: actionSubjectOf(subject ?? {}),
        });
  const hasTechnician = subject?.user_id != null || subject?.oauth_application_id != null;
  return {
    isRequested: requestedAt !== null && isTimeOfRequest(requestedAt, time),
    technician: hasTechnician ? await proveTechnician(services, sender, subject, time) : null,
    reader: await findReader(services, sender, event),
  };
};

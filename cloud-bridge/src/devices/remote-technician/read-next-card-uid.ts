import { createSealedBoxKeys } from '@lintel/crypto/sealed-box';
import { parseJsonOrNull } from '@lintel/wire-protocol/encoding/json-text';
import { type CardUid, toCardUid } from '@lintel/wire-protocol/rest/card-uid';
import {
  CARD_ENROLLMENT_TIMEOUT_MS,
  type TechnicianCardEnrollmentResponse,
  technicianCardEnrollmentResponseSchema,
} from '@lintel/wire-protocol/technician/read-next-card-for-bridge';
import { ApiError, createInvalidFieldError } from '../../http/api-error.ts';
import type { ForwardedTechnicianResponse } from './technician-response-assembler.ts';
import type { RemoteTechnicianSubject, TechnicianRequestForwarder } from './technician-request-forwarder.ts';

export interface NextCardReadResult {
  readonly outcome: TechnicianCardEnrollmentResponse['outcome'];
  readonly reader: string | null;
  readonly uid: CardUid | null;
}

const toApiError = ({ status, body }: ForwardedTechnicianResponse): ApiError => {
  const { message, args } = (parseJsonOrNull(body) ?? {}) as {
    readonly message?: string;
    readonly args?: Readonly<Record<string, string>>;
  };
  if (status === 404) return createInvalidFieldError('reader', message ?? 'must be a reader of the controller', args);
  if (status === 409)
    return createInvalidFieldError('device_id', message ?? 'refers to a controller that already waits for a card');
  return new ApiError('hardware_offline', 'The controller cannot read a card now. Try again');
};

const offlineError = (): ApiError =>
  new ApiError('hardware_offline', 'The controller is offline or did not respond in time');

/** Waits for the next card at a reader of the controller. Only this process can read the UID that it sends. */
export const readNextCardUid = async (
  forwarder: TechnicianRequestForwarder,
  deviceId: string,
  reader: string | null,
  subject: RemoteTechnicianSubject,
): Promise<NextCardReadResult> => {
  const keys = createSealedBoxKeys();
  const request = {
    ...subject,
    operation: 'enroll_card',
    parameters: {},
    query: {},
    body: JSON.stringify({ public_key: keys.publicKey, station: reader }),
  } as const;
  const response = await forwarder.forward(deviceId, request, CARD_ENROLLMENT_TIMEOUT_MS);
  if (response === null) throw offlineError();
  if (response.status !== 200) throw toApiError(response);
  const parsed = technicianCardEnrollmentResponseSchema.safeParse(parseJsonOrNull(response.body));
  if (!parsed.success) throw new ApiError('hardware_offline', 'The controller sent an unreadable response');
  const { outcome, station, sealed_uid } = parsed.data;
  if (outcome !== 'card') return { outcome, reader: station, uid: null };
  const uid = toCardUid(keys.open(sealed_uid ?? '', deviceId) ?? '');
  if (uid === null) throw new ApiError('hardware_offline', 'The controller sent an unreadable response');
  return { outcome, reader: station, uid };
};

/**
 * Ends a wait of `readNextCardUid`, so that the next card at the reader is for the door again. Repeating it is harmless. Without
 * `ofAnyUser`, the controller ends only a wait of the same subject.
 */
export const cancelNextCardRead = async (
  forwarder: TechnicianRequestForwarder,
  deviceId: string,
  subject: RemoteTechnicianSubject,
  { ofAnyUser }: { readonly ofAnyUser: boolean },
): Promise<void> => {
  const query: Readonly<Record<string, string>> = ofAnyUser ? { any_owner: 'true' } : {};
  const request = { ...subject, operation: 'cancel_card_enrollment', parameters: {}, query, body: null } as const;
  const response = await forwarder.forward(deviceId, request);
  if (response?.status === 403)
    throw new ApiError('forbidden', 'Another user waits for a card. Only that user or an administrator can stop it');
  if (response?.status !== 200) throw offlineError();
};

import { encodeCommandApdu, parseResponseApdu, APDU_STATUS_OK } from '@lintel/wire-protocol/phone/apdu';

/** PC/SC part 3, 3.2.2.1.3: GET DATA, answered by the reader itself. */
const GET_UID = encodeCommandApdu({ cla: 0xff, ins: 0xca, p1: 0x00, p2: 0x00, data: new Uint8Array() });

/** ACR122U: disables the beep on card detection; the door gives its own feedback. */
export const ACR122U_BUZZER_OFF_COMMAND = Uint8Array.of(0xff, 0x00, 0x52, 0x00, 0x00);

/** PC/SC part 3, 3.1.3.2.3: the historical bytes of a storage card begin with 80 4F and name its standard. */
const STORAGE_CARD = Uint8Array.of(0x80, 0x4f, 0x0c, 0xa0, 0x00, 0x00, 0x03, 0x06);
const HISTORICAL_BYTES = 4;

/** Storage cards do not support APDUs. */
export const isPcscStorageCard = (atr: Uint8Array): boolean =>
  STORAGE_CARD.every((byte, index) => atr[HISTORICAL_BYTES + index] === byte);

/** Null if the reader reports no uid: a contact card, or a refusal. Rejects if the card has left. */
export const readPcscCardUid = async (
  transmit: (apdu: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array | null> => {
  const response = parseResponseApdu(await transmit(GET_UID));
  return response?.status === APDU_STATUS_OK ? response.data : null;
};

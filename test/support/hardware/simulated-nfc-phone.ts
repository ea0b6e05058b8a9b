import { toPhoneKey } from '@lintel/drivers/hardware';
import { respondToNfcReader, type NfcPhoneSelectionState } from '@lintel/wire-protocol/phone/nfc-phone-responder';

/** The application of a simulated phone: responds to the APDUs of a reader. */
export const simulatedNfcPhone = (token: string): ((apdu: Uint8Array) => Uint8Array) => {
  let selection: NfcPhoneSelectionState = 'idle';
  return apdu => {
    const { state, response } = respondToNfcReader(selection, apdu, () => toPhoneKey(token));
    selection = state;
    return response;
  };
};

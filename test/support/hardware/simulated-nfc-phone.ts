import { toPhoneKey } from '@lintel/drivers/readers/phone/phone-key';
import { respondToPhoneReader, type PhoneSelectionState } from '@lintel/wire-protocol/phone/phone-responder';

/** The application of a simulated phone: responds to the APDUs of a reader. */
export const simulatedNfcPhone = (token: string): ((apdu: Uint8Array) => Uint8Array) => {
  let selection: PhoneSelectionState = 'idle';
  return apdu => {
    const { state, response } = respondToPhoneReader(selection, apdu, () => toPhoneKey(token));
    selection = state;
    return response;
  };
};

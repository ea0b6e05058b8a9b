import { phoneKeyOf } from '@lintel/drivers/readers/phone/phone-key';
import { answerReader, type PhoneSide } from '@lintel/wire-protocol/phone/phone-side';

/** A phone's application behind any reader: takes commands, gives answers. */
export const nfcPhone = (token: string): ((apdu: Uint8Array) => Uint8Array) => {
  let side: PhoneSide = 'idle';
  return apdu => {
    const { state, response } = answerReader(side, apdu, () => phoneKeyOf(token));
    side = state;
    return response;
  };
};

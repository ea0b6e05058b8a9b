import { randomBytes } from 'node:crypto';
import { NfcPhoneAuthenticator } from '../../readers/phone/nfc-phone-authenticator.ts';
import type { BusContext } from '../hardware-driver-context.ts';

/** Null without a reader identity: phones are then read as ordinary cards. */
export const createNfcPhoneAuthenticator = ({ clock, log, phoneIdentity }: BusContext): NfcPhoneAuthenticator | null =>
  phoneIdentity === undefined ? null : new NfcPhoneAuthenticator({ identity: phoneIdentity, randomBytes, clock, log });

import { randomBytes } from 'node:crypto';
import { PhoneAuthenticator } from '../../readers/phone/phone-authenticator.ts';
import type { BusContext } from '../opened-bus.ts';

/** Null without a reader identity: phones are then read as ordinary cards. */
export const createPhoneAuthenticator = ({ clock, log, phoneIdentity }: BusContext): PhoneAuthenticator | null =>
  phoneIdentity === undefined ? null : new PhoneAuthenticator({ identity: phoneIdentity, randomBytes, clock, log });

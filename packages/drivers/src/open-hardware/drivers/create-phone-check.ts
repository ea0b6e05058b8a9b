import { randomBytes } from 'node:crypto';
import { PhoneCheck } from '../../readers/phone/phone-check.ts';
import type { BusContext } from '../opened-bus.ts';

/** Null without a reader identity: phones are then read as ordinary cards. */
export const createPhoneCheck = ({ clock, log, phoneIdentity }: BusContext): PhoneCheck | null =>
  phoneIdentity === undefined ? null : new PhoneCheck({ identity: phoneIdentity, randomBytes, clock, log });

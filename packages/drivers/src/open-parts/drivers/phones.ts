import { randomBytes } from 'node:crypto';
import { PhoneCheck } from '../../readers/phone/phone-check.ts';
import type { BusContext } from '../opened-bus.ts';

/** Null where nobody can say who asks: then a phone is a card like any other. */
export const phoneCheckOf = ({ clock, log, phoneIdentity }: BusContext): PhoneCheck | null =>
  phoneIdentity === undefined ? null : new PhoneCheck({ identity: phoneIdentity, randomBytes, clock, log });

import type { OpeningResult } from '@lintel/member-sdk';
import { describeGuestApiError } from '../messages/describe-denial-and-api-error.ts';
import type { GuestLanguage } from '../messages/language.ts';
import { selectNearbyMessages } from './messages/select-nearby-messages.ts';
import { PhoneEnrollmentError } from './guest-bluetooth-phone.ts';

/** Why a controller did not open. */
export const describeNearbyOpeningResult = (
  { tag, messages }: GuestLanguage,
  result: Exclude<OpeningResult, 'granted'>,
): string => {
  const nearby = selectNearbyMessages(tag);
  switch (result) {
    case 'denied':
    case 'wrong_proof':
      return nearby.denied;
    case 'too_far':
      return messages.tooFar;
    case 'too_slow':
      return nearby.tooSlow;
    case 'door_fault':
      return messages.hardwareOffline;
    case 'busy':
    case 'not_ready':
      return nearby.busy;
    case 'rate_limited':
      return messages.tooMany;
    case 'unknown_controller':
      return nearby.unknown;
    default:
      return messages.failed;
  }
};

/** Names of the exceptions of Web Bluetooth. */
const exceptionTexts: ReadonlyMap<string, 'notChosen' | 'notAllowed'> = new Map([
  ['NotFoundError', 'notChosen'],
  ['NotAllowedError', 'notAllowed'],
  ['SecurityError', 'notAllowed'],
]);

/** Why the phone could not be set up, or could not connect to a controller. */
export const describeNearbyError = (language: GuestLanguage, error: unknown): string => {
  const nearby = selectNearbyMessages(language.tag);
  if (!(error instanceof PhoneEnrollmentError))
    return nearby[exceptionTexts.get((error as Error).name) ?? 'connectionLost'];
  const { error: cause } = error;
  const isLimit = cause.kind === 'rejected' && cause.args['field'] === 'public_key';
  return isLimit ? nearby.phoneLimit : describeGuestApiError(language, cause);
};

import type { GuestApiError } from '../guest-api.ts';
import type { GuestLanguage } from './language.ts';
import type { GuestMessages } from './english.ts';

/** `when` is the time from which access is allowed, if known. */
export const describeGuestDenial = ({ messages }: GuestLanguage, reason: string, when: string | null): string => {
  switch (reason) {
    case 'member_not_started':
      return when === null ? messages.tooEarlySomeDay : messages.tooEarly(when);
    case 'member_ended':
      return messages.ended;
    case 'member_deleted':
      return messages.withdrawn;
    case 'out_of_schedule':
      return when === null ? messages.closedSomeDay : messages.closed(when);
    case 'not_present':
      return messages.tooFar;
    case 'method_not_allowed':
      return messages.otherWay;
    default:
      return when === null ? messages.notNow : messages.tooEarly(when);
  }
};

const messageKeys: Readonly<Record<string, keyof GuestMessages>> = {
  hardware_offline: 'hardwareOffline',
  rate_limited: 'tooMany',
  wrong_code: 'wrongCode',
  code_expired: 'codeExpired',
};

export const describeGuestApiError = (language: GuestLanguage, error: GuestApiError): string => {
  const { messages } = language;
  if (error.kind === 'offline') return messages.offline;
  const { type, args } = error;
  if (type === 'permission_denied') return describeGuestDenial(language, args['reason'] ?? '', null);
  if (args['field'] === 'email') return messages.wrongEmail;
  const text = messages[messageKeys[args['reason'] ?? type] ?? 'failed'];
  return typeof text === 'string' ? text : messages.failed;
};

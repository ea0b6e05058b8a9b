import type { Failure } from './guest-api.ts';
import type { Language } from './language.ts';
import type { Messages } from './messages.ts';

/** Why a door stays shut, in plain words; `when` says from when on it would open, where that is known. */
export const reasonWords = ({ words }: Language, reason: string, when: string | null): string => {
  switch (reason) {
    case 'member_not_started':
      return when === null ? words.tooEarlySomeDay : words.tooEarly(when);
    case 'member_ended':
      return words.ended;
    case 'member_deleted':
      return words.withdrawn;
    case 'out_of_schedule':
      return when === null ? words.closedSomeDay : words.closed(when);
    case 'not_present':
      return words.tooFar;
    case 'method_not_allowed':
      return words.otherWay;
    default:
      return when === null ? words.notNow : words.tooEarly(when);
  }
};

const texts: Readonly<Record<string, keyof Messages>> = {
  hardware_offline: 'hardwareOffline',
  rate_limited: 'tooMany',
  wrong_code: 'wrongCode',
  code_expired: 'codeExpired',
};

/** What went wrong with a request, in plain words. */
export const failureWords = (language: Language, failure: Failure): string => {
  const { words } = language;
  if (failure.kind === 'offline') return words.offline;
  const { type, args } = failure;
  if (type === 'permission_denied') return reasonWords(language, args['reason'] ?? '', null);
  if (args['field'] === 'email') return words.wrongEmail;
  const text = words[texts[args['reason'] ?? type] ?? 'failed'];
  return typeof text === 'string' ? text : words.failed;
};

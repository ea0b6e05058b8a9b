import { ApiRequestError } from '../api/send-request.ts';
import type { AdminMessages } from '../messages/en.ts';

/** Identifiers mean nothing to users. */
const identifiers = / ?\b[a-z]{2,8}_[0-9a-z]{26}\b/g;

/** What went wrong and what to do, in the language of the user. */
export const describeAdminError = ({ general }: AdminMessages, error: Error): string => {
  if (!(error instanceof ApiRequestError)) return general.offline;
  switch (error.type) {
    case 'offline':
      return general.offline;
    case 'rate_limited':
      return general.rateLimited;
    case 'forbidden':
      return general.forbidden;
    case 'not_found':
      return general.notFound;
    case 'hardware_offline':
      return general.hardwareOffline;
    case 'unavailable':
      return general.unavailable;
    case 'edit_conflict':
      return general.editConflict;
    default:
      if (error.args['member_id'] !== undefined) return general.cardOfAnotherMember;
      return general.failed(error.message.replaceAll(identifiers, ''));
  }
};

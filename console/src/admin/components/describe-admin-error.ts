import { ApiRequestError } from '../api/send-request.ts';
import type { AdminMessages } from '../messages/en.ts';

/** Identifiers mean nothing to users. */
const identifiers = / ?\b[a-z]{2,8}_[0-9a-z]{26}\b/g;

const logged = new WeakSet<Error>();

/** Logs an error once, however often it is shown. */
const logPageFault = (error: Error): void => {
  if (logged.has(error)) return;
  logged.add(error);
  console.error(error);
};

/** What went wrong and what to do, in the language of the user. */
export const describeAdminError = ({ general, desk }: AdminMessages, error: Error): string => {
  // Not from the bridge, so a programming error.
  if (!(error instanceof ApiRequestError)) {
    logPageFault(error);
    return general.pageFault;
  }
  switch (error.type) {
    case 'offline':
      return general.offline;
    case 'rate_limited':
      return general.quotas[error.args['quota'] ?? ''] ?? general.rateLimited;
    case 'forbidden':
      if (error.args['reason'] === 'desk_group') return desk.errorGroup(error.args['name'] ?? '');
      if (error.args['reason'] === 'desk_stay') return desk.stayTooLong(Number(error.args['days']));
      return error.args['reason'] === 'fresh_login_required' ? general.freshLogin.required : general.forbidden;
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

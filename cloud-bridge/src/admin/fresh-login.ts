import { MINUTE_MS } from '@lintel/access-core/durations';
import { ApiError } from '../http/api-error.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { AdminCaller } from './admin-caller.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';

const FRESH_MS = 10 * MINUTE_MS;

/**
 * For what gives lasting power or takes data away: a stolen session is not enough. A token proves nothing again; which
 * token may do it is a question of its permissions.
 */
const requireFreshLogin = ({ authenticatedAt }: AdminCaller, now: number): void => {
  if (authenticatedAt === null || now - authenticatedAt < FRESH_MS) return;
  const message = 'Enter your password again or use a passkey: POST /session/proof';
  throw new ApiError('forbidden', message, { reason: 'fresh_login_required' });
};

/** Adds the check to the endpoints that declare `needsFreshLogin`. */
export const enforceFreshLogin = (
  { clock }: Pick<BridgeServices, 'clock'>,
  endpoints: readonly AdminEndpoint[],
): AdminEndpoint[] =>
  endpoints.map(endpoint => {
    const { needsFreshLogin } = endpoint;
    if (needsFreshLogin === undefined) return endpoint;
    return {
      ...endpoint,
      handle: async call => {
        if (needsFreshLogin === true || needsFreshLogin(call.body as never)) requireFreshLogin(call.caller, clock());
        return endpoint.handle(call);
      },
    };
  });

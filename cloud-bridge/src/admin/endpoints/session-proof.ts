import { isMissingOneOf } from '@lintel/access-core/problem-texts';
import {
  type SessionProofRequest,
  sessionProofOptionsResponseSchema,
  sessionProofRequestSchema,
  sessionProofResponseSchema,
} from '@lintel/wire-protocol/admin/session-proof';
import { createTooManyAttemptsError } from '../../accounts/attempt-throttle.ts';
import type { AuthenticatedAccount } from '../../accounts/authenticated-account.ts';
import { CurrentPassword } from '../../accounts/current-password.ts';
import {
  authenticateWithPasskey,
  createPasskeyLoginOptions,
  listPasskeysOfUser,
  supportsPasskeys,
} from '../../accounts/passkeys.ts';
import { markUserSessionAuthenticated, type UserSession } from '../../accounts/user-sessions.ts';
import { defineEndpoint } from '../../api/define-endpoint.ts';
import { createInvalidFieldError } from '../../http/api-error.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { AccountEndpoint } from '../admin-endpoint.ts';
import { requireUserSession } from './current-session-and-own-organizations.ts';

/** A signed-in user proves again who it is, for endpoints with `needsFreshLogin`. */
export const createSessionProofEndpoints = (services: BridgeServices): AccountEndpoint[] => {
  const { storage, clock, publicUrl } = services;
  const currentPassword = new CurrentPassword(services);

  const requirePassword = async ({ user }: UserSession, password: string): Promise<void> => {
    const result = await currentPassword.check(user.id, password);
    if (result.kind === 'throttled') throw createTooManyAttemptsError(result.waitMs);
    if (result.kind === 'rejected') throw createInvalidFieldError('password', 'is wrong');
  };

  /** The challenge is bound to the session, see `createPasskeyChallenge`. */
  const requirePasskey = async ({ user, token }: UserSession, answer: string): Promise<void> => {
    const userId = await authenticateWithPasskey(services, answer, token);
    if (userId !== user.id) throw createInvalidFieldError('passkey', 'must be from a passkey of the signed-in user');
  };

  return [
    defineEndpoint<never, AuthenticatedAccount>({
      method: 'GET',
      path: '/session/proof',
      tag: 'Account',
      operationId: 'getSessionProofOptions',
      summary: 'Get the options with which the browser uses a passkey to prove who is signed in',
      response: sessionProofOptionsResponseSchema,
      handle: async ({ caller }) => {
        const { user, token } = requireUserSession(caller);
        const hasPasskey =
          supportsPasskeys(publicUrl) && (await listPasskeysOfUser(storage.writer, user.id)).length > 0;
        return { passkey_options: hasPasskey ? await createPasskeyLoginOptions(services, token) : null };
      },
    }),
    defineEndpoint<typeof sessionProofRequestSchema, AuthenticatedAccount>({
      method: 'POST',
      path: '/session/proof',
      tag: 'Account',
      operationId: 'proveSession',
      summary: 'Prove again who is signed in, with the password or a passkey, before a sensitive change',
      body: sessionProofRequestSchema,
      response: sessionProofResponseSchema,
      handle: async ({ caller, body }: { caller: AuthenticatedAccount; body: SessionProofRequest }) => {
        const session = requireUserSession(caller);
        if (body.password !== undefined) await requirePassword(session, body.password);
        else if (body.passkey !== undefined) await requirePasskey(session, body.passkey);
        else throw createInvalidFieldError('password', isMissingOneOf(['password', 'passkey']));
        await markUserSessionAuthenticated(storage.writer, session.token, clock());
        return { user: session.user };
      },
    }),
  ];
};

import type { FastifyRequest } from 'fastify';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { listScriptTokensOfUser, revokeScriptTokensEverywhere } from '../resources/script-tokens.ts';
import { toActor } from '../transactions/actor.ts';

/** The field of a form that sets a new password. */
export const END_TOKENS = 'end_tokens';

export const listScriptTokenNames = async (services: BridgeServices, userId: string): Promise<string[]> =>
  (await listScriptTokensOfUser(services, userId)).map(({ script_token_name }) => script_token_name);

/** `onTokensRevoked` is called after the commit, so that this bridge rejects the tokens at once. */
export const createScriptTokenEnder =
  (services: BridgeServices, onTokensRevoked: () => void) =>
  async (request: FastifyRequest, userId: string): Promise<void> => {
    const { ip, headers } = request;
    const actor = toActor({ applicationId: null, userId, ip, userAgent: headers['user-agent'] });
    await revokeScriptTokensEverywhere(services, userId, actor);
    onTokensRevoked();
  };

import { parseUserAgent } from '../http/user-agent.ts';
import type { UserSessionRow } from '../storage/user-schema.ts';

/** Such as "Firefox on Linux". */
export const describeSessionClient = ({ user_agent }: Pick<UserSessionRow, 'user_agent'>): string => {
  const { browser, os } = parseUserAgent(user_agent ?? undefined);
  const parts = [browser, os].filter(part => part !== null);
  return parts.length === 0 ? 'Unknown browser' : parts.join(' on ');
};

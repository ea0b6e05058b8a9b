import { createIndex, type MigrationContext } from './table-builder.ts';

/** Script tokens are counted for their creator, and end with them. */
export const createScriptTokenUserIndex = (context: MigrationContext): Promise<void> =>
  createIndex(context, 'oauth_tokens_for_scripts_of_user', 'oauth_tokens (user_id)', {
    where: 'script_token_id is not null',
  });

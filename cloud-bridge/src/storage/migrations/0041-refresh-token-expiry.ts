import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/** Refresh tokens used to have no end. They now end 90 days after they were issued, which is their last use. */
export const endUnusedRefreshTokens = async ({ db }: MigrationContext): Promise<void> => {
  await sql`update oauth_tokens set expires_at = created_at + 7776000000
    where kind = 'refresh' and expires_at is null`.execute(db);
};

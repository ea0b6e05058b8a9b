import { sql } from 'kysely';
import type { MigrationContext } from './table-builder.ts';

/**
 * Which controllers an administrator has confirmed, who issued each claim ticket, and which hardware waits to replace a
 * controller. Controllers that are claimed already count as confirmed.
 */
export const addControllerConfirmation = async ({ db, engine }: MigrationContext): Promise<void> => {
  const text = engine === 'sqlite' ? 'text' : 'text collate "C"';
  const columns: Readonly<Record<string, readonly string[]>> = {
    organizations: ['technicians_activate integer not null default 0'],
    device_links: ['is_confirmed integer not null default 0', `claim_ticket_id ${text}`],
    claim_tickets: [
      `issued_by_user_id ${text}`,
      `issued_by_application_id ${text}`,
      'is_from_operator integer not null default 0',
      `waiting_hardware_id ${text}`,
      `waiting_public_key ${text}`,
      'waiting_since bigint',
      'confirmed_at bigint',
    ],
  };
  for (const [table, added] of Object.entries(columns))
    for (const column of added) await sql.raw(`alter table ${table} add column ${column}`).execute(db);
  await sql.raw('update device_links set is_confirmed = 1').execute(db);
};

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Turns the bridge into its next version: `node --import` of this file adds a migration with everything that a migration
 * may do, on tables that the bridges use all the time.
 */
const END_OF_MIGRATIONS = '];\n\nexport const migrationNames';

const statements = [
  'alter table members add column next_note text',
  `alter table members add column next_kind text not null default 'person'`,
  'alter table events add column next_note text',
  'alter table organizations add column next_note text',
  'alter table webhooks add column next_note text',
  'create table next_notes (id text primary key, note text)',
  'create index next_members on members (organization_id, next_kind)',
];

const migration = `{
  name: '9999-next-version',
  up: async ({ db }) => {
    for (const statement of ${JSON.stringify(statements)}) await sql.raw(statement).execute(db);
  },
},`;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/cloud-bridge/src/storage/migrate.ts')) return loaded;
    const source = readFileSync(fileURLToPath(url), 'utf8');
    if (!source.includes(END_OF_MIGRATIONS)) throw new Error('The list of migrations was not found');
    return { ...loaded, source: source.replace(END_OF_MIGRATIONS, `${migration}${END_OF_MIGRATIONS}`) };
  },
});

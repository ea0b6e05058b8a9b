import { type RawBuilder, sql } from 'kysely';
import type { DatabaseEngine } from './database-engine-type.ts';

type Columns = Readonly<Record<string, 'text' | 'int'>>;

/**
 * Passes rows as one JSON parameter, to be joined or inserted from under the name `o`. The SQL text is the same for any
 * number of rows, so the statement is prepared once.
 */
export const createJsonRowsParameter = (
  engine: DatabaseEngine,
  columns: Columns,
  rows: readonly object[],
): RawBuilder<unknown> => {
  const names = Object.keys(columns);
  if (engine === 'sqlite') {
    // SQLite finds values by position faster than by name.
    const json = JSON.stringify((rows as readonly Record<string, unknown>[]).map(row => names.map(name => row[name])));
    const values = sql.join(names.map((name, position) => sql.raw(`value ->> ${position} as ${name}`)));
    return sql`(select ${values} from json_each(${json})) as o`;
  }
  const json = JSON.stringify(rows);
  const typed = names.map(name => `${name} ${columns[name] === 'int' ? 'bigint' : 'text'}`).join(', ');
  return sql`jsonb_to_recordset(${json}::jsonb) as o(${sql.raw(typed)})`;
};

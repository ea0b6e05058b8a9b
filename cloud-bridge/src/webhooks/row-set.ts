import { type RawBuilder, sql } from 'kysely';
import type { Engine } from '../storage/engine.ts';

type Columns = Readonly<Record<string, 'text' | 'int'>>;

/**
 * Rows as one parameter, to be joined or inserted from under the name `o`: the statement's text is the same for any
 * number of them, so it is prepared once.
 */
export const rowSet = (engine: Engine, columns: Columns, rows: readonly object[]): RawBuilder<unknown> => {
  const names = Object.keys(columns);
  const json = JSON.stringify(rows);
  if (engine === 'sqlite') {
    const values = sql.join(names.map(name => sql.raw(`value ->> '$.${name}' as ${name}`)));
    return sql`(select ${values} from json_each(${json})) as o`;
  }
  const typed = names.map(name => `${name} ${columns[name] === 'int' ? 'bigint' : 'text'}`).join(', ');
  return sql`jsonb_to_recordset(${json}::jsonb) as o(${sql.raw(typed)})`;
};

export const idAmong = (engine: Engine, column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<unknown> =>
  sql`${column} in (select o.id from ${rowSet(
    engine,
    { id: 'text' },
    ids.map(id => ({ id })),
  )})`;

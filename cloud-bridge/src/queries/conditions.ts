import type { Filter } from '@lintel/wire-protocol/rest/filter';
import { type RawBuilder, sql } from 'kysely';
import type { Engine } from '../storage/engine.ts';
import { type Fragment, fragment, rawFragment } from '../storage/fragment.ts';
import { metadataValue } from '../storage/migrations/table-builder.ts';
import type { Source } from './source.ts';

const comparison = { gt: fragment`>`, ge: fragment`>=`, lt: fragment`<`, le: fragment`<=` } as const;

/** Keys with an index on their value: only the same expression, written out, finds it. */
const indexedKeys = new Set(['source', 'sourceID']);

const metadataIs = (engine: Engine, key: string, value: string): Fragment => {
  if (indexedKeys.has(key)) return fragment`${rawFragment(metadataValue(engine, key))} = ${value}`;
  return engine === 'sqlite'
    ? fragment`exists (select 1 from json_each(t.metadata) as m where m.key = ${key} and m.value = ${value})`
    : fragment`(t.metadata::jsonb ->> ${key}::text) = ${value}`;
};

const hasTag = (engine: Engine, tagId: string): Fragment =>
  engine === 'sqlite'
    ? fragment`exists (select 1 from json_each(t.tag_ids) as g where g.value = ${tagId})`
    : fragment`t.tag_ids::jsonb @> jsonb_build_array(${tagId}::text)`;

/** A member is found by any of its living addresses. */
const hasEmail = (email: string): Fragment =>
  fragment`t.id in (select e.member_id from member_emails as e
    where e.organization_id = t.organization_id and lower(e.email) = lower(${email}) and e.is_deleted = 0)`;

type Range = Extract<Filter, { kind: 'range' }>;

/** The bound in the column's own unit. Between two milliseconds no row lies, so there "from" is "after". */
export const columnBound = ({
  field,
  operator,
  value,
  microsecond,
}: Range): { operator: Range['operator']; at: number } => {
  if (field === 'recorded_at') return { operator, at: value * 1000 + microsecond };
  if (microsecond === 0) return { operator, at: value };
  return { operator: operator === 'gt' || operator === 'ge' ? 'gt' : 'le', at: value };
};

const isDeleted = rawFragment('t.is_deleted = 1');
const isLiving = rawFragment('t.is_deleted = 0');

export const condition = (source: Source, engine: Engine, filter: Filter): Fragment | null => {
  switch (filter.kind) {
    case 'equals':
      return filter.field === 'email'
        ? hasEmail(filter.value)
        : fragment`${source.column(filter.field)} = ${filter.value}`;
    case 'range': {
      const { operator, at } = columnBound(filter);
      return fragment`${source.column(filter.field)} ${comparison[operator]} ${at}`;
    }
    case 'deletion':
      return filter.value === 'any' ? null : filter.value ? isDeleted : isLiving;
    case 'metadata':
      return metadataIs(engine, filter.key, filter.value);
    case 'tag':
      return hasTag(engine, filter.value);
  }
};

/** The text anywhere in the field, without regard to the case of ASCII letters. */
export const search = (source: Source, engine: Engine, field: string, text: string): Fragment =>
  engine === 'sqlite'
    ? fragment`instr(lower(${source.column(field)}), lower(${text})) > 0`
    : fragment`position(lower(${text}::text collate "C") in lower(${source.column(field)})) > 0`;

export const isIdAmong = (engine: Engine, column: Fragment, ids: readonly string[]): Fragment =>
  engine === 'sqlite'
    ? fragment`${column} in (select value from json_each(${JSON.stringify(ids)}))`
    : fragment`${column} = any(${ids})`;

/** The same for a query builder's statements. */
export const isAmong = (engine: Engine, column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<unknown> =>
  engine === 'sqlite'
    ? sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql`${column} = any(${ids})`;

import type { ListFilter } from '@lintel/wire-protocol/rest/list-filter';
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import { joinSql, type SqlFragment, sqlFragment, rawSql } from '../storage/sql-fragment.ts';
import { metadataValueSql } from '../storage/migrations/table-builder.ts';
import type { ResourceTableMapping } from './resource-table-mappings.ts';

const comparison = { gt: sqlFragment`>`, ge: sqlFragment`>=`, lt: sqlFragment`<`, le: sqlFragment`<=` } as const;

/** Metadata keys with an index. The index is used only for exactly its own expression. */
const indexedMetadataKeys = new Set(['source', 'sourceID']);

const metadataEquals = (engine: DatabaseEngine, key: string, value: string): SqlFragment => {
  if (indexedMetadataKeys.has(key)) return sqlFragment`${rawSql(metadataValueSql(engine, key))} = ${value}`;
  return engine === 'sqlite'
    ? sqlFragment`exists (select 1 from json_each(t.metadata) as m where m.key = ${key} and m.value = ${value})`
    : sqlFragment`(t.metadata::jsonb ->> ${key}::text) = ${value}`;
};

const hasTag = (engine: DatabaseEngine, tagId: string): SqlFragment =>
  engine === 'sqlite'
    ? sqlFragment`exists (select 1 from json_each(t.tag_ids) as g where g.value = ${tagId})`
    : sqlFragment`t.tag_ids::jsonb @> jsonb_build_array(${tagId}::text)`;

/** Matches members by any of their email addresses that is not deleted. */
const hasEmail = (email: string): SqlFragment =>
  sqlFragment`t.id in (select e.member_id from member_emails as e
    where e.organization_id = t.organization_id and lower(e.email) = lower(${email}) and e.is_deleted = 0)`;

/** Matches members by a group that they are associated with, whenever the association is valid. */
const isInGroup = (groupId: string): SqlFragment =>
  sqlFragment`t.id in (select a.member_id from member_group_associations as a
    where a.organization_id = t.organization_id and a.member_group_id = ${groupId} and a.is_deleted = 0)`;

const isValidAt = (at: number): SqlFragment =>
  sqlFragment`(t.starts_at is null or t.starts_at <= ${at}) and (t.ends_at is null or t.ends_at > ${at})`;

/** Matches groups by a rule that names the gadget. */
const hasRuleForGadget = (engine: DatabaseEngine, gadgetId: string): SqlFragment =>
  engine === 'sqlite'
    ? sqlFragment`exists (select 1 from json_each(t.permissions) as r where json_extract(r.value, '$.gadget_id') = ${gadgetId})`
    : sqlFragment`t.permissions::jsonb @> jsonb_build_array(jsonb_build_object('gadget_id', ${gadgetId}::text))`;

const isOneOf = (mapping: ResourceTableMapping, field: string, values: readonly string[]): SqlFragment => {
  if (field !== 'subject.type') {
    const listed = joinSql(
      values.map(value => sqlFragment`${value}`),
      ', ',
    );
    return sqlFragment`${mapping.column(field)} in (${listed})`;
  }
  const kinds = values.map(value => sqlFragment`${mapping.column(`subject.${value}_id`)} is not null`);
  return sqlFragment`(${joinSql(kinds, ' or ')})`;
};

type Range = Extract<ListFilter, { kind: 'range' }>;

/** Converts the bound to the unit of the column. Rounds to milliseconds: `ge` becomes `gt` and `lt` becomes `le`. */
export const toColumnBound = ({
  field,
  operator,
  value,
  microsecond,
}: Range): { operator: Range['operator']; at: number } => {
  if (field === 'recorded_at') return { operator, at: value * 1000 + microsecond };
  if (microsecond === 0) return { operator, at: value };
  return { operator: operator === 'gt' || operator === 'ge' ? 'gt' : 'le', at: value };
};

const isDeleted = rawSql('t.is_deleted = 1');
const isNotDeleted = rawSql('t.is_deleted = 0');

export const buildFilterCondition = (
  mapping: ResourceTableMapping,
  engine: DatabaseEngine,
  filter: ListFilter,
): SqlFragment | null => {
  switch (filter.kind) {
    case 'equals':
      if (filter.field === 'subject.type')
        return sqlFragment`${mapping.column(`subject.${filter.value}_id`)} is not null`;
      return filter.field === 'email'
        ? hasEmail(filter.value)
        : sqlFragment`${mapping.column(filter.field)} = ${filter.value}`;
    case 'in':
      return isOneOf(mapping, filter.field, filter.values);
    case 'rule':
      return hasRuleForGadget(engine, filter.value);
    case 'range': {
      const { operator, at } = toColumnBound(filter);
      return sqlFragment`${mapping.column(filter.field)} ${comparison[operator]} ${at}`;
    }
    case 'deletion':
      return filter.value === 'any' ? null : filter.value ? isDeleted : isNotDeleted;
    case 'metadata':
      return metadataEquals(engine, filter.key, filter.value);
    case 'tag':
      return hasTag(engine, filter.value);
    case 'search':
      // See `memberSearchConditions`, which has to query first.
      return null;
    case 'group':
      return isInGroup(filter.value);
    case 'validity':
      return isValidAt(filter.at);
  }
};

/** Substring match, case-insensitive for ASCII letters. */
export const buildSearchCondition = (
  mapping: ResourceTableMapping,
  engine: DatabaseEngine,
  field: string,
  text: string,
): SqlFragment =>
  engine === 'sqlite'
    ? sqlFragment`instr(lower(${mapping.column(field)}), lower(${text})) > 0`
    : sqlFragment`position(lower(${text}::text collate "C") in lower(${mapping.column(field)})) > 0`;

/** Whether the column has one of the ids. */
export const buildIdInExpression = (
  engine: DatabaseEngine,
  column: RawBuilder<unknown>,
  ids: readonly string[],
): RawBuilder<unknown> =>
  engine === 'sqlite'
    ? sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`
    : sql`${column} = any(${ids})`;

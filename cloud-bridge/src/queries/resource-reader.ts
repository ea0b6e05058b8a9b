import { findClosestName } from '@lintel/wire-protocol/schema-parts/closest-name';
import { isRepeated, isUnknownParameter } from '@lintel/access-core/problem-texts';
import { type ExpandTree, parseExpand } from '@lintel/wire-protocol/rest/parse-expand-parameter';
import { type ListQuery, parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import type { ResourceField, ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import { resourceDefinitions } from '@lintel/wire-protocol/rest/resource-definitions';
import type { Kysely } from 'kysely';
import { createNotFoundError, unwrapOrThrow, createInvalidParameterError } from '../http/api-error.ts';
import { type SqlFragment, type SqlQuery, sqlFragment, joinSql, rawSql } from '../storage/sql-fragment.ts';
import { createTransactionQueryRunner, type SqlQueryRunner } from '../storage/sql-query-runner.ts';
import type { Database } from '../storage/schema.ts';
import { planMemberSearch } from './plan-member-search.ts';
import { SearchWordCountCache } from './search-word-count-cache.ts';
import { buildFilterCondition, buildSearchCondition } from './sql-conditions.ts';
import {
  buildAfterCursorCondition,
  computeQueryFingerprint,
  decodeCursor,
  encodeCursor,
  buildOrderByClause,
  type CursorPosition,
  type SortValueType,
} from './keyset-pagination.ts';
import { buildEventIndexCondition } from './select-partial-event-index.ts';
import { ExpandBudgetError } from './expand-budget.ts';
import { expandObjects, type ResourceReadContext } from './expand-objects.ts';
import { SerializedJson, toJson, type DatabaseRow } from './serialize-rows-to-json.ts';
import { type ApiObject, type ResourceTableMapping, resourceTableMappings } from './resource-table-mappings.ts';
import type { ResourceViewer } from './resource-viewer-identity.ts';

export interface ListPage {
  readonly data: readonly ApiObject[];
  readonly has_next: boolean;
  readonly cursor_next?: string;
}

/** `error` tells why the object is not expanded. */
export interface ExpandObjectResult {
  readonly object: ApiObject;
  readonly error: ExpandBudgetError | null;
}

const searchFields: Partial<Record<ResourceType, string>> = {
  member_email: 'email',
  member_group: 'name',
  schedule: 'name',
};

type RawQuery = Readonly<Record<string, unknown>>;
type ParentFilter = Readonly<Record<string, string>>;

const noExpand: ExpandTree = new Map();

/** Parses the `expand` parameter for a single object. Rejects all other parameters. */
export const parseExpandQuery = (type: ResourceType, query: RawQuery): ExpandTree => {
  const { expand, ...others } = query;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw createInvalidParameterError(unknown, isUnknownParameter(findClosestName(['expand'], unknown)));
  if (expand === undefined) return noExpand;
  if (typeof expand !== 'string') throw createInvalidParameterError('expand', isRepeated);
  return unwrapOrThrow(parseExpand(type, expand));
};

/** Reads lists and single objects, limited to what the viewer may see. */
export class ResourceReader {
  readonly #rows: SqlQueryRunner;
  readonly #wordCounts = new SearchWordCountCache();
  readonly #findQueryTexts = new Map<string, string>();

  constructor(rows: SqlQueryRunner) {
    this.#rows = rows;
  }

  /** `parent` limits the list, for example to the PINs of one member. Creates no objects without expands. */
  async listJson(
    type: ResourceType,
    viewer: ResourceViewer,
    rawQuery: RawQuery,
    parent: ParentFilter = {},
  ): Promise<SerializedJson> {
    const { query, pageRows, next } = await this.#page(type, viewer, rawQuery, parent);
    const mapping = resourceTableMappings[type];
    const objects = query.expand.size === 0 ? [] : mapping.toObjects(pageRows);
    await this.expand(viewer, objects, query.expand);
    const texts = query.expand.size === 0 ? mapping.toJsonTexts(pageRows) : objects.map(toJson);
    return new SerializedJson(`{"data":[${texts.join(',')}],${JSON.stringify(next).slice(1)}`);
  }

  async find(
    type: ResourceType,
    viewer: ResourceViewer,
    id: string,
    parent: ParentFilter = {},
  ): Promise<ApiObject | null> {
    const row = await this.#row(type, viewer, id, parent);
    return row === undefined ? null : resourceTableMappings[type].toObjects([row])[0]!;
  }

  async get(
    type: ResourceType,
    viewer: ResourceViewer,
    id: string,
    expand: ExpandTree = noExpand,
    parent: ParentFilter = {},
  ): Promise<ApiObject> {
    const object = await this.find(type, viewer, id, parent);
    if (object === null) throw createNotFoundError(type, id);
    await this.expand(viewer, [object], expand);
    return object;
  }

  /** Like `get`, but serialized. */
  async getJson(
    type: ResourceType,
    viewer: ResourceViewer,
    id: string,
    expand: ExpandTree = noExpand,
    parent: ParentFilter = {},
  ): Promise<SerializedJson> {
    if (expand.size > 0) return new SerializedJson(toJson(await this.get(type, viewer, id, expand, parent)));
    const row = await this.#row(type, viewer, id, parent);
    if (row === undefined) throw createNotFoundError(type, id);
    return new SerializedJson(resourceTableMappings[type].toJsonTexts([row])[0]!);
  }

  async expand(viewer: ResourceViewer, objects: readonly ApiObject[], tree: ExpandTree): Promise<void> {
    if (tree.size > 0) await expandObjects(this.#context(viewer), objects, tree);
  }

  /**
   * Expands objects that are sent separately, such as events. Objects beyond the budget stay unexpanded, with the error.
   * Builds them one after the other if they exceed the budget together. `run` runs each read.
   */
  async *expandEach(
    viewer: ResourceViewer,
    objects: readonly ApiObject[],
    tree: ExpandTree,
    run: <T>(read: () => Promise<T>) => Promise<T> = read => read(),
  ): AsyncGenerator<ExpandObjectResult> {
    const tryExpand = (some: readonly ApiObject[]): Promise<ExpandBudgetError | null> =>
      tree.size === 0 || some.length === 0 ? Promise.resolve(null) : run(() => this.#tryExpand(viewer, some, tree));
    const error = await tryExpand(objects);
    for (const object of objects) {
      yield { object, error: error === null ? null : await tryExpand([object]) };
      for (const name of tree.keys()) delete object[name];
    }
  }

  async #tryExpand(
    viewer: ResourceViewer,
    objects: readonly ApiObject[],
    tree: ExpandTree,
  ): Promise<ExpandBudgetError | null> {
    try {
      await this.expand(viewer, objects, tree);
      return null;
    } catch (error) {
      if (!(error instanceof ExpandBudgetError)) throw error;
      for (const object of objects) for (const name of tree.keys()) delete object[name];
      return error;
    }
  }

  /** Reads within an open transaction. */
  within(db: Kysely<Database>): ResourceReader {
    return new ResourceReader(createTransactionQueryRunner(db, this.#rows.engine));
  }

  #context(viewer: ResourceViewer): ResourceReadContext {
    return { rows: this.#rows, viewer };
  }

  async #row(
    type: ResourceType,
    viewer: ResourceViewer,
    id: string,
    parent: ParentFilter,
  ): Promise<DatabaseRow | undefined> {
    const [row] = await this.#rows.read<DatabaseRow>(this.#findQuery(type, viewer, id, parent));
    return row;
  }

  async #page(type: ResourceType, viewer: ResourceViewer, rawQuery: RawQuery, parent: ParentFilter) {
    const query = unwrapOrThrow(parseListQuery(type, rawQuery), 'parameter');
    const fingerprint = computeQueryFingerprint(`${type} ${JSON.stringify(parent)}`, viewer.organizationId, query);
    const rows = await this.#readList(type, viewer, query, parent, fingerprint);
    const pageRows = rows.slice(0, query.limit);
    const last = pageRows.at(-1);
    const next: Omit<ListPage, 'data'> =
      rows.length <= query.limit || last === undefined
        ? { has_next: false }
        : { has_next: true, cursor_next: encodeCursor(fingerprint, cursorPositionOf(last, query)) };
    return { query, pageRows, next };
  }

  /** The most frequent query. Its SQL text depends only on type, parent and visibility, so it is cached. */
  #findQuery(type: ResourceType, viewer: ResourceViewer, id: string, parent: ParentFilter): SqlQuery {
    const mapping = resourceTableMappings[type];
    const visible = mapping.visibleTo(viewer);
    const names = Object.keys(parent);
    const key = `${type} ${names.join(' ')} ${visible.texts.join('?')}`;
    let text = this.#findQueryTexts.get(key);
    if (text === undefined) {
      const conditions = [sqlFragment`t.id = ${id}`, visible, ...equalities(mapping, parent)];
      text = sqlFragment`select ${mapping.columns} from ${mapping.table}
        where ${joinSql(conditions, ' and ')}`.textFor(this.#rows.engine);
      this.#findQueryTexts.set(key, text);
    }
    const cachedText = text;
    return { textFor: () => cachedText, values: [id, ...visible.values, ...Object.values(parent)] };
  }

  async #readList(
    type: ResourceType,
    viewer: ResourceViewer,
    query: ListQuery,
    parent: ParentFilter,
    fingerprint: string,
  ): Promise<DatabaseRow[]> {
    const mapping = resourceTableMappings[type];
    const { engine } = this.#rows;
    const { sort, limit, filters, cursor, q } = query;
    const sortField = resourceDefinitions[type].fields[sort.field];
    const nullable = sortField?.nullable ?? false;
    const conditions: SqlFragment[] = [mapping.visibleTo(viewer), ...equalities(mapping, parent)];
    for (const filter of filters) {
      const sql = buildFilterCondition(mapping, engine, filter);
      if (sql !== null) conditions.push(sql);
    }
    const indexCondition = type === 'event' ? buildEventIndexCondition(filters) : null;
    if (indexCondition !== null) conditions.push(indexCondition);
    const searchField = searchFields[type];
    if (q !== null && searchField !== undefined) conditions.push(buildSearchCondition(mapping, engine, searchField, q));
    const after = cursor === null ? null : decodeCursor(fingerprint, cursor, sortValueType(sort.field, sortField));
    if (after !== null) conditions.push(buildAfterCursorCondition(mapping, sort, nullable, after));
    const read = (table: SqlFragment, all: readonly SqlFragment[]): Promise<DatabaseRow[]> =>
      this.#rows.read<DatabaseRow>(sqlFragment`select ${mapping.columns} from ${table}
        where ${joinSql(all, ' and ')}
        order by ${buildOrderByClause(mapping, sort, nullable)} limit ${rawSql(String(limit + 1))}`);
    const search = filters.find(filter => filter.kind === 'search');
    if (search === undefined) return read(mapping.table, conditions);
    const searched = { rows: this.#rows, wordCounts: this.#wordCounts };
    const plans = planMemberSearch(searched, viewer.organizationId, search.value, { sort, limit, after });
    for await (const { source, conditions: matches, isComplete } of plans) {
      const table = source === null ? mapping.table : sqlFragment`${source} cross join ${mapping.table}`;
      const rows = await read(table, [...conditions, ...matches]);
      if (isComplete || rows.length > limit) return rows;
    }
    return [];
  }
}

const equalities = (mapping: ResourceTableMapping, parent: ParentFilter): SqlFragment[] =>
  Object.entries(parent).map(([field, value]) => sqlFragment`${mapping.column(field)} = ${value}`);

const sortValueType = (name: string, field: ResourceField | undefined): SortValueType => {
  if (name === 'id') return 'none';
  return field?.kind === 'string' || field?.kind === 'id' ? 'text' : 'number';
};

const cursorPositionOf = (row: DatabaseRow, { sort }: ListQuery): CursorPosition => {
  const column = sort.field === 'occurred_at' ? 'created_at' : sort.field;
  return { value: sort.field === 'id' ? null : (row[column] as CursorPosition['value']), id: row['id'] as string };
};

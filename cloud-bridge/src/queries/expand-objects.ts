import { setImmediate } from 'node:timers/promises';
import type { ResourceType } from '@lintel/wire-protocol/rest/resource-types-and-field-types';
import type { ExpandNode, ExpandTree } from '@lintel/wire-protocol/rest/parse-expand-parameter';
import { type SqlFragment, sqlFragment, rawSql } from '../storage/sql-fragment.ts';
import type { SqlQueryRunner } from '../storage/sql-query-runner.ts';
import { ExpandBudget, type ExpandPath } from './expand-budget.ts';
import { type ApiObject, resourceTableMappings } from './resource-table-mappings.ts';
import { toJson, type DatabaseRow } from './serialize-rows-to-json.ts';
import type { ResourceViewer } from './resource-viewer-identity.ts';

export interface ResourceReadContext {
  readonly rows: SqlQueryRunner;
  readonly viewer: ResourceViewer;
}

/** Objects at one position of the expand tree, and how often each of them appears in the response. */
type Occurrences = Map<ApiObject, number>;

interface Level {
  readonly objects: Occurrences;
  readonly tree: ExpandTree;
  readonly path: ExpandPath | null;
}

/** Limits the rows in memory before they are counted against the budget. Most expands need one query. */
const IDS_PER_QUERY = 200;
const CHILDREN_PER_QUERY = 1000;
/** Other requests are served after this many objects and queries. */
const STEPS_PER_TURN = 1000;
const STEPS_PER_QUERY = 20;

const valueAt = (object: ApiObject, field: string): unknown => {
  let value: unknown = object;
  for (const part of field.split('.')) value = (value as ApiObject | null | undefined)?.[part];
  return value;
};

const idsAt = (object: ApiObject, field: string): string[] => {
  const value = valueAt(object, field);
  return Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
};

const jsonBytes = (text: string): number => Buffer.byteLength(text) + ','.length;

/** Expands the objects of one response. Counts every object before it reads what that object refers to. */
class Expansion {
  readonly #context: ResourceReadContext;
  readonly #budget = new ExpandBudget();
  #steps = 0;

  constructor(context: ResourceReadContext) {
    this.#context = context;
  }

  /** Iterative, because the depth of the tree is limited only by the length of the request. */
  async expand(objects: readonly ApiObject[], tree: ExpandTree): Promise<void> {
    const [first = ''] = tree.keys();
    for (const object of objects) {
      this.#budget.add({ parent: null, name: first }, { count: 1, objects: 1, bytes: jsonBytes(toJson(object)) });
    }
    if (objects.length === 0) return;
    const levels: Level[] = [{ objects: new Map(objects.map(object => [object, 1])), tree, path: null }];
    for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
      for (const [name, node] of level.tree) {
        const path = { parent: level.path, name };
        const found = await this.#relate(level.objects, name, node, path);
        if (found.size > 0 && node.children.size > 0) levels.push({ objects: found, tree: node.children, path });
      }
    }
  }

  #relate(parents: Occurrences, name: string, { spec }: ExpandNode, path: ExpandPath): Promise<Occurrences> {
    const bytes = jsonBytes(`${JSON.stringify(name)}:${spec.kind === 'one' ? '' : '[]'}`);
    for (const count of parents.values()) this.#budget.add(path, { count, objects: 0, bytes });
    return spec.kind === 'many'
      ? this.#attachChildren(parents, name, spec, path)
      : this.#attachReferences(parents, name, spec, path);
  }

  async #attachChildren(
    parents: Occurrences,
    name: string,
    { target, foreign }: Extract<ExpandNode['spec'], { kind: 'many' }>,
    path: ExpandPath,
  ): Promise<Occurrences> {
    const found: Occurrences = new Map();
    const byId = new Map<string, { readonly count: number; readonly children: ApiObject[] }>();
    for (const [parent, count] of parents) {
      const children: ApiObject[] = [];
      parent[name] = children;
      byId.set(parent['id'] as string, { count, children });
    }
    const foreignColumn = resourceTableMappings[target].column(foreign);
    const parentIds = [...byId.keys()];
    for (let last: DatabaseRow | null = null; ; ) {
      const after: SqlFragment =
        last === null
          ? sqlFragment`1 = 1`
          : sqlFragment`(t.created_at < ${last['created_at']} or (t.created_at = ${last['created_at']} and t.id < ${last['id']}))`;
      const limit = Math.min(CHILDREN_PER_QUERY, this.#budget.remainingObjects + 1);
      const rows = await this.#read(
        target,
        foreignColumn,
        parentIds,
        sqlFragment`and t.is_deleted = 0 and ${after} order by t.created_at desc, t.id desc limit ${limit}`,
      );
      await this.#count(target, rows, path, child => {
        const parent = byId.get(child[foreign] as string);
        if (parent === undefined) return 0;
        parent.children.push(child);
        found.set(child, parent.count);
        return parent.count;
      });
      if (rows.length < limit) return found;
      last = rows.at(-1) ?? null;
    }
  }

  async #attachReferences(
    parents: Occurrences,
    name: string,
    { kind, target, field }: Extract<ExpandNode['spec'], { kind: 'one' | 'list' }>,
    path: ExpandPath,
  ): Promise<Occurrences> {
    const counts = new Map<string, number>();
    for (const [parent, count] of parents) {
      for (const id of idsAt(parent, field)) counts.set(id, (counts.get(id) ?? 0) + count);
    }
    const found: Occurrences = new Map();
    const byId = new Map<string, ApiObject>();
    const ids = [...counts.keys()];
    for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
      const some = ids.slice(start, start + IDS_PER_QUERY);
      const rows = await this.#read(target, rawSql('t.id'), some);
      await this.#count(target, rows, path, object => {
        const count = counts.get(object['id'] as string) ?? 0;
        byId.set(object['id'] as string, object);
        found.set(object, count);
        return count;
      });
    }
    for (const parent of parents.keys()) {
      const related = idsAt(parent, field).flatMap(id => byId.get(id) ?? []);
      if (kind === 'list') parent[name] = related;
      else if (related[0] !== undefined) parent[name] = related[0];
    }
    return found;
  }

  /** The rows with one of the ids in the column. With `in`, SQLite would read all rows of the organization. */
  async #read(
    type: ResourceType,
    column: SqlFragment,
    ids: readonly string[],
    ending: SqlFragment = sqlFragment``,
  ): Promise<DatabaseRow[]> {
    const { table, columns, visibleTo } = resourceTableMappings[type];
    const { rows, viewer } = this.#context;
    const withIds =
      rows.engine === 'sqlite'
        ? sqlFragment`json_each(${JSON.stringify(ids)}) as wanted cross join ${table} where ${column} = wanted.value`
        : sqlFragment`${table} where ${column} = any(${ids})`;
    return rows.read<DatabaseRow>(sqlFragment`select ${columns} from ${withIds} and ${visibleTo(viewer)} ${ending}`);
  }

  /** `attach` returns how often the object appears in the response. */
  async #count(
    type: ResourceType,
    rows: readonly DatabaseRow[],
    path: ExpandPath,
    attach: (object: ApiObject) => number,
  ): Promise<void> {
    const { toObjects, toJsonTexts } = resourceTableMappings[type];
    const texts = toJsonTexts(rows);
    for (const [index, object] of toObjects(rows).entries()) {
      this.#budget.add(path, { count: attach(object), objects: 1, bytes: jsonBytes(texts[index] ?? '') });
    }
    this.#steps += rows.length + STEPS_PER_QUERY;
    if (this.#steps < STEPS_PER_TURN) return;
    this.#steps = 0;
    await setImmediate();
  }
}

/**
 * Attaches the objects of the tree. Runs one query per name and few hundred objects. Throws `ExpandBudgetError` for a
 * response that would be too large; the objects are then incomplete.
 */
export const expandObjects = (
  context: ResourceReadContext,
  objects: readonly ApiObject[],
  tree: ExpandTree,
): Promise<void> => new Expansion(context).expand(objects, tree);

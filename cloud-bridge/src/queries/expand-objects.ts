import type { ResourceType } from '@lintel/wire-protocol/rest/resource-fields';
import type { ExpandNode, ExpandTree } from '@lintel/wire-protocol/rest/expand';
import { sqlFragment, rawSql } from '../storage/sql-fragment.ts';
import type { RowReader } from '../storage/row-reader.ts';
import { idInCondition } from './sql-conditions.ts';
import { type ApiObject, type DatabaseRow, resourceMappings } from './resource-mappings.ts';
import type { Viewer } from './viewer.ts';

export interface ReadContext {
  readonly rows: RowReader;
  readonly viewer: Viewer;
}

const valueAt = (object: ApiObject, field: string): unknown => {
  let value: unknown = object;
  for (const part of field.split('.')) value = (value as ApiObject | null | undefined)?.[part];
  return value;
};

const idsAt = (object: ApiObject, field: string): string[] => {
  const value = valueAt(object, field);
  return Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
};

const idColumn = rawSql('t.id');

const fetchByIds = async (context: ReadContext, type: ResourceType, ids: readonly string[]): Promise<ApiObject[]> => {
  const mapping = resourceMappings[type];
  const { rows, viewer } = context;
  const found = await rows.read<DatabaseRow>(sqlFragment`select ${mapping.columns} from ${mapping.table}
    where ${idInCondition(rows.engine, idColumn, ids)} and ${mapping.visibleTo(viewer)}`);
  return mapping.toObjects(found);
};

const fetchChildren = async (
  context: ReadContext,
  type: ResourceType,
  foreign: string,
  parents: readonly string[],
): Promise<ApiObject[]> => {
  const mapping = resourceMappings[type];
  const { rows, viewer } = context;
  const found = await rows.read<DatabaseRow>(sqlFragment`select ${mapping.columns} from ${mapping.table}
    where ${idInCondition(rows.engine, mapping.column(foreign), parents)} and t.is_deleted = 0 and ${mapping.visibleTo(viewer)}
    order by t.created_at desc, t.id desc`);
  return mapping.toObjects(found);
};

const expandRelation = async (
  context: ReadContext,
  objects: readonly ApiObject[],
  name: string,
  { spec, children }: ExpandNode,
): Promise<void> => {
  const type = spec.target;
  if (spec.kind === 'many') {
    const parents = objects.map(object => object['id'] as string);
    const found = parents.length === 0 ? [] : await fetchChildren(context, type, spec.foreign, [...new Set(parents)]);
    await expandObjects(context, found, children);
    const byParent = Map.groupBy(found, child => child[spec.foreign] as string);
    for (const object of objects) object[name] = byParent.get(object['id'] as string) ?? [];
    return;
  }
  const ids = [...new Set(objects.flatMap(object => idsAt(object, spec.field)))];
  const found = ids.length === 0 ? [] : await fetchByIds(context, type, ids);
  await expandObjects(context, found, children);
  const byId = new Map(found.map(object => [object['id'] as string, object]));
  for (const object of objects) {
    const related = idsAt(object, spec.field).flatMap(id => byId.get(id) ?? []);
    if (spec.kind === 'list') object[name] = related;
    else if (related[0] !== undefined) object[name] = related[0];
  }
};

/** Runs one query per name in the tree, independent of the number of objects. */
export const expandObjects = async (
  context: ReadContext,
  objects: readonly ApiObject[],
  tree: ExpandTree,
): Promise<void> => {
  for (const [name, node] of tree) await expandRelation(context, objects, name, node);
};

import type { ExpandNode, ExpandTree } from '@lintel/wire-protocol/rest/expand';
import { fragment, rawFragment } from '../storage/fragment.ts';
import type { RowReader } from '../storage/row-reader.ts';
import { isIdAmong } from './conditions.ts';
import { type ApiObject, type ReadableType, type Row, sources } from './source.ts';
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

const itsId = rawFragment('t.id');

const fetchByIds = async (context: ReadContext, type: ReadableType, ids: readonly string[]): Promise<ApiObject[]> => {
  const source = sources[type];
  const { rows, viewer } = context;
  const found = await rows.read<Row>(fragment`select ${source.columns} from ${source.table}
    where ${isIdAmong(rows.engine, itsId, ids)} and ${source.visible(viewer)}`);
  return source.toObjects(found);
};

const fetchChildren = async (
  context: ReadContext,
  type: ReadableType,
  foreign: string,
  parents: readonly string[],
): Promise<ApiObject[]> => {
  const source = sources[type];
  const { rows, viewer } = context;
  const found = await rows.read<Row>(fragment`select ${source.columns} from ${source.table}
    where ${isIdAmong(rows.engine, source.column(foreign), parents)} and t.is_deleted = 0 and ${source.visible(viewer)}
    order by t.created_at desc, t.id desc`);
  return source.toObjects(found);
};

const attach = async (
  context: ReadContext,
  objects: readonly ApiObject[],
  name: string,
  { spec, children }: ExpandNode,
): Promise<void> => {
  const type = spec.target;
  if (spec.kind === 'many') {
    const parents = objects.map(object => object['id'] as string);
    const found = parents.length === 0 ? [] : await fetchChildren(context, type, spec.foreign, [...new Set(parents)]);
    await expandAll(context, found, children);
    const byParent = Map.groupBy(found, child => child[spec.foreign] as string);
    for (const object of objects) object[name] = byParent.get(object['id'] as string) ?? [];
    return;
  }
  const ids = [...new Set(objects.flatMap(object => idsAt(object, spec.field)))];
  const found = ids.length === 0 ? [] : await fetchByIds(context, type, ids);
  await expandAll(context, found, children);
  const byId = new Map(found.map(object => [object['id'] as string, object]));
  for (const object of objects) {
    const own = idsAt(object, spec.field).flatMap(id => byId.get(id) ?? []);
    if (spec.kind === 'list') object[name] = own;
    else if (own[0] !== undefined) object[name] = own[0];
  }
};

/** One query for each name of the tree, whatever the number of objects. */
export const expandAll = async (
  context: ReadContext,
  objects: readonly ApiObject[],
  tree: ExpandTree,
): Promise<void> => {
  for (const [name, node] of tree) await attach(context, objects, name, node);
};

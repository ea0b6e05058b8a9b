import { type ExpandTree, parseExpand } from '@lintel/wire-protocol/rest/expand';
import { type ListQuery, parseListQuery } from '@lintel/wire-protocol/rest/list-query';
import type { Field } from '@lintel/wire-protocol/rest/resource-fields';
import { resourceTable } from '@lintel/wire-protocol/rest/resource-table';
import { invalid, notFound, orThrow } from '../http/api-error.ts';
import { type Fragment, type Query, fragment, joinFragments, rawFragment } from '../storage/fragment.ts';
import type { RowReader } from '../storage/row-reader.ts';
import { condition, search } from './conditions.ts';
import { after, bindingOf, decodeCursor, encodeCursor, orderBy, type Position, type SortValueType } from './cursor.ts';
import { expandAll, type ReadContext } from './expanding.ts';
import { JsonText } from './json-text.ts';
import { type ApiObject, type ReadableType, type Row, type Source, sources } from './source.ts';
import type { Viewer } from './viewer.ts';

export interface Page {
  readonly data: readonly ApiObject[];
  readonly has_next: boolean;
  readonly cursor_next?: string;
}

const searchedField: Partial<Record<ReadableType, string>> = {
  member_email: 'email',
  member_group: 'name',
  schedule: 'name',
};

type RawQuery = Readonly<Record<string, unknown>>;
type Within = Readonly<Record<string, string>>;

const noExpand: ExpandTree = new Map();

/** The expands that a query asks of an answer with one object. Other parameters have no meaning there. */
export const expandOf = (type: ReadableType, query: RawQuery): ExpandTree => {
  const { expand, ...others } = query;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(unknown, `unsupported parameter '${unknown}'`);
  if (expand === undefined) return noExpand;
  if (typeof expand !== 'string') throw invalid('expand', 'expand must be given once, as text');
  return orThrow(parseExpand(type, expand));
};

/** Lists and single objects, as the viewer sees them. */
export class Reader {
  readonly #rows: RowReader;
  readonly #findTexts = new Map<string, string>();

  constructor(rows: RowReader) {
    this.#rows = rows;
  }

  /** `within` narrows a list to its path: the member's own PINs. Without expands no objects are made on the way. */
  async listText(type: ReadableType, viewer: Viewer, rawQuery: RawQuery, within: Within = {}): Promise<JsonText> {
    const { query, shown, next } = await this.#page(type, viewer, rawQuery, within);
    const source = sources[type];
    const objects = query.expand.size === 0 ? [] : source.toObjects(shown);
    await this.expand(viewer, objects, query.expand);
    const texts = query.expand.size === 0 ? source.toTexts(shown) : objects.map(object => JSON.stringify(object));
    return new JsonText(`{"data":[${texts.join(',')}],${JSON.stringify(next).slice(1)}`);
  }

  async find(type: ReadableType, viewer: Viewer, id: string, within: Within = {}): Promise<ApiObject | null> {
    const row = await this.#row(type, viewer, id, within);
    return row === undefined ? null : sources[type].toObjects([row])[0]!;
  }

  async get(
    type: ReadableType,
    viewer: Viewer,
    id: string,
    expand: ExpandTree = noExpand,
    within: Within = {},
  ): Promise<ApiObject> {
    const object = await this.find(type, viewer, id, within);
    if (object === null) throw notFound(type, id);
    await this.expand(viewer, [object], expand);
    return object;
  }

  /** The same as the text that goes out. */
  async getText(
    type: ReadableType,
    viewer: Viewer,
    id: string,
    expand: ExpandTree = noExpand,
    within: Within = {},
  ): Promise<JsonText> {
    if (expand.size > 0) return new JsonText(JSON.stringify(await this.get(type, viewer, id, expand, within)));
    const row = await this.#row(type, viewer, id, within);
    if (row === undefined) throw notFound(type, id);
    return new JsonText(sources[type].toTexts([row])[0]!);
  }

  async expand(viewer: Viewer, objects: readonly ApiObject[], tree: ExpandTree): Promise<void> {
    if (tree.size > 0) await expandAll(this.#context(viewer), objects, tree);
  }

  #context(viewer: Viewer): ReadContext {
    return { rows: this.#rows, viewer };
  }

  async #row(type: ReadableType, viewer: Viewer, id: string, within: Within): Promise<Row | undefined> {
    const [row] = await this.#rows.read<Row>(this.#findQuery(type, viewer, id, within));
    return row;
  }

  async #page(type: ReadableType, viewer: Viewer, rawQuery: RawQuery, within: Within) {
    const query = orThrow(parseListQuery(type, rawQuery));
    const binding = bindingOf(`${type} ${JSON.stringify(within)}`, viewer.organizationId, query);
    const rows = await this.#listed(type, viewer, query, within, binding);
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    const next: Omit<Page, 'data'> =
      rows.length <= query.limit || last === undefined
        ? { has_next: false }
        : { has_next: true, cursor_next: encodeCursor(binding, positionOf(last, query)) };
    return { query, shown, next };
  }

  /** The commonest query of all: its text is the same for every id and for viewers who see alike, so it is kept. */
  #findQuery(type: ReadableType, viewer: Viewer, id: string, within: Within): Query {
    const source = sources[type];
    const visible = source.visible(viewer);
    const names = Object.keys(within);
    const key = `${type} ${names.join(' ')} ${visible.texts.join('?')}`;
    let text = this.#findTexts.get(key);
    if (text === undefined) {
      const conditions = [fragment`t.id = ${id}`, visible, ...equalities(source, within)];
      text = fragment`select ${source.columns} from ${source.table}
        where ${joinFragments(conditions, ' and ')}`.textFor(this.#rows.engine);
      this.#findTexts.set(key, text);
    }
    const known = text;
    return { textFor: () => known, values: [id, ...visible.values, ...Object.values(within)] };
  }

  #listed(type: ReadableType, viewer: Viewer, query: ListQuery, within: Within, binding: string): Promise<Row[]> {
    const source = sources[type];
    const { engine } = this.#rows;
    const sorted = resourceTable[type].fields[query.sort.field];
    const nullable = sorted?.nullable ?? false;
    const conditions: Fragment[] = [source.visible(viewer), ...equalities(source, within)];
    for (const filter of query.filters) {
      const made = condition(source, engine, filter);
      if (made !== null) conditions.push(made);
    }
    const searched = searchedField[type];
    if (query.q !== null && searched !== undefined) conditions.push(search(source, engine, searched, query.q));
    if (query.cursor !== null) {
      const position = decodeCursor(binding, query.cursor, sortValueType(query.sort.field, sorted));
      conditions.push(after(source, query.sort, nullable, position));
    }
    return this.#rows.read<Row>(fragment`select ${source.columns} from ${source.table}
      where ${joinFragments(conditions, ' and ')}
      order by ${orderBy(source, query.sort, nullable)} limit ${rawFragment(String(query.limit + 1))}`);
  }
}

const equalities = (source: Source, within: Within): Fragment[] =>
  Object.entries(within).map(([field, value]) => fragment`${source.column(field)} = ${value}`);

const sortValueType = (name: string, field: Field | undefined): SortValueType => {
  if (name === 'id') return 'none';
  return field?.kind === 'string' || field?.kind === 'id' ? 'text' : 'number';
};

const positionOf = (row: Row, { sort }: ListQuery): Position => {
  const column = sort.field === 'occurred_at' ? 'created_at' : sort.field;
  return { value: sort.field === 'id' ? null : (row[column] as Position['value']), id: row['id'] as string };
};

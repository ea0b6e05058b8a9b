import type { Metadata, MetadataPatch } from '@lintel/wire-protocol/rest/metadata-and-tags';
import type { IdKind } from '@lintel/access-core/ids';
import type { Database } from '../storage/schema.ts';
import { compareRows, type RecordedChanges } from './recorded-changes.ts';
import type { NewEventObject, NewEvent } from './pending-event.ts';
import {
  type RowChanges,
  insertRow,
  mergeStoredMetadata,
  requireActiveRow,
  requireRow,
  requireExistingTags,
  updateRow,
} from './row-operations.ts';
import type { WriteContext } from './organization-writer.ts';

interface SharedColumns {
  id: string;
  organization_id: string | null;
  is_deleted: 0 | 1;
  created_at: number;
  metadata: string;
}

type ResourceTable = { [T in keyof Database]: Database[T] extends SharedColumns ? T : never }[keyof Database];

interface ResourceOptions<T extends ResourceTable> {
  /** True when controllers cache this type, so each change is synced to them. */
  readonly isSynced?: boolean;
  /** Columns besides the id that are included in events. */
  readonly references?: ReadonlyArray<keyof Database[T] & string>;
}

/** Creates, edits and deletes rows of one API resource type. Records the event and the change for controllers. */
export class ResourceWriter<K extends IdKind, T extends ResourceTable> {
  readonly #type: K;
  readonly #table: T;
  readonly #isSynced: boolean;
  readonly #references: readonly string[];

  constructor(type: K, table: T, { isSynced = true, references = [] }: ResourceOptions<T> = {}) {
    this.#type = type;
    this.#table = table;
    this.#isSynced = isSynced;
    this.#references = references;
  }

  /** Throws 404 when the row is missing or deleted. */
  requireActive(context: WriteContext, id: string): Promise<Database[T]> {
    return requireActiveRow(context, this.#table, this.#type, id);
  }

  async create(
    context: WriteContext,
    { metadata, tag_ids }: { readonly metadata: Metadata; readonly tag_ids?: readonly string[] },
    columns: Omit<Database[T], keyof SharedColumns | 'tag_ids'> & { readonly id?: string },
  ): Promise<Database[T]> {
    if (tag_ids !== undefined) await requireExistingTags(context, tag_ids);
    const shared: SharedColumns = {
      id: context.newId(this.#type),
      organization_id: context.organizationId,
      is_deleted: 0,
      created_at: context.now,
      metadata: JSON.stringify(metadata),
    };
    const tags = tag_ids === undefined ? {} : { tag_ids: JSON.stringify(tag_ids) };
    const row = await insertRow(context, this.#table, { ...shared, ...columns, ...tags } as unknown as Database[T]);
    this.recordChange(context, 'create', row, compareRows(this.#type, null, row));
    return row;
  }

  /** Records nothing when no column changes. */
  async edit(
    context: WriteContext,
    row: Database[T],
    {
      metadata,
      tag_ids,
    }: { readonly metadata?: MetadataPatch | undefined; readonly tag_ids?: readonly string[] | undefined },
    columns: RowChanges<T>,
  ): Promise<Database[T]> {
    if (tag_ids !== undefined) await requireExistingTags(context, tag_ids);
    const edited = await updateRow(context, this.#table, row, {
      ...columns,
      metadata: metadata && mergeStoredMetadata(row.metadata, metadata),
      tag_ids: tag_ids && JSON.stringify(tag_ids),
    });
    if (edited !== row) this.recordChange(context, 'edit', edited, compareRows(this.#type, row, edited));
    return edited;
  }

  /** Does nothing when the row is already deleted. `beforeDelete` cleans up dependent rows. */
  async delete(
    context: WriteContext,
    id: string,
    beforeDelete: (row: Database[T]) => Promise<unknown> = async () => undefined,
  ): Promise<Database[T]> {
    const row = await requireRow(context, this.#table, this.#type, id);
    if (row.is_deleted === 1) return row;
    await beforeDelete(row);
    return this.deleteRow(context, row);
  }

  async deleteRow(context: WriteContext, row: Database[T]): Promise<Database[T]> {
    if (row.is_deleted === 1) return row;
    const deleted = await updateRow(context, this.#table, row, { is_deleted: 1 } as RowChanges<T>);
    this.recordChange(context, 'delete', deleted);
    return deleted;
  }

  recordChange(context: WriteContext, verb: NewEvent['verb'], row: Database[T], changes?: RecordedChanges): void {
    const references = this.#references
      .map(column => [column, row[column as keyof Database[T]]] as const)
      .filter(([, value]) => value !== null);
    const object = {
      type: this.#type,
      [`${this.#type}_id`]: row.id,
      ...Object.fromEntries(references),
    } as NewEventObject;
    const isChanged = changes !== undefined && Object.keys(changes).length > 0;
    context.log({ verb, object, ...(isChanged ? { changes } : {}) });
    if (this.#isSynced) context.markChanged(this.#type, row.id);
  }
}

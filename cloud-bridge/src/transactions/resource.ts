import type { Metadata, MetadataPatch } from '@lintel/wire-protocol/rest/metadata';
import type { IdKind } from '@lintel/access-core/ids';
import type { Database } from '../storage/schema.ts';
import type { EventObject, NewEvent } from './new-event.ts';
import {
  type Changes,
  insertRow,
  mergedMetadata,
  requireLivingRow,
  requireRow,
  requireTags,
  updateRow,
} from './rows.ts';
import type { WriteContext } from './writer.ts';

interface SharedColumns {
  id: string;
  organization_id: string | null;
  is_deleted: 0 | 1;
  created_at: number;
  metadata: string;
}

type ResourceTable = { [T in keyof Database]: Database[T] extends SharedColumns ? T : never }[keyof Database];

interface ResourceOptions<T extends ResourceTable> {
  /** Whether controllers hold it; then each change is synced to them. */
  readonly isSynced?: boolean;
  /** Columns beside the id that its events name. */
  readonly references?: ReadonlyArray<keyof Database[T] & string>;
}

/**
 * The rows of one type of the API: what all types have in common when one is created, edited or deleted, with the event
 * and the change for controllers that belong to it.
 */
export class Resource<K extends IdKind, T extends ResourceTable> {
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

  /** For an edit: 404 for a deleted one. */
  requireLiving(context: WriteContext, id: string): Promise<Database[T]> {
    return requireLivingRow(context, this.#table, this.#type, id);
  }

  async create(
    context: WriteContext,
    { metadata, tag_ids }: { readonly metadata: Metadata; readonly tag_ids?: readonly string[] },
    columns: Omit<Database[T], keyof SharedColumns | 'tag_ids'> & { readonly id?: string },
  ): Promise<Database[T]> {
    if (tag_ids !== undefined) await requireTags(context, tag_ids);
    const shared: SharedColumns = {
      id: context.newId(this.#type),
      organization_id: context.organizationId,
      is_deleted: 0,
      created_at: context.now,
      metadata: JSON.stringify(metadata),
    };
    const tags = tag_ids === undefined ? {} : { tag_ids: JSON.stringify(tag_ids) };
    const row = await insertRow(context, this.#table, { ...shared, ...columns, ...tags } as unknown as Database[T]);
    this.record(context, 'create', row);
    return row;
  }

  /** Records nothing where nothing differs. */
  async edit(
    context: WriteContext,
    row: Database[T],
    {
      metadata,
      tag_ids,
    }: { readonly metadata?: MetadataPatch | undefined; readonly tag_ids?: readonly string[] | undefined },
    columns: Changes<T>,
  ): Promise<Database[T]> {
    if (tag_ids !== undefined) await requireTags(context, tag_ids);
    const edited = await updateRow(context, this.#table, row, {
      ...columns,
      metadata: metadata && mergedMetadata(row.metadata, metadata),
      tag_ids: tag_ids && JSON.stringify(tag_ids),
    });
    if (edited !== row) this.record(context, 'edit', edited);
    return edited;
  }

  /** Deleting twice is deleting once. `beforehand` ends what depends on it. */
  async delete(
    context: WriteContext,
    id: string,
    beforehand: (row: Database[T]) => Promise<unknown> = async () => undefined,
  ): Promise<Database[T]> {
    const row = await requireRow(context, this.#table, this.#type, id);
    if (row.is_deleted === 1) return row;
    await beforehand(row);
    return this.remove(context, row);
  }

  async remove(context: WriteContext, row: Database[T]): Promise<Database[T]> {
    if (row.is_deleted === 1) return row;
    const deleted = await updateRow(context, this.#table, row, { is_deleted: 1 } as Changes<T>);
    this.record(context, 'delete', deleted);
    return deleted;
  }

  record(context: WriteContext, verb: NewEvent['verb'], row: Database[T]): void {
    const named = this.#references
      .map(column => [column, row[column as keyof Database[T]]] as const)
      .filter(([, value]) => value !== null);
    const object = { type: this.#type, [`${this.#type}_id`]: row.id, ...Object.fromEntries(named) } as EventObject;
    context.log({ verb, object });
    if (this.#isSynced) context.changed(this.#type, row.id);
  }
}

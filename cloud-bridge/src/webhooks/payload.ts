import { type ExpandTree, parseExpand } from '@lintel/wire-protocol/rest/expand';
import { sql } from 'kysely';
import type { Reader } from '../queries/reader.ts';
import { eventObject } from '../queries/source.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { EventRow, WebhookRow } from '../storage/schema.ts';
import { idAmong } from './row-set.ts';

const MOST_REMEMBERED = 2000;

/** The expands of an event that a webhook asks for. What is not known any more is left out. */
const expandsOf = ({ expand }: Pick<WebhookRow, 'expand'>): ExpandTree => {
  const parsed = parseExpand('event', (JSON.parse(expand) as string[]).join(','));
  return parsed.ok ? parsed.value : new Map();
};

type Receiver = Pick<WebhookRow, 'organization_id' | 'oauth_application_id' | 'expand'>;

/** Events as a webhook's application would get them from the API. */
export class Payloads {
  readonly #storage: Storage;
  readonly #reader: Reader;
  /** Without expands all webhooks get the same text. */
  readonly #plain = new Map<string, string>();

  constructor(storage: Storage, reader: Reader) {
    this.#storage = storage;
    this.#reader = reader;
  }

  /** Events that were just recorded need not be read again. */
  remember(events: readonly EventRow[]): void {
    for (const event of events) this.#keep(event.id, JSON.stringify(eventObject({ ...event })));
  }

  /** By the id of the event. */
  async bodiesFor(receiver: Receiver, eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const expand = expandsOf(receiver);
    const known = eventIds.filter(id => this.#plain.has(id));
    if (expand.size === 0 && known.length === eventIds.length) {
      return new Map(known.map(id => [id, this.#plain.get(id) as string]));
    }
    const events = await this.#events(eventIds);
    const objects = events.map(event => eventObject({ ...event }));
    if (expand.size === 0) this.remember(events);
    const viewer = { organizationId: receiver.organization_id, applicationId: receiver.oauth_application_id };
    await this.#reader.expand(viewer, objects, expand);
    return new Map(objects.map(object => [object['id'] as string, JSON.stringify(object)]));
  }

  async #events(ids: readonly string[]): Promise<EventRow[]> {
    const { engine, reader } = this.#storage;
    const { rows } = await sql<EventRow>`select * from events as t where ${idAmong(engine, sql`t.id`, ids)}`.execute(
      reader,
    );
    return rows;
  }

  #keep(id: string, text: string): void {
    if (this.#plain.size >= MOST_REMEMBERED) this.#plain.delete(this.#plain.keys().next().value as string);
    this.#plain.set(id, text);
  }
}

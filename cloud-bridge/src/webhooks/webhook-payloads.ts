import { type ExpandTree, parseExpand } from '@lintel/wire-protocol/rest/expand';
import { sql } from 'kysely';
import type { ResourceReader } from '../queries/resource-reader.ts';
import { toEventObject } from '../queries/resource-mappings.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { OrganizationEventRow, WebhookRow } from '../storage/schema.ts';
import { idInRowSet } from './json-row-set.ts';

const MAX_CACHED_EVENTS = 2000;

/** The expands of a webhook. Expands that no longer exist are ignored. */
const parseExpands = ({ expand }: Pick<WebhookRow, 'expand'>): ExpandTree => {
  const parsed = parseExpand('event', (JSON.parse(expand) as string[]).join(','));
  return parsed.ok ? parsed.value : new Map();
};

type PayloadReceiver = Pick<WebhookRow, 'organization_id' | 'oauth_application_id' | 'expand'>;

/** Builds request bodies: events as the webhook's application would read them from the API. */
export class WebhookPayloads {
  readonly #storage: Storage;
  readonly #reader: ResourceReader;
  /** JSON of events without expands, the same for all webhooks, by event id. */
  readonly #plainBodies = new Map<string, string>();

  constructor(storage: Storage, reader: ResourceReader) {
    this.#storage = storage;
    this.#reader = reader;
  }

  /** Caches events that were just recorded, so that they are not read again. */
  cache(events: readonly OrganizationEventRow[]): void {
    for (const event of events) this.#store(event.id, JSON.stringify(toEventObject({ ...event })));
  }

  /** Returns the bodies by event id. */
  async buildBodies(receiver: PayloadReceiver, eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const expand = parseExpands(receiver);
    const cached = eventIds.filter(id => this.#plainBodies.has(id));
    if (expand.size === 0 && cached.length === eventIds.length) {
      return new Map(cached.map(id => [id, this.#plainBodies.get(id) as string]));
    }
    const events = await this.#readEvents(eventIds);
    const objects = events.map(event => toEventObject({ ...event }));
    if (expand.size === 0) this.cache(events);
    const viewer = { organizationId: receiver.organization_id, applicationId: receiver.oauth_application_id };
    await this.#reader.expand(viewer, objects, expand);
    return new Map(objects.map(object => [object['id'] as string, JSON.stringify(object)]));
  }

  async #readEvents(ids: readonly string[]): Promise<OrganizationEventRow[]> {
    const { engine, reader } = this.#storage;
    const { rows } =
      await sql<OrganizationEventRow>`select * from events as t where ${idInRowSet(engine, sql`t.id`, ids)}`.execute(
        reader,
      );
    return rows;
  }

  #store(id: string, text: string): void {
    if (this.#plainBodies.size >= MAX_CACHED_EVENTS)
      this.#plainBodies.delete(this.#plainBodies.keys().next().value as string);
    this.#plainBodies.set(id, text);
  }
}

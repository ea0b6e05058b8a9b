import { type ExpandTree, parseExpand } from '@lintel/wire-protocol/rest/parse-expand-parameter';
import { sql } from 'kysely';
import type { ResourceReader } from '../queries/resource-reader.ts';
import { toEventApiObject } from '../queries/resource-table-mappings.ts';
import { toJson } from '../queries/serialize-rows-to-json.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { WebhookRow } from '../storage/schema.ts';
import { buildIdInExpression } from '../queries/sql-conditions.ts';

const MAX_CACHED_EVENTS = 2000;

/** The expands of a webhook. Expands that no longer exist are ignored. */
const parseExpands = ({ expand }: Pick<WebhookRow, 'expand'>): ExpandTree => {
  const parsed = parseExpand('event', (JSON.parse(expand) as string[]).join(','));
  return parsed.ok ? parsed.value : new Map();
};

/** The JSON text of a request body, and how it differs from the configuration of the webhook. */
export interface WebhookRequestBody {
  readonly text: string;
  readonly note: string | null;
}

const NOT_EXPANDED = 'sent without expands: the expanded event is larger than 20,000 objects or 8 MiB';

const plainBody = (text: string | undefined): WebhookRequestBody | null =>
  text === undefined ? null : { text, note: null };

type PayloadReceiver = Pick<WebhookRow, 'organization_id' | 'oauth_application_id' | 'expand'>;

/** Builds request bodies: events as the webhook's application would read them from the API. */
export class WebhookPayloadBuilder {
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
    for (const event of events) this.#cacheEvent(event);
  }

  /** One body for each event id, in this order; null for an event that was deleted. */
  async *buildBodies(
    receiver: PayloadReceiver,
    eventIds: readonly string[],
  ): AsyncGenerator<WebhookRequestBody | null> {
    const expand = parseExpands(receiver);
    if (expand.size > 0) return yield* this.#expandedBodies(receiver, eventIds, expand);
    const texts = new Map(eventIds.map(id => [id, this.#plainBodies.get(id)]));
    const missing = eventIds.filter(id => texts.get(id) === undefined);
    if (missing.length > 0) {
      for (const event of await this.#readEvents(missing)) texts.set(event.id, this.#cacheEvent(event));
    }
    for (const id of eventIds) yield plainBody(texts.get(id));
  }

  async *#expandedBodies(
    receiver: PayloadReceiver,
    eventIds: readonly string[],
    expand: ExpandTree,
  ): AsyncGenerator<WebhookRequestBody | null> {
    const events = new Map((await this.#readEvents(eventIds)).map(event => [event.id, toEventApiObject({ ...event })]));
    const objects = eventIds.map(id => events.get(id)).filter(event => event !== undefined);
    const viewer = { organizationId: receiver.organization_id, applicationId: receiver.oauth_application_id };
    const expanded = this.#reader.expandEach(viewer, objects, expand);
    for (const id of eventIds) {
      const next = events.has(id) ? await expanded.next() : null;
      if (next === null || next.done === true) yield null;
      else yield { text: toJson(next.value.object), note: next.value.error === null ? null : NOT_EXPANDED };
    }
  }

  async #readEvents(ids: readonly string[]): Promise<OrganizationEventRow[]> {
    const { engine, reader } = this.#storage;
    const { rows } =
      await sql<OrganizationEventRow>`select * from events as t where ${buildIdInExpression(engine, sql`t.id`, ids)}`.execute(
        reader,
      );
    return rows;
  }

  #cacheEvent(event: OrganizationEventRow): string {
    const text = JSON.stringify(toEventApiObject({ ...event }));
    if (this.#plainBodies.size >= MAX_CACHED_EVENTS)
      this.#plainBodies.delete(this.#plainBodies.keys().next().value as string);
    this.#plainBodies.set(event.id, text);
    return text;
  }
}

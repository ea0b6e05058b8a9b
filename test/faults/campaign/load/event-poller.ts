import { setTimeout as delay } from 'node:timers/promises';
import type { ApiEvent } from '../checker/round-history-types.ts';
import type { ApiClient, ResponseObject } from './retrying-api-client.ts';

const INTERVAL_MS = 300;

/** All events that were recorded after this time, in this order. */
export const listEventsAfter = (api: ApiClient, recordedAt: string): Promise<readonly ResponseObject[]> =>
  api.list(`/events?sort=recorded_at:asc&recorded_at:gt=${recordedAt}`);

const lostOf = ({ details }: ResponseObject): ApiEvent['lost'] => {
  const { lost_first, lost_last } = (details ?? {}) as Readonly<Record<string, string | undefined>>;
  return lost_first === undefined ? null : { first: Number(lost_first), last: Number(lost_last) };
};

/** `doorOf` finds the door of a device. */
export const toApiEvent = (event: ResponseObject, doorOf: (deviceId: string) => string | null): ApiEvent => {
  const object = event['object'] as Readonly<Record<string, string>>;
  return {
    id: event.id,
    door: object['gadget_id'] ?? doorOf(object['device_id'] ?? ''),
    isUse: event['verb'] === 'use' && object['type'] === 'gadget_action',
    createdAt: Date.parse(event.created_at ?? ''),
    lost: lostOf(event),
  };
};

/** A client that asks for new events by `recorded_at`, as the documentation describes. */
export class EventPoller {
  readonly #api: ApiClient;
  #after: string;
  #isStopped = false;
  readonly eventIds: string[] = [];

  constructor(api: ApiClient, after: string) {
    this.#api = api;
    this.#after = after;
    void this.#poll();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #poll(): Promise<void> {
    while (!this.#isStopped) {
      const events = await listEventsAfter(this.#api, this.#after).catch(() => []);
      this.eventIds.push(...events.map(({ id }) => id));
      this.#after = events.at(-1)?.recorded_at ?? this.#after;
      await delay(INTERVAL_MS);
    }
  }
}

import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { QueryClient } from '@tanstack/query-core';

/** Object types whose data an event makes stale: its own, and those that contain it. */
const listStaleQueryKinds = ({ object: { type } }: Pick<EventResponse, 'object'>): readonly string[] => {
  if (type === 'gadget_state') return ['gadget_state', 'attention'];
  if (type === 'gadget_action') return ['gadget_state'];
  if (type === 'gadget_signal') return [];
  if (type === 'member_card') return [type, 'member', 'card'];
  if (type.startsWith('member_')) return [type, 'member'];
  if (type === 'device') return [type, 'gadget', 'gadget_state', 'attention'];
  return [type];
};

interface Stateful {
  readonly id: string;
  readonly state_id: string | null;
}

const withState = <T>(data: T, gadgetId: string, stateId: string): T => {
  const update = (one: Stateful): Stateful => (one.id === gadgetId ? { ...one, state_id: stateId } : one);
  if (Array.isArray(data)) return data.map(update) as T;
  return typeof data === 'object' && data !== null && 'state_id' in data ? (update(data as never) as T) : data;
};

const DELAY_MS = 200;

/**
 * Keeps the cached data of an organization current. A new state goes directly into the cached gadgets. Other changes
 * reload what contains them, at most once per delay, so that many events at once do not cause as many requests.
 */
export class QueryCacheUpdater {
  readonly #client: QueryClient;
  readonly #organizationId: string;
  readonly #stale = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: QueryClient, organizationId: string) {
    this.#client = client;
    this.#organizationId = organizationId;
  }

  apply(event: EventResponse): void {
    const { type, gadget_id, gadget_state_id } = event.object;
    const gadgets = { queryKey: [this.#organizationId, 'gadget'] };
    if (type === 'gadget_state' && gadget_id != null && gadget_state_id != null)
      this.#client.setQueriesData(gadgets, (data: unknown) => withState(data, gadget_id, gadget_state_id));
    // Lists of events show new events by themselves, so they are loaded again only when they are opened.
    void this.#client.invalidateQueries({ queryKey: [this.#organizationId, 'event'], refetchType: 'none' });
    for (const kind of listStaleQueryKinds(event)) this.#stale.add(kind);
    if (!type.startsWith('gadget_') || type === 'gadget_trigger') this.#stale.add('audit');
    this.#timer ??= setTimeout(() => this.#reload(), DELAY_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #reload(): void {
    this.#timer = undefined;
    for (const kind of this.#stale) void this.#client.invalidateQueries({ queryKey: [this.#organizationId, kind] });
    this.#stale.clear();
  }
}

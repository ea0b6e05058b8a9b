interface Subscription<C> {
  readonly client: C;
  readonly qos: 0 | 1;
}

const matches = (filter: readonly string[], topic: readonly string[]): boolean =>
  filter.every((part, index) => part === '#' || part === '+' || part === topic[index]) &&
  (filter.at(-1) === '#' ? topic.length >= filter.length - 1 : topic.length === filter.length);

/**
 * The subscriptions of all clients. Exact filters and subtrees (`…/#`) take a few lookups, whatever the number of devices. Filters with
 * `+` are few and are scanned.
 */
export class BrokerSubscriptions<C> {
  readonly #byFilter = new Map<string, Map<C, Subscription<C>>>();
  readonly #wildcardFilters = new Map<string, readonly string[]>();

  add(filter: string, client: C, qos: 0 | 1): void {
    const subscriptions = this.#byFilter.get(filter) ?? new Map<C, Subscription<C>>();
    subscriptions.set(client, { client, qos });
    this.#byFilter.set(filter, subscriptions);
    if (filter.includes('+')) this.#wildcardFilters.set(filter, filter.split('/'));
  }

  remove(filter: string, client: C): void {
    const subscriptions = this.#byFilter.get(filter);
    if (subscriptions?.delete(client) !== true || subscriptions.size > 0) return;
    this.#byFilter.delete(filter);
    this.#wildcardFilters.delete(filter);
  }

  /** Each client once, with the highest QoS of its matching subscriptions. */
  receivers(topic: string): Iterable<Subscription<C>> {
    const found: Map<C, Subscription<C>>[] = [];
    const collect = (filter: string): void => {
      const subscriptions = this.#byFilter.get(filter);
      if (subscriptions !== undefined) found.push(subscriptions);
    };
    collect(topic);
    collect(`${topic}/#`);
    collect('#');
    for (let end = topic.lastIndexOf('/'); end >= 0; end = topic.lastIndexOf('/', end - 1)) {
      collect(`${topic.slice(0, end)}/#`);
      if (end === 0) break;
    }
    if (this.#wildcardFilters.size > 0) {
      const levels = topic.split('/');
      for (const [filter, filterLevels] of this.#wildcardFilters) if (matches(filterLevels, levels)) collect(filter);
    }
    return found.length === 1 ? found[0]!.values() : mergeByQos(found);
  }
}

const mergeByQos = <C>(found: readonly Map<C, Subscription<C>>[]): Iterable<Subscription<C>> => {
  const all = new Map<C, Subscription<C>>();
  for (const subscriptions of found) {
    for (const subscription of subscriptions.values()) {
      if ((all.get(subscription.client)?.qos ?? -1) < subscription.qos) all.set(subscription.client, subscription);
    }
  }
  return all.values();
};

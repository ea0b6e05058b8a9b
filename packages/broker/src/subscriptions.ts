interface Subscription<C> {
  readonly client: C;
  readonly qos: 0 | 1;
}

/** Whether a filter with `+` in it covers a topic. */
const covers = (filter: readonly string[], topic: readonly string[]): boolean =>
  filter.every((part, index) => part === '#' || part === '+' || part === topic[index]) &&
  (filter.at(-1) === '#' ? topic.length >= filter.length - 1 : topic.length === filter.length);

/**
 * Who hears what. Topics of devices are heard by their own name or by a whole subtree (`…/#`), which takes a few look-ups
 * whatever the number of devices; filters with `+` in them are few and are gone through.
 */
export class Subscriptions<C> {
  readonly #byFilter = new Map<string, Map<C, Subscription<C>>>();
  readonly #wild = new Map<string, readonly string[]>();

  add(filter: string, client: C, qos: 0 | 1): void {
    const those = this.#byFilter.get(filter) ?? new Map<C, Subscription<C>>();
    those.set(client, { client, qos });
    this.#byFilter.set(filter, those);
    if (filter.includes('+')) this.#wild.set(filter, filter.split('/'));
  }

  remove(filter: string, client: C): void {
    const those = this.#byFilter.get(filter);
    if (those?.delete(client) !== true || those.size > 0) return;
    this.#byFilter.delete(filter);
    this.#wild.delete(filter);
  }

  /** Each once, with the best of the qualities it asked for. */
  receivers(topic: string): Iterable<Subscription<C>> {
    const found: Map<C, Subscription<C>>[] = [];
    const look = (filter: string): void => {
      const those = this.#byFilter.get(filter);
      if (those !== undefined) found.push(those);
    };
    look(topic);
    look(`${topic}/#`);
    look('#');
    for (let end = topic.lastIndexOf('/'); end >= 0; end = topic.lastIndexOf('/', end - 1)) {
      look(`${topic.slice(0, end)}/#`);
      if (end === 0) break;
    }
    if (this.#wild.size > 0) {
      const parts = topic.split('/');
      for (const [filter, wanted] of this.#wild) if (covers(wanted, parts)) look(filter);
    }
    return found.length === 1 ? found[0]!.values() : best(found);
  }
}

const best = <C>(found: readonly Map<C, Subscription<C>>[]): Iterable<Subscription<C>> => {
  const all = new Map<C, Subscription<C>>();
  for (const those of found) {
    for (const one of those.values()) if ((all.get(one.client)?.qos ?? -1) < one.qos) all.set(one.client, one);
  }
  return all.values();
};

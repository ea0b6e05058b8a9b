import type { Filter } from '@lintel/wire-protocol/rest/filter';
import { filtersOfRule, type WebhookFilterRule } from '@lintel/wire-protocol/rest/webhook-filter';
import { eventMatches } from '../queries/event-matches.ts';
import type { EventRow } from '../storage/schema.ts';

type Rules = readonly (readonly Filter[])[];

const compile = (text: string): Rules =>
  (JSON.parse(text) as WebhookFilterRule[]).flatMap(rule => {
    const filters = filtersOfRule(rule);
    return filters === null ? [] : [filters];
  });

const MOST_REMEMBERED = 2000;

/** Webhooks' filters as they are stored. Each text is compiled once: every event of an organization asks for all of them. */
export class CompiledFilters {
  readonly #known = new Map<string, Rules>();

  /** One matching rule is enough; no rule matches nothing. */
  match(text: string, event: EventRow): boolean {
    return this.#rules(text).some(filters => eventMatches(event, filters));
  }

  #rules(text: string): Rules {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    const rules = compile(text);
    this.#known.set(text, rules);
    return rules;
  }
}

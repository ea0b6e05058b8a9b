import type { ListFilter } from '@lintel/wire-protocol/rest/list-filter';
import { parseWebhookFilterRule, type WebhookFilterRule } from '@lintel/wire-protocol/rest/webhook-filter';
import { eventMatchesFilters } from '../queries/event-matches-filters.ts';
import type { OrganizationEventRow } from '../storage/event-schema.ts';

type Rules = readonly (readonly ListFilter[])[];

const compile = (text: string): Rules =>
  (JSON.parse(text) as WebhookFilterRule[]).flatMap(rule => {
    const filters = parseWebhookFilterRule(rule);
    return filters === null ? [] : [filters];
  });

const MAX_CACHED_FILTERS = 2000;

/** Compiles each stored webhook filter once, because every event is matched against all filters of its organization. */
export class WebhookFilterCache {
  readonly #rulesByText = new Map<string, Rules>();

  /** One matching rule is enough. A filter without rules matches nothing. */
  matches(text: string, event: OrganizationEventRow): boolean {
    return this.#rulesOf(text).some(filters => eventMatchesFilters(event, filters));
  }

  #rulesOf(text: string): Rules {
    const cached = this.#rulesByText.get(text);
    if (cached !== undefined) return cached;
    if (this.#rulesByText.size >= MAX_CACHED_FILTERS) this.#rulesByText.clear();
    const rules = compile(text);
    this.#rulesByText.set(text, rules);
    return rules;
  }
}

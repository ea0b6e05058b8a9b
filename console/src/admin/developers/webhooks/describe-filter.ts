import type { AdminMessages } from '../../messages/en.ts';
import { type WebhookFilterTerm, objectTypeOf, otherConditionsOf } from './filter-terms.ts';

/** `Door action: used, denied; Member: all events`. */
export const describeWebhookFilter = (filter: readonly WebhookFilterTerm[], { webhooks }: AdminMessages): string => {
  if (filter.length === 0) return webhooks.emptyFilter;
  const byType = Map.groupBy(filter, objectTypeOf);
  return [...byType]
    .map(([type, rules]) => {
      const verbs = rules.map(({ verb }) => (verb == null ? webhooks.anyVerb : (webhooks.verbs[verb] ?? verb)));
      const more = rules.some(rule => otherConditionsOf(rule).length > 0) ? ' …' : '';
      return `${type === '' ? webhooks.anyType : (webhooks.types[type] ?? type)}: ${[...new Set(verbs)].join(', ')}${more}`;
    })
    .join('; ');
};

import type { WebhookFilterRule } from '@lintel/wire-protocol/rest/webhook-filter';
import type { AdminMessages } from '../../messages/en.ts';
import { getWebhookFilterObjectType, listOtherWebhookFilterConditions } from './filter-rule-choices.ts';

/** `Door action: used, denied; Member: all events`. */
export const describeWebhookFilter = (filter: readonly WebhookFilterRule[], { webhooks }: AdminMessages): string => {
  if (filter.length === 0) return webhooks.emptyFilter;
  const byType = Map.groupBy(filter, getWebhookFilterObjectType);
  return [...byType]
    .map(([type, rules]) => {
      const verbs = rules.map(({ verb }) => (verb == null ? webhooks.anyVerb : (webhooks.verbs[verb] ?? verb)));
      const more = rules.some(rule => listOtherWebhookFilterConditions(rule).length > 0) ? ' …' : '';
      return `${type === '' ? webhooks.anyType : (webhooks.types[type] ?? type)}: ${[...new Set(verbs)].join(', ')}${more}`;
    })
    .join('; ');
};

import type { EventObjectType } from '@lintel/wire-protocol/rest/event-terms';
import type { WebhookFilterRule } from '@lintel/wire-protocol/rest/webhook-filter';

/** In the order in which people need them. */
export const webhookFilterObjectTypes = [
  'gadget_action',
  'gadget_state',
  'gadget_signal',
  'device',
  'member',
  'member_pin',
  'member_card',
  'member_magic_link',
  'member_email',
  'member_token',
  'member_group_association',
  'member_group',
  'schedule',
  'card',
  'gadget',
  'site',
  'organization',
  'tag',
  'gadget_trigger',
  'webhook',
  'user',
  'oauth_application',
  'hardware',
  'claim_ticket',
  'technician_pass',
] as const satisfies readonly EventObjectType[];

export const webhookFilterVerbs = ['create', 'edit', 'delete', 'use', 'deny', 'reveal', 'check'] as const;

/** The objects that a receiver uses most. */
export const webhookExpandNames = [
  'subject_member',
  'subject_user',
  'subject_oauth_application',
  'object_gadget',
  'object_device',
  'object_member',
  'object_member_group',
  'object_site',
] as const;

export const getWebhookFilterObjectType = (rule: WebhookFilterRule): string =>
  rule['object_type'] ?? rule['object.type'] ?? '';

/** The conditions besides object type and verb, which the form keeps as they are. */
export const listOtherWebhookFilterConditions = (
  rule: WebhookFilterRule,
): readonly (readonly [string, string | null])[] =>
  Object.entries(rule).filter(([name]) => !['object_type', 'object.type', 'verb'].includes(name));

/** The rule with another object type or verb. An empty text stands for all. */
export const changeWebhookFilterRule = (
  rule: WebhookFilterRule,
  change: { readonly type?: string; readonly verb?: string },
): WebhookFilterRule => {
  const type = change.type ?? getWebhookFilterObjectType(rule);
  const verb = change.verb ?? rule['verb'] ?? '';
  return {
    ...Object.fromEntries(listOtherWebhookFilterConditions(rule)),
    ...(type === '' ? {} : { object_type: type }),
    ...(verb === '' ? {} : { verb }),
  };
};

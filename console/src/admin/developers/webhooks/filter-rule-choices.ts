import type { EventObjectType, eventVerbs } from '@lintel/wire-protocol/rest/event-verbs-and-object-types';
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

type Verb = (typeof eventVerbs)[number];

const changes = ['create', 'edit', 'delete'] as const satisfies readonly Verb[];

/** For objects that are not only created, changed and deleted. */
const otherVerbs: Partial<Record<EventObjectType, readonly Verb[]>> = {
  gadget_action: ['use', 'deny'],
  gadget_state: ['edit'],
  gadget_signal: ['use'],
  device: [...changes, 'use', 'deny', 'reveal'],
  member: [...changes, 'check'],
  member_pin: [...changes, 'reveal'],
  member_magic_link: [...changes, 'reveal'],
  gadget_trigger: [...changes, 'deny'],
  webhook: [...changes, 'use', 'check'],
  claim_ticket: [...changes, 'use'],
  organization: ['create', 'edit'],
  hardware: ['create', 'delete'],
  technician_pass: ['create'],
};

/** What can happen to an object of this type, and what the rule already selects. */
export const listWebhookFilterVerbs = (rule: WebhookFilterRule): readonly string[] => {
  const { verb } = rule;
  const verbs: readonly string[] = otherVerbs[getWebhookFilterObjectType(rule) as EventObjectType] ?? changes;
  return verb == null || verbs.includes(verb) ? verbs : [...verbs, verb];
};

/** Frequent choices. */
export const webhookFilterPresets = {
  doors: [
    { object_type: 'gadget_action', verb: 'use' },
    { object_type: 'gadget_action', verb: 'deny' },
  ],
  members: [
    { object_type: 'member' },
    { object_type: 'member_pin' },
    { object_type: 'member_card' },
    { object_type: 'member_magic_link' },
    { object_type: 'member_email' },
    { object_type: 'member_token' },
    { object_type: 'member_group_association' },
  ],
  states: [{ object_type: 'gadget_state' }, { object_type: 'gadget_signal' }, { object_type: 'device' }],
} as const satisfies Readonly<Record<string, readonly WebhookFilterRule[]>>;

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

/** The rule with another object type, which resets the verb, or with another verb. An empty text stands for all. */
export const changeWebhookFilterRule = (
  rule: WebhookFilterRule,
  change: { readonly type?: string; readonly verb?: string },
): WebhookFilterRule => {
  const type = change.type ?? getWebhookFilterObjectType(rule);
  const verb = change.verb ?? (change.type === undefined ? (rule['verb'] ?? '') : '');
  return {
    ...Object.fromEntries(listOtherWebhookFilterConditions(rule)),
    ...(type === '' ? {} : { object_type: type }),
    ...(verb === '' ? {} : { verb }),
  };
};

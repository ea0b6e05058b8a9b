export const eventVerbs = ['create', 'edit', 'delete', 'use', 'reveal', 'deny', 'check'] as const;

export const eventObjectTypes = [
  'device',
  'gadget',
  'gadget_action',
  'gadget_state',
  'gadget_signal',
  'member',
  'member_email',
  'member_magic_link',
  'member_group',
  'member_group_association',
  'member_pin',
  'member_card',
  'member_token',
  'organization',
  'site',
  'webhook',
  'hardware',
  'card',
  'schedule',
  'tag',
  'gadget_trigger',
  'user',
  'oauth_application',
  'claim_ticket',
  'technician_pass',
] as const;
export type EventObjectType = (typeof eventObjectTypes)[number];

/** Prefixes of the fields `subject.<type>_id`. */
export const eventSubjectTypes = [
  'member',
  'member_email',
  'member_magic_link',
  'member_pin',
  'member_card',
  'member_token',
  'user',
  'oauth_application',
  'device',
] as const;

/** Names for the sentences about events. */
export const EVENT_EXPAND_NAMES = [
  'subject_member',
  'subject_user',
  'subject_oauth_application',
  'subject_device',
  'object_member',
  'object_gadget',
  'object_device',
  'object_member_group',
  'object_site',
  'object_schedule',
  'object_card',
  'object_tag',
  'object_user',
  'object_oauth_application',
].join(',');

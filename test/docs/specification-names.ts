/** Names in the Access Control Service API v2 specification, for the comparison with what the bridge serves. */

const words = (text: string): string[] => text.split(' ');

const common = ['is_deleted', 'created_at', 'metadata'];
const credential = ['id', 'organization_id', 'member_id', ...common];

export const specifiedFields: Readonly<Record<string, readonly string[]>> = {
  organization: ['id', 'name', ...common],
  site: ['id', 'name', 'organization_id', 'geo', 'map', 'phone', 'email', 'info', 'timezone', 'tag_ids', ...common],
  product: ['id', 'name'],
  device: [
    ...words('id name organization_id site_id hardware_id product_id revision_id input_rules'),
    ...words('capabilities status tag_ids'),
    ...common,
  ],
  device_capabilities: [
    ...words('gadgets gadget_max_count script internet ethernet wifi cellular pin nfc'),
    ...words('input_rules mains battery battery_rechargeable audio'),
  ],
  device_status: ['online', 'mains_present', 'battery_present', 'battery_charging', 'battery_percent'],
  device_input_rule: ['code', 'gadget_id', 'action_id'],
  gadget: [...words('id organization_id site_id device_id name actions states signals state_id tag_ids'), ...common],
  gadget_trigger: [
    ...words('id organization_id site_id source_gadget_id source_state_id source_signal_id source_type'),
    ...words('source_schedule_id source_schedule_event target_gadget_id target_action_id'),
    ...words('is_deleted created_at'),
  ],
  member: ['id', 'organization_id', 'name', 'starts_at', 'ends_at', 'tag_ids', ...common],
  member_email: [...credential, 'email'],
  member_magic_link: credential,
  member_magic_link_revealed: [...credential, 'link'],
  member_pin: [...credential, 'length'],
  member_pin_revealed: [...credential, 'length', 'pin'],
  member_card: [...credential, 'card_id', 'uid', 'printed_code', 'name'],
  member_token: credential,
  member_token_revealed: [...credential, 'token'],
  member_group_association: [...credential, 'member_group_id', 'starts_at', 'ends_at'],
  card: ['id', 'organization_id', 'name', 'uid', 'printed_code', 'metadata'],
  member_group: ['id', 'organization_id', 'name', 'permissions', 'tag_ids', ...common],
  member_group_permission_rule: [
    ...words('site_id gadget_id action_id schedule_id presence access_methods member_group_id'),
  ],
  schedule: ['id', 'organization_id', 'name', 'weekdays', ...common],
  webhook: ['id', 'organization_id', 'url', 'filter', 'expand'],
  event: ['id', 'organization_id', 'subject', 'verb', 'object', 'created_at', 'occurred_at'],
  event_subject: [
    ...words('member_id member_email_id member_magic_link_id member_pin_id member_card_id member_token_id'),
    ...words('client ip_address access_method'),
  ],
  client_info: [
    ...words('device_type user_agent os os_version device_manufacturer device_model app_package_name'),
    ...words('app_name app_version app_version_code browser browser_version sdk_version sdk_commit'),
  ],
  event_object: [
    ...words('type device_id gadget_id gadget_action_id gadget_state_id gadget_signal_id member_id'),
    ...words('member_email_id member_magic_link_id member_group_id member_group_association_id member_pin_id'),
    ...words('member_card_id member_token_id organization_id site_id webhook_id hardware_id card_id'),
  ],
};

export const specifiedRequests: Readonly<Record<string, readonly string[]>> = {
  editOrganization: ['metadata'],
  editSite: ['metadata'],
  editDevice: ['metadata'],
  editGadget: ['metadata'],
  createMember: ['name', 'starts_at', 'ends_at', 'metadata'],
  editMember: ['name', 'starts_at', 'ends_at', 'is_deleted', 'metadata'],
  createMemberEmail: ['email', 'metadata'],
  createMemberMagicLink: ['metadata'],
  createMemberPin: ['length'],
  createMemberGroupAssociation: ['member_group_id', 'starts_at', 'ends_at'],
  createMemberGroup: ['name', 'permissions', 'metadata'],
  editMemberGroup: ['name', 'permissions', 'metadata'],
  createSchedule: ['name', 'weekdays', 'metadata'],
  editSchedule: ['name', 'weekdays', 'metadata'],
  createCard: ['id', 'printed_code', 'uid', 'name', 'metadata'],
  editCard: ['name', 'metadata'],
};

/** Operations whose request and response the specification shows, at least in part. */
export const specifiedOperations: readonly string[] = [
  ...Object.keys(specifiedRequests),
  ...words('getOrganization listSites getSite listProducts getProduct listDevices getDevice'),
  ...words('listGadgets getGadget executeGadgetAction executeGadgetActionAsMember'),
  ...words('listMembers getMember deleteMember listMemberEmails getMemberEmail editMemberEmail'),
  ...words('createMemberCard createMemberToken deleteMemberGroupAssociation'),
  ...words('listMemberGroups getMemberGroup deleteMemberGroup listSchedules getSchedule deleteSchedule'),
  ...words('listCards getCard deleteCard listEvents getEvent'),
];

export const specifiedParameters: readonly string[] = ['cursor', 'limit', 'sort', 'expand'];

export const specifiedFilters: Readonly<Record<string, readonly string[]>> = {
  listMembers: ['is_deleted', 'email', 'metadata.source', 'metadata.sourceID'],
  listMemberEmails: ['q'],
  listMemberGroups: ['q'],
  listSchedules: ['q'],
  listEvents: ['object.gadget_id', 'subject.member_id', 'created_at:gt'],
};

export const specifiedValues: Readonly<Record<string, readonly string[]>> = {
  event_verb: ['create', 'edit', 'delete', 'use', 'reveal'],
  event_object_type: [
    ...words('device gadget gadget_action gadget_state gadget_signal member member_email'),
    ...words('member_magic_link member_group member_group_association member_pin member_card member_token'),
    ...words('organization site webhook hardware card'),
  ],
  access_method: ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'],
  presence: ['none', 'gps'],
  gadget_trigger_source_type: ['state', 'signal', 'schedule'],
  gadget_trigger_source_schedule_event: ['enter', 'exit'],
  device_capabilities_gadgets: ['none', 'single', 'multiple'],
};

export const specifiedHeaders: readonly string[] = ['X-Service-Sig-SHA256'];

/** What an OAuth application may be permitted too. Its tokens stand for the role of their scope, limited to these. */
export const permissionsOpenToApplications = [
  'organization.read',
  'organization.edit',
  'users.read',
  'sites.read',
  'sites.write',
  'products.read',
  'devices.read',
  'devices.edit',
  'devices.write',
  'gadgets.read',
  'gadgets.write',
  'gadgets.execute',
  'gadget_triggers.read',
  'gadget_triggers.write',
  'input_rules.read',
  'input_rules.write',
  'members.read',
  'members.write',
  'members.erase',
  'credentials.reveal',
  'member_groups.read',
  'member_groups.write',
  'schedules.read',
  'schedules.write',
  'cards.read',
  'cards.write',
  'tags.read',
  'tags.write',
  'events.read',
  'alerts.read',
  'alerts.write',
  'applications.read',
  'claim_tickets.read',
  'updates.read',
] as const;

/** Rights over identity and trust: only for signed-in users and for script tokens, which such users or the operator create. */
export const permissionsClosedToApplications = [
  'users.write',
  'applications.write',
  'claim_tickets.write',
  'devices.confirm',
  'technician_passes.write',
  'updates.write',
] as const;

/** What a role permits in an organization. Each endpoint of the administration API requires one of these. */
export const adminPermissions = [...permissionsOpenToApplications, ...permissionsClosedToApplications] as const;
export type AdminPermission = (typeof adminPermissions)[number];

import { readObjectExample } from './object-and-response-examples.ts';
import { sharedRequestExamples, createWebhookRequestExample } from './public-requests.ts';

const idOf = (type: string): unknown => readObjectExample(type)['id'];

const technicianKey = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';

/** Example bodies of the admin API, by operation. All others are an edit of the metadata, or empty. */
export const adminRequestExamples: Readonly<Record<string, object>> = {
  ...sharedRequestExamples,
  createOrganization: { name: 'Hotel Demo' },
  editOrganization: { name: 'Hotel Demo Barcelona' },
  editRetention: { event_days: 365 },
  eraseMember: {},
  importMembers: {
    members: [
      { line: 2, name: 'Ann Berg', member_group_ids: [idOf('member_group')], ends_at: '2026-06-12T09:00:00.000Z' },
    ],
    dry_run: true,
  },
  createIncidentConfirmClock: { time: '2026-06-09T10:00:00.000Z' },
  inviteUser: { email: 'technician@example.com', role: 'technician', site_ids: [idOf('site')] },
  editUser: { role: 'viewer' },
  createSite: { name: 'Main building', timezone: 'Europe/Madrid' },
  editSite: { timezone: 'Europe/Madrid' },
  createDevice: {
    site_id: idOf('site'),
    name: 'Front door controller',
    product_id: 'virtual',
    gadgets: [{ name: 'Front door', actions: [{ id: 'open', name: 'Open' }] }],
  },
  editDevice: { name: 'Front door controller' },
  replaceDevice: { hardware_id: readObjectExample('device')['hardware_id'] },
  createGadget: { device_id: idOf('device'), name: 'Front door', actions: [{ id: 'open', name: 'Open' }] },
  editGadget: { name: 'Front door' },
  replaceDeviceInputRules: {
    input_rules: readObjectExample('input_rules')['input_rules'],
    base: readObjectExample('input_rules')['base'],
  },
  setScheduleException: { name: 'Christmas', ranges: [{ start: 32_400, end: 43_200 }] },
  typeAtVirtualKeypad: { keys: '2580' },
  copyDeviceInputRules: { device_ids: [idOf('device')] },
  checkAccess: { member_id: idOf('member'), gadget_id: idOf('gadget'), action_id: 'open', access_method: 'online' },
  sendMemberCredentials: { member_pin_ids: [idOf('member_pin')] },
  createCardStock: { csv: 'printed_code,uid\nLNT-0001,04a1b2c3d4e5f6\n' },
  createClaimTicket: { site_id: idOf('site') },
  createTechnicianPass: { site_id: idOf('site'), public_key: technicianKey },
  createApplication: { name: 'PMS', redirect_uris: ['https://pms.example.com/callback'] },
  editApplication: { redirect_uris: ['https://pms.example.com/callback'] },
  rotateApplicationSecret: {},
  createToken: { name: 'Nightly export', scope: 'full_read_only' },
  createApplicationWebhook: createWebhookRequestExample,
  createAlertRule: {
    name: 'Controller offline',
    kind: 'device_offline',
    minutes: 10,
    webhook: { url: 'https://hooks.example.com/T000/B000', format: 'slack' },
  },
  editAlertRule: { minutes: 15 },
  createRollout: { release_id: idOf('release'), all: true, stages: [{ percent: 10, wait_s: 86_400 }] },
};

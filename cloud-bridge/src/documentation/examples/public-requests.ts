import { readObjectExample } from './object-and-response-examples.ts';

const idOf = (type: string): unknown => readObjectExample(type)['id'];

const weekdays = [0, 1, 2, 3, 4, 5, 6].map(day => ({ ranges: day < 5 ? [{ start: 28_800, end: 64_800 }] : [] }));
const stay = { starts_at: '2026-11-20T14:00:00Z', ends_at: '2026-11-23T10:00:00Z' };

/** Bodies of operations that both APIs have. */
export const sharedRequestExamples: Readonly<Record<string, object>> = {
  executeGadgetActionAsMember: { member_id: idOf('member') },
  createGadgetTrigger: {
    source_type: 'schedule',
    source_schedule_id: idOf('schedule'),
    source_schedule_event: 'enter',
    target_gadget_id: idOf('gadget'),
    target_action_id: 'open',
  },
  editGadgetTrigger: { source_schedule_event: 'exit' },
  createMember: { name: 'Reservation 4711', ...stay, metadata: { source: 'pms', sourceID: '4711' } },
  editMember: { ends_at: '2026-11-24T10:00:00Z' },
  createMemberEmail: { email: 'ann@example.com' },
  createMemberPin: { length: 6 },
  createMemberCard: { uid: '04f6e5d4c3b2a1' },
  createMemberGroupAssociation: { member_group_id: idOf('member_group') },
  editMemberGroupAssociation: { ends_at: '2026-11-21T10:00:00Z' },
  createMemberGroup: { name: 'Room 12', permissions: [{ gadget_id: idOf('gadget'), action_id: 'open' }] },
  editMemberGroup: { name: 'Room 12 and sauna' },
  createSchedule: { name: 'Office hours', weekdays },
  editSchedule: { name: 'Opening hours' },
  createCard: { uid: '04a1b2c3d4e5f6', name: 'Blue card' },
  editCard: { name: 'Blue card, second floor' },
  createTag: { name: 'VIP', color: '#c0392b' },
  editTag: { color: '#2f6f4f' },
};

export const createWebhookRequestExample = {
  url: 'https://pms.example.com/doors',
  filter: [{ object_type: 'gadget_action', verb: 'use' }],
};

/** Example bodies of the public API, by operation. All others are an edit of the metadata, or empty. */
export const publicRequestExamples: Readonly<Record<string, object>> = {
  ...sharedRequestExamples,
  createWebhook: createWebhookRequestExample,
  editWebhook: { is_enabled: true },
};

import type { AdminMessages } from './en.ts';
import { generalMessages } from './es/general.ts';
import { activityMessages } from './es/activity.ts';
import { alertsMessages } from './es/alerts.ts';
import { memberBulkActionMessages } from './es/member-bulk-actions-and-import.ts';
import { cardsMessages } from './es/cards.ts';
import { claimMessages } from './es/claim.ts';
import { deskLimitsMessages } from './es/desk-limits.ts';
import { developersMessages } from './es/developers.ts';
import { deviceMessages } from './es/device.ts';
import { doorMessages } from './es/door.ts';
import { doorsMessages } from './es/doors.ts';
import { eventsMessages } from './es/event-sentences.ts';
import { groupsMessages } from './es/groups.ts';
import { homeMessages } from './es/home.ts';
import { memberMessages } from './es/member.ts';
import { membersMessages } from './es/members.ts';
import { organizationUsersMessages } from './es/organization-users.ts';
import { inputRulesMessages } from './es/input-rules.ts';
import { schedulesMessages } from './es/schedules.ts';
import { settingsMessages } from './es/settings.ts';
import { shellMessages } from './es/shell.ts';
import { sitesMessages } from './es/sites.ts';
import { firstStepsMessages } from './es/first-run-and-first-steps.ts';
import { stayMessages } from './es/stay.ts';
import { gadgetTriggersMessages } from './es/gadget-triggers.ts';
import { updatesMessages } from './es/updates.ts';
import { webhooksMessages } from './es/webhooks.ts';
import { accessExplanationMessages } from './es/access-explanation.ts';

export const adminMessages: AdminMessages = {
  general: generalMessages,
  activity: activityMessages,
  alerts: alertsMessages,
  bulk: memberBulkActionMessages,
  cards: cardsMessages,
  claim: claimMessages,
  desk: deskLimitsMessages,
  developers: developersMessages,
  device: deviceMessages,
  door: doorMessages,
  doors: doorsMessages,
  events: eventsMessages,
  groups: groupsMessages,
  home: homeMessages,
  member: memberMessages,
  members: membersMessages,
  people: organizationUsersMessages,
  rules: inputRulesMessages,
  schedules: schedulesMessages,
  settings: settingsMessages,
  shell: shellMessages,
  sites: sitesMessages,
  start: firstStepsMessages,
  stay: stayMessages,
  triggers: gadgetTriggersMessages,
  updates: updatesMessages,
  webhooks: webhooksMessages,
  why: accessExplanationMessages,
};

import type { AdminMessages } from './en.ts';
import { generalMessages } from './de/general.ts';
import { activityMessages } from './de/activity.ts';
import { alertsMessages } from './de/alerts.ts';
import { memberBulkActionMessages } from './de/member-bulk-actions-and-import.ts';
import { cardsMessages } from './de/cards.ts';
import { claimMessages } from './de/claim.ts';
import { deskLimitsMessages } from './de/desk-limits.ts';
import { developersMessages } from './de/developers.ts';
import { deviceMessages } from './de/device.ts';
import { doorMessages } from './de/door.ts';
import { doorsMessages } from './de/doors.ts';
import { eventsMessages } from './de/event-sentences.ts';
import { groupsMessages } from './de/groups.ts';
import { homeMessages } from './de/home.ts';
import { memberMessages } from './de/member.ts';
import { membersMessages } from './de/members.ts';
import { organizationUsersMessages } from './de/organization-users.ts';
import { inputRulesMessages } from './de/input-rules.ts';
import { schedulesMessages } from './de/schedules.ts';
import { settingsMessages } from './de/settings.ts';
import { shellMessages } from './de/shell.ts';
import { sitesMessages } from './de/sites.ts';
import { firstStepsMessages } from './de/first-run-and-first-steps.ts';
import { stayMessages } from './de/stay.ts';
import { gadgetTriggersMessages } from './de/gadget-triggers.ts';
import { updatesMessages } from './de/updates.ts';
import { webhooksMessages } from './de/webhooks.ts';
import { accessExplanationMessages } from './de/access-explanation.ts';

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

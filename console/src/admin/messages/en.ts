import { generalMessages } from './en/general.ts';
import { activityMessages } from './en/activity.ts';
import { alertsMessages } from './en/alerts.ts';
import { memberBulkActionMessages } from './en/member-bulk-actions-and-import.ts';
import { cardsMessages } from './en/cards.ts';
import { claimMessages } from './en/claim.ts';
import { deskLimitsMessages } from './en/desk-limits.ts';
import { developersMessages } from './en/developers.ts';
import { deviceMessages } from './en/device.ts';
import { doorMessages } from './en/door.ts';
import { doorsMessages } from './en/doors.ts';
import { eventsMessages } from './en/event-sentences.ts';
import { groupsMessages } from './en/groups.ts';
import { homeMessages } from './en/home.ts';
import { memberMessages } from './en/member.ts';
import { membersMessages } from './en/members.ts';
import { organizationUsersMessages } from './en/organization-users.ts';
import { inputRulesMessages } from './en/input-rules.ts';
import { schedulesMessages } from './en/schedules.ts';
import { settingsMessages } from './en/settings.ts';
import { shellMessages } from './en/shell.ts';
import { sitesMessages } from './en/sites.ts';
import { firstStepsMessages } from './en/first-run-and-first-steps.ts';
import { stayMessages } from './en/stay.ts';
import { gadgetTriggersMessages } from './en/gadget-triggers.ts';
import { updatesMessages } from './en/updates.ts';
import { webhooksMessages } from './en/webhooks.ts';
import { accessExplanationMessages } from './en/access-explanation.ts';

export const adminMessages = {
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

/** The other languages have this type, so that a missing text is a compile error. */
export type AdminMessages = typeof adminMessages;

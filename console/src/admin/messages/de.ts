import type { AdminMessages } from './en.ts';
import { generalMessages } from './de/general.ts';
import { activityMessages } from './de/activity.ts';
import { alertsMessages } from './de/alerts.ts';
import { bulkMessages } from './de/bulk.ts';
import { cardsMessages } from './de/cards.ts';
import { claimMessages } from './de/claim.ts';
import { developersMessages } from './de/developers.ts';
import { deviceMessages } from './de/device.ts';
import { doorMessages } from './de/door.ts';
import { doorsMessages } from './de/doors.ts';
import { eventsMessages } from './de/events.ts';
import { groupsMessages } from './de/groups.ts';
import { homeMessages } from './de/home.ts';
import { memberMessages } from './de/member.ts';
import { membersMessages } from './de/members.ts';
import { peopleMessages } from './de/people.ts';
import { rulesMessages } from './de/rules.ts';
import { schedulesMessages } from './de/schedules.ts';
import { settingsMessages } from './de/settings.ts';
import { shellMessages } from './de/shell.ts';
import { sitesMessages } from './de/sites.ts';
import { firstStepsMessages } from './de/start.ts';
import { stayMessages } from './de/stay.ts';
import { triggersMessages } from './de/triggers.ts';
import { updatesMessages } from './de/updates.ts';
import { webhooksMessages } from './de/webhooks.ts';
import { accessExplanationMessages } from './de/why.ts';

export const adminMessages: AdminMessages = {
  general: generalMessages,
  activity: activityMessages,
  alerts: alertsMessages,
  bulk: bulkMessages,
  cards: cardsMessages,
  claim: claimMessages,
  developers: developersMessages,
  device: deviceMessages,
  door: doorMessages,
  doors: doorsMessages,
  events: eventsMessages,
  groups: groupsMessages,
  home: homeMessages,
  member: memberMessages,
  members: membersMessages,
  people: peopleMessages,
  rules: rulesMessages,
  schedules: schedulesMessages,
  settings: settingsMessages,
  shell: shellMessages,
  sites: sitesMessages,
  start: firstStepsMessages,
  stay: stayMessages,
  triggers: triggersMessages,
  updates: updatesMessages,
  webhooks: webhooksMessages,
  why: accessExplanationMessages,
};

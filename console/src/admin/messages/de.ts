import type { AdminMessages } from './en.ts';
import { general } from './de/general.ts';
import { activity } from './de/activity.ts';
import { alerts } from './de/alerts.ts';
import { bulk } from './de/bulk.ts';
import { cards } from './de/cards.ts';
import { claim } from './de/claim.ts';
import { developers } from './de/developers.ts';
import { device } from './de/device.ts';
import { door } from './de/door.ts';
import { doors } from './de/doors.ts';
import { events } from './de/events.ts';
import { groups } from './de/groups.ts';
import { home } from './de/home.ts';
import { member } from './de/member.ts';
import { members } from './de/members.ts';
import { people } from './de/people.ts';
import { rules } from './de/rules.ts';
import { schedules } from './de/schedules.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { sites } from './de/sites.ts';
import { start } from './de/start.ts';
import { stay } from './de/stay.ts';
import { triggers } from './de/triggers.ts';
import { updates } from './de/updates.ts';
import { webhooks } from './de/webhooks.ts';
import { why } from './de/why.ts';

export const messages: AdminMessages = {
  general,
  activity,
  alerts,
  bulk,
  cards,
  claim,
  developers,
  device,
  door,
  doors,
  events,
  groups,
  home,
  member,
  members,
  people,
  rules,
  schedules,
  settings,
  shell,
  sites,
  start,
  stay,
  triggers,
  updates,
  webhooks,
  why,
};

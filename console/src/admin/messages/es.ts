import type { AdminMessages } from './en.ts';
import { general } from './es/general.ts';
import { activity } from './es/activity.ts';
import { alerts } from './es/alerts.ts';
import { bulk } from './es/bulk.ts';
import { cards } from './es/cards.ts';
import { claim } from './es/claim.ts';
import { developers } from './es/developers.ts';
import { device } from './es/device.ts';
import { door } from './es/door.ts';
import { doors } from './es/doors.ts';
import { events } from './es/events.ts';
import { groups } from './es/groups.ts';
import { home } from './es/home.ts';
import { member } from './es/member.ts';
import { members } from './es/members.ts';
import { people } from './es/people.ts';
import { rules } from './es/rules.ts';
import { schedules } from './es/schedules.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';
import { sites } from './es/sites.ts';
import { start } from './es/start.ts';
import { stay } from './es/stay.ts';
import { triggers } from './es/triggers.ts';
import { updates } from './es/updates.ts';
import { webhooks } from './es/webhooks.ts';
import { why } from './es/why.ts';

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

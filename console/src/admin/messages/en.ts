import { general } from './en/general.ts';
import { activity } from './en/activity.ts';
import { alerts } from './en/alerts.ts';
import { bulk } from './en/bulk.ts';
import { cards } from './en/cards.ts';
import { claim } from './en/claim.ts';
import { developers } from './en/developers.ts';
import { device } from './en/device.ts';
import { door } from './en/door.ts';
import { doors } from './en/doors.ts';
import { events } from './en/events.ts';
import { groups } from './en/groups.ts';
import { home } from './en/home.ts';
import { member } from './en/member.ts';
import { members } from './en/members.ts';
import { people } from './en/people.ts';
import { rules } from './en/rules.ts';
import { schedules } from './en/schedules.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { sites } from './en/sites.ts';
import { start } from './en/start.ts';
import { stay } from './en/stay.ts';
import { triggers } from './en/triggers.ts';
import { updates } from './en/updates.ts';
import { webhooks } from './en/webhooks.ts';
import { why } from './en/why.ts';

export const messages = {
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

/** The other languages have this type, so that a missing text is a compile error. */
export type AdminMessages = typeof messages;

import type { Messages } from './en.ts';
import { general } from './de/general.ts';
import { activity } from './de/activity.ts';
import { doors } from './de/doors.ts';
import { events } from './de/events.ts';
import { home } from './de/home.ts';
import { member } from './de/member.ts';
import { members } from './de/members.ts';
import { shell } from './de/shell.ts';
import { stay } from './de/stay.ts';
import { why } from './de/why.ts';

export const messages: Messages = { activity, general, doors, events, home, member, members, shell, stay, why };

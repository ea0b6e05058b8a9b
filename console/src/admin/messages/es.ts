import type { Messages } from './en.ts';
import { general } from './es/general.ts';
import { activity } from './es/activity.ts';
import { doors } from './es/doors.ts';
import { events } from './es/events.ts';
import { home } from './es/home.ts';
import { member } from './es/member.ts';
import { members } from './es/members.ts';
import { shell } from './es/shell.ts';
import { stay } from './es/stay.ts';
import { why } from './es/why.ts';

export const messages: Messages = { activity, general, doors, events, home, member, members, shell, stay, why };

import { general } from './en/general.ts';
import { activity } from './en/activity.ts';
import { doors } from './en/doors.ts';
import { events } from './en/events.ts';
import { home } from './en/home.ts';
import { member } from './en/member.ts';
import { members } from './en/members.ts';
import { shell } from './en/shell.ts';
import { stay } from './en/stay.ts';
import { why } from './en/why.ts';

export const messages = { activity, general, doors, events, home, member, members, shell, stay, why };

/** The other languages have this type, so that a missing text is a compile error. */
export type Messages = typeof messages;

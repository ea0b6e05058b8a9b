import { general } from './en/general.ts';
import { doors } from './en/doors.ts';
import { home } from './en/home.ts';
import { shell } from './en/shell.ts';

export const messages = { general, doors, home, shell };

/** The other languages have this type, so that a missing text is a compile error. */
export type Messages = typeof messages;

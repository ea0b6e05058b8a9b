import type { Messages } from './en.ts';
import { general } from './de/general.ts';
import { doors } from './de/doors.ts';
import { home } from './de/home.ts';
import { shell } from './de/shell.ts';

export const messages: Messages = { general, doors, home, shell };

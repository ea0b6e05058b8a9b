import type { Messages } from './en.ts';
import { general } from './es/general.ts';
import { doors } from './es/doors.ts';
import { home } from './es/home.ts';
import { shell } from './es/shell.ts';

export const messages: Messages = { general, doors, home, shell };

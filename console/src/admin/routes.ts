import { doorIcon, homeIcon } from '../design/icons.ts';
import type { Route } from './router/route.ts';

/** All screens. A screen that the role may not use is neither in the navigation nor reachable by its address. */
export const routes: readonly Route[] = [
  {
    path: '',
    permission: null,
    load: async () => (await import('./home/home.tsx')).HomeScreen,
    navigation: { icon: homeIcon, label: ({ shell }) => shell.home, isPrimary: true },
  },
  {
    path: '/doors',
    permission: 'gadgets.read',
    load: async () => (await import('./doors/doors.tsx')).DoorsScreen,
    navigation: { icon: doorIcon, label: ({ shell }) => shell.doors, isPrimary: true },
  },
];

import { doorIcon, homeIcon, listIcon, peopleIcon } from '../design/icons.ts';
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
    path: '/members',
    permission: 'members.read',
    load: async () => (await import('./members/members.tsx')).MembersScreen,
    navigation: { icon: peopleIcon, label: ({ shell }) => shell.members, isPrimary: true },
  },
  {
    path: '/members/new',
    permission: 'members.write',
    load: async () => (await import('./stay/new-stay.tsx')).NewStayScreen,
  },
  {
    path: '/members/:member_id',
    permission: 'members.read',
    load: async () => (await import('./member/member.tsx')).MemberScreen,
  },
  {
    path: '/doors',
    permission: 'gadgets.read',
    load: async () => (await import('./doors/doors.tsx')).DoorsScreen,
    navigation: { icon: doorIcon, label: ({ shell }) => shell.doors, isPrimary: true },
  },
  {
    path: '/activity',
    permission: 'events.read',
    load: async () => (await import('./activity/activity.tsx')).ActivityScreen,
    navigation: { icon: listIcon, label: ({ shell }) => shell.activity, isPrimary: true },
  },
];

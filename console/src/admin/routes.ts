import {
  bellIcon,
  cardIcon,
  clockIcon,
  codeIcon,
  doorIcon,
  downloadIcon,
  homeIcon,
  keyIcon,
  listIcon,
  peopleIcon,
  personIcon,
  settingsIcon,
} from '../design/icons.ts';
import type { ScreenRoute } from './router/screen-route-type.ts';

/** All screens. A screen that the role may not use is not in the navigation, and its address says so. */
export const screenRoutes: readonly ScreenRoute[] = [
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
    path: '/groups',
    permission: 'member_groups.read',
    load: async () => (await import('./groups/groups.tsx')).MemberGroupsScreen,
    navigation: { icon: keyIcon, label: ({ shell }) => shell.groups },
  },
  {
    path: '/groups/:group_id',
    permission: 'member_groups.read',
    load: async () => (await import('./groups/group.tsx')).MemberGroupScreen,
  },
  {
    path: '/schedules',
    permission: 'schedules.read',
    load: async () => (await import('./schedules/schedules.tsx')).SchedulesScreen,
    navigation: { icon: clockIcon, label: ({ shell }) => shell.schedules },
  },
  {
    path: '/schedules/:schedule_id',
    permission: 'schedules.read',
    load: async () => (await import('./schedules/schedule.tsx')).ScheduleScreen,
  },
  {
    path: '/cards',
    permission: 'cards.read',
    load: async () => (await import('./cards/cards.tsx')).CardsScreen,
    navigation: { icon: cardIcon, label: ({ shell }) => shell.cards },
  },
  {
    path: '/doors',
    permission: 'gadgets.read',
    load: async () => (await import('./doors/doors.tsx')).DoorsScreen,
    navigation: { icon: doorIcon, label: ({ shell }) => shell.doors, isPrimary: true, otherPath: '/devices' },
  },
  {
    path: '/doors/:gadget_id',
    permission: 'gadgets.read',
    load: async () => (await import('./door/door.tsx')).DoorScreen,
  },
  {
    path: '/devices/new',
    permission: 'claim_tickets.write',
    load: async () => (await import('./claim/new-device.tsx')).NewDeviceScreen,
  },
  {
    path: '/devices/:device_id',
    permission: 'devices.read',
    load: async () => (await import('./device/device.tsx')).DeviceScreen,
  },
  {
    path: '/activity',
    permission: 'events.read',
    load: async () => (await import('./activity/activity.tsx')).ActivityScreen,
    navigation: { icon: listIcon, label: ({ shell }) => shell.activity, isPrimary: true },
  },
  {
    path: '/alerts',
    permission: 'alerts.read',
    load: async () => (await import('./alerts/alerts.tsx')).AlertsScreen,
    navigation: { icon: bellIcon, label: ({ shell }) => shell.alerts },
  },
  {
    path: '/people',
    permission: 'users.read',
    load: async () => (await import('./organization-users/organization-users.tsx')).OrganizationUsersScreen,
    navigation: { icon: personIcon, label: ({ shell }) => shell.people },
  },
  {
    path: '/people/audit',
    permission: 'users.read',
    load: async () => (await import('./organization-users/audit-log.tsx')).AuditLogScreen,
  },
  {
    path: '/developers',
    permission: 'applications.read',
    load: async () => (await import('./developers/applications/applications.tsx')).OAuthApplicationsScreen,
    navigation: { icon: codeIcon, label: ({ shell }) => shell.developers },
  },
  {
    path: '/developers/applications/:application_id',
    permission: 'applications.read',
    load: async () => (await import('./developers/applications/application.tsx')).OAuthApplicationScreen,
  },
  {
    path: '/developers/applications/:application_id/webhooks/:webhook_id',
    permission: 'applications.read',
    load: async () => (await import('./developers/webhooks/webhook.tsx')).WebhookScreen,
  },
  {
    path: '/developers/webhooks',
    permission: 'applications.read',
    load: async () => (await import('./developers/webhooks/webhooks.tsx')).WebhooksScreen,
  },
  {
    path: '/developers/tokens',
    permission: 'applications.read',
    load: async () => (await import('./developers/script-tokens/script-tokens.tsx')).ScriptTokensScreen,
  },
  {
    path: '/developers/authorizations',
    permission: 'applications.read',
    load: async () => (await import('./developers/authorizations.tsx')).OAuthAuthorizationsScreen,
  },
  {
    path: '/developers/stream',
    permission: 'applications.read',
    load: async () => (await import('./developers/stream/event-stream-screen.tsx')).EventStreamScreen,
  },
  {
    path: '/developers/reference',
    permission: 'applications.read',
    load: async () => (await import('./developers/reference/api-links-and-recipes.tsx')).ApiLinksAndRecipesScreen,
  },
  {
    path: '/updates',
    permission: 'updates.read',
    load: async () => (await import('./updates/updates.tsx')).UpdatesScreen,
    navigation: { icon: downloadIcon, label: ({ updates }) => updates.title },
  },
  {
    path: '/updates/:rollout_id',
    permission: 'updates.read',
    load: async () => (await import('./updates/rollout.tsx')).RolloutScreen,
  },
  {
    path: '/start',
    permission: 'sites.write',
    load: async () => (await import('./first-steps/first-steps.tsx')).FirstStepsScreen,
  },
  {
    path: '/settings',
    permission: 'organization.read',
    load: async () => (await import('./settings/settings.tsx')).SettingsScreen,
    navigation: { icon: settingsIcon, label: ({ shell }) => shell.settings },
  },
];

import type { doors as english } from '../en/doors.ts';

export const doors: typeof english = {
  title: 'Türen',
  subtitle: (doors, devices) =>
    `${doors} ${doors === 1 ? 'Tür' : 'Türen'} an ${devices} ${devices === 1 ? 'Controller' : 'Controllern'}`,
  filter: 'Nach Namen filtern',
  online: 'Online',
  offline: 'Offline',
  stateUnknown: 'Zustand unbekannt',
  emptyTitle: 'Noch keine Türen',
  emptyText: 'Ein Techniker fügt Türen hinzu, indem er vor Ort einen Controller übernimmt.',
  noMatch: 'Keine Tür hat diesen Namen.',
  controller: name => `Controller: ${name}`,
  open: (action, door) => `${action}: ${door}`,
  confirmTitle: (action, door) => `${door}: ${action}?`,
  confirmText: 'Die Tür reagiert sofort. Das Protokoll hält Ihren Namen fest.',
  confirm: action => action,
  opening: 'Wird gesendet …',
  done: (action, door) => `${door}: ${action} – erledigt`,
};

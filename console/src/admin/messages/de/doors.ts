import type { doorsMessages as english } from '../en/doors.ts';

export const doorsMessages: typeof english = {
  title: 'Türen und Controller',
  subtitle: (doors, devices) =>
    `${doors} ${doors === 1 ? 'Tür' : 'Türen'} an ${devices} ${devices === 1 ? 'Controller' : 'Controllern'}`,
  filter: 'Nach Namen filtern',
  addController: 'Controller hinzufügen',
  view: 'Ansicht',
  doorsView: 'Türen',
  devicesView: 'Controller',
  site: 'Standort',
  allSites: 'Alle Standorte',
  needsAttention: count => `Zu beachten (${count})`,
  noAttention: 'Nichts erfordert Ihre Aufmerksamkeit.',
  doorCount: count => `${count} ${count === 1 ? 'Tür' : 'Türen'}`,
  noSiteTitle: 'Noch keine Standorte',
  noSiteText: 'Ein Standort ist ein Gebäude mit eigener Zeitzone. Fügen Sie den ersten hinzu, danach seine Controller.',
  online: 'Online',
  offline: 'Offline',
  stateUnknown: 'Zustand unbekannt',
  lastKnown: when => `zuletzt bekannt ${when}`,
  notCurrent: 'nicht aktuell',
  unlockedSince: (when, by, stays) =>
    [
      when === null ? null : `seit ${when}`,
      by === null ? null : `durch ${by}`,
      stays ? 'bis sie verriegelt wird' : null,
    ]
      .filter(part => part !== null)
      .join(' '),
  unlockedAndOpen: state => `${state}, entriegelt`,
  by: {
    someone: 'jemanden',
    application: name => `${name} (Anwendung)`,
    schedule: name => (name === null ? 'einen Zeitplan' : `den Zeitplan ${name}`),
    trigger: 'einen Auslöser',
  },
  confirmStays: 'Die Tür bleibt entriegelt, bis sie verriegelt wird.',
  mains: 'Netzstrom',
  noMains: 'Kein Netzstrom',
  noBattery: 'keine Batterie',
  battery: (percent, isCharging) => `Batterie ${percent} %${isCharging ? ', lädt' : ''}`,
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

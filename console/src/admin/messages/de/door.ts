import type { doorMessages as english } from '../en/door.ts';

export const doorMessages: typeof english = {
  name: 'Name',
  rename: 'Umbenennen',
  state: 'Zustand',
  controller: 'Controller',
  connection: 'Verbindung',
  virtualConnection: 'Virtuell, immer online',
  power: 'Strom',
  powerUnknown: 'Nicht gemessen',
  site: 'Standort',
  members: 'Wer öffnen kann',
  noMembers:
    'Noch kann niemand diese Tür öffnen. Fügen Sie sie einer Gruppe hinzu, oder legen Sie einen Aufenthalt an.',
  moreMembers: 'Mehr anzeigen',
  now: 'Jetzt',
  notNow: 'Nicht jetzt',
  whyLabel: name => `Warum? ${name}`,
  checkPerson: 'Person prüfen',
  checkPersonHint: 'Erklärt, ob diese Tür für die Person öffnet, und warum.',
  lastOpened: (sentence, when) => `Zuletzt: ${sentence}, ${when}`,
  recentlyDenied: 'Vor Kurzem abgewiesen',
  everyone: 'Alle Mitglieder',
  rules: 'Eingaberegeln',
  noRules: 'Kein Tastenfeld und kein Leser öffnet diese Tür.',
  rule: (code, action) =>
    code === '' ? `PIN oder Karte ohne Code: ${action}` : `Code ${code}, dann PIN oder Karte: ${action}`,
  virtual: 'Virtuelle Tür',
  virtualText:
    'Für diese Tür meldet keine Hardware. Diese Tasten melden einen Zustand oder ein Signal, zum Beispiel um Auslöser zu testen.',
  states: 'Zustände',
  signals: 'Signale',
  setState: state => `Zustand melden: ${state}`,
  sendSignal: signal => `Signal senden: ${signal}`,
  reported: name => `${name}: gemeldet`,
  activity: 'Aktivität',
};

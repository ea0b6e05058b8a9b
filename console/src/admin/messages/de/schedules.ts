import type { schedulesMessages as english } from '../en/schedules.ts';

export const schedulesMessages: typeof english = {
  subtitle: 'Wöchentliche Zeiten für die Regeln der Gruppen',
  newSchedule: 'Neuer Zeitplan',
  emptyTitle: 'Noch keine Zeitpläne',
  emptyText:
    'Ein Zeitplan beschränkt eine Regel auf bestimmte Zeiten der Woche, zum Beispiel Montag bis Freitag von 8:00 bis 18:00.',
  never: 'Nie',
  everyWeek: 'Wiederholt sich jede Woche, in der Zeitzone jedes Standorts',
  times: 'Zeiten',
  gridHint:
    'Ziehen Sie im Raster, um eine Zeit anzulegen, zu verschieben oder zu ändern. Genaue Zeiten stehen in der Liste darunter.',
  from: 'Von',
  until: 'Bis',
  nextDay: 'nächster Tag',
  midnight: 'Mitternacht',
  closed: 'Kein Zugang',
  addRange: day => `Zeit hinzufügen: ${day}`,
  deleteRange: (day, start, end) => `${day}, ${start} bis ${end} löschen`,
  copyDayTitle: day => `${day} auf andere Tage kopieren`,
  copyTo: 'Ersetzt die Zeiten von',
  copy: 'Kopieren',
  unsaved: 'Die Änderungen sind noch nicht gespeichert.',
  discard: 'Verwerfen',
  saved: 'Der Zeitplan ist gespeichert',
  now: 'Jetzt',
  nowAfterSaving: 'Jetzt, nach dem Speichern',
  activeNow: (site, until) => (until === null ? `${site}: immer aktiv` : `${site}: aktiv bis ${until}`),
  inactiveNow: (site, until) => (until === null ? `${site}: nie aktiv` : `${site}: nicht aktiv, beginnt ${until}`),
  noTimeZone: site => `${site} hat keine Zeitzone. Regeln mit Zeitplan gelten dort nie.`,
  usedBy: 'Verwendet von',
  unused: 'Keine Regel verwendet diesen Zeitplan.',
  ruleOf: (group, rule) => `${group}, Regel ${rule}`,
  triggerOf: door => `Auslöser für ${door}`,
  holidays: 'Feiertage',
  holidaysText:
    'Ein Zeitplan wiederholt sich jede Woche und kennt kein Datum. Legen Sie für Zugang an einem Feiertag eine Gruppe mit eigenem Zeitplan an und fügen Sie die Mitglieder mit Beginn und Ende hinzu.',
  holidaysClosed:
    'Um an einem Feiertag zu schließen, lassen Sie die Mitglieder bis zum Tag davor und wieder ab dem Tag danach zur Gruppe gehören.',
  deleteTitle: name => `Zeitplan ${name} löschen?`,
  deleteUnused: 'Keine Regel verwendet diesen Zeitplan. Es geht kein Zugang verloren.',
  deleteUsed: groups => `Regeln mit diesem Zeitplan geben sofort keinen Zugang mehr. Gruppen: ${groups}.`,
};

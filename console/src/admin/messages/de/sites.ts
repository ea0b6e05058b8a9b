import type { sitesMessages as english } from '../en/sites.ts';

export const sitesMessages: typeof english = {
  add: 'Standort hinzufügen',
  edit: name => `${name} bearbeiten`,
  name: 'Name',
  timezone: 'Zeitzone',
  timezoneHint: 'Zeitpläne und Daten gelten in dieser Zeitzone, zum Beispiel Europe/Madrid.',
  coordinates: 'Lage (optional)',
  coordinatesHint: 'Breite und Länge. Regeln, die Anwesenheit verlangen, brauchen sie.',
  radius: 'Umkreis in Metern',
  radiusHint: 'In dieser Entfernung gilt ein Telefon als anwesend.',
  errors: {
    name: 'Geben Sie einen Namen ein.',
    timezone: 'Diese Zeitzone gibt es nicht. Wählen Sie eine aus der Liste.',
    coordinates: 'Geben Sie Breite und Länge ein, zum Beispiel 41.4036, 2.1744.',
    radius: 'Geben Sie eine Anzahl Meter ein.',
  },
  localTime: (time, zone) => `Ortszeit ${time} (${zone})`,
  unknownTimezone: (time, zone) =>
    `Dieser Browser kennt die Zeitzone ${zone} nicht. Zeiten werden in UTC angezeigt: ${time}.`,
  noTimezone: 'Keine Zeitzone. Zeitpläne gelten nicht; bearbeiten Sie den Standort.',
  empty: 'Hier gibt es noch keine Türen oder Controller.',
  deleteTitle: name => `${name} löschen?`,
  deleteText:
    'Der Standort hat keine Controller. Seine Ereignisse bleiben in der Aktivität. Sie können ihn später wiederherstellen.',
  deleteWithDevicesText:
    'Der Standort hat Controller. Sie werden auch gelöscht, mit ihren Türen und deren Regeln und Auslösern. Die Türen öffnen dann nicht mehr. Sie können den Standort später mit allem wiederherstellen:',
  deleteWithDevices: 'Mit Controllern und Türen löschen',
  deleted: count => (count === 1 ? '1 gelöschter Standort' : `${count} gelöschte Standorte`),
  restore: name => `${name} wiederherstellen`,
  restoreTitle: name => `${name} wiederherstellen?`,
  restoreText:
    'Der Standort kommt mit den Controllern und Türen zurück, die mit ihm gelöscht wurden, außer Controllern, die seitdem neu übernommen wurden. Die Türen öffnen wieder für alle, deren Gruppen es erlauben.',
  restored: name => `${name} ist wiederhergestellt`,
};

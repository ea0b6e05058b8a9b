import type { settingsMessages as english } from '../en/settings.ts';

export const settingsMessages: typeof english = {
  title: 'Einstellungen',
  subtitle: 'Die Organisation und ihre Installation',
  organization: 'Organisation',
  name: 'Name',
  nameHint: 'Gäste sehen ihn auf ihrer Seite und in E-Mails.',
  saved: 'Gespeichert',
  id: 'ID',
  created: 'Angelegt',
  whitelabel: 'Whitelabel',
  whitelabelOn: 'An. Anwendungen dürfen Türen für ihre eigenen Benutzer öffnen.',
  whitelabelOff: 'Aus. Der Betreiber kann es freischalten.',
  activation: 'Neue Controller',
  activationLabel: 'Techniker dürfen Controller aktivieren',
  activationHint:
    'Aus: Ein Controller, den ein Techniker registriert, bekommt keine Personen, bis ein Administrator ihn bestätigt. An: Er bekommt sie sofort.',
  timeZones: 'Zeitzonen',
  timeZonesText: 'Gültigkeit und Zeitpläne folgen der Zeitzone des Standorts.',
  noTimeZone: 'Nicht gesetzt. Zeitpläne wirken an diesem Standort nicht.',
  installation: 'Installation',
  version: 'Version',
  address: 'Adresse',
  database: 'Datenbank',
  email: 'E-Mail',
  emailOn: 'Eingerichtet',
  emailOff: 'Nicht eingerichtet. Der Betreiber kann --smtp-url setzen.',
};

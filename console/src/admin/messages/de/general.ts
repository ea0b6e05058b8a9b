import type { generalMessages as english } from '../en/general.ts';

export const generalMessages: typeof english = {
  loading: 'Wird geladen …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  delete: 'Löschen',
  tryAgain: 'Erneut versuchen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  more: 'Mehr',
  none: 'Keine',
  optional: 'optional',
  timeZone: zone => `Zeiten in ${zone}`,
  today: 'Heute',
  yesterday: 'Gestern',
  tomorrow: 'Morgen',
  offline: 'Die Bridge ist nicht erreichbar. Prüfen Sie Ihr Netzwerk und versuchen Sie es erneut.',
  rateLimited: 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
  forbidden: 'Ihre Rolle erlaubt das nicht. Fragen Sie einen Inhaber der Organisation.',
  notFound: 'Dieses Objekt gibt es nicht mehr. Möglicherweise wurde es gelöscht.',
  hardwareOffline: 'Der Controller dieser Tür ist offline. Versuchen Sie es erneut, sobald er verbunden ist.',
  unavailable:
    'Der Mailserver oder ein anderer Dienst ist nicht erreichbar. Prüfen Sie die Eingabe und versuchen Sie es später erneut.',
  failed: reason => `Die Anfrage ist fehlgeschlagen: ${reason}`,
  editConflict:
    'Ein anderer Benutzer hat diese Angaben geändert. Prüfen Sie die neuen Werte und versuchen Sie es erneut.',
  loadFailed: 'Die Daten konnten nicht geladen werden',
  pageNotFound: 'Seite nicht gefunden',
  pageNotFoundText: 'Die Adresse ist falsch. Wählen Sie eine Seite in der Navigation.',
  noPermission: 'Keine Berechtigung',
  backHome: 'Zur Startseite',
};

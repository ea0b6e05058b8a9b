import { germanAlertTexts } from '@lintel/access-core/alerts/texts/german';
import type { alertsMessages as english } from '../en/alerts.ts';

export const alertsMessages: typeof english = {
  title: 'Alarme',
  texts: germanAlertTexts,
  subtitle: 'Nachrichten, wenn eine Tür oder ein Controller Aufmerksamkeit braucht',
  rules: 'Alarmregeln',
  newRule: 'Neue Alarmregel',
  editRule: 'Alarmregel bearbeiten',
  noRules: 'Noch keine Alarmregeln',
  noRulesText:
    'Legen Sie eine Regel an, um eine E-Mail oder eine Chatnachricht zu erhalten, zum Beispiel wenn eine Tür aufgebrochen wird.',
  active: 'Jetzt aktiv',
  noneActive: 'Kein Alarm ist aktiv',
  when: 'Wenn',
  kinds: {
    door_forced: 'Eine Tür wird aufgebrochen',
    door_held_open: 'Eine Tür steht zu lange offen',
    device_offline: 'Ein Controller ist offline',
    many_denials: 'Eine Tür weist oft ab',
    device_fault: 'Ein Controller hat eine Störung',
    low_battery: 'Eine Batterie ist schwach',
    device_claimed: 'Ein neuer Controller wird registriert',
    all_doors_access: 'Jemand bekommt Zugang zu allen Türen',
  },
  offlineMinutes: 'Offline seit mindestens (Minuten)',
  denialMinutes: 'Innerhalb von (Minuten)',
  denials: 'Abweisungen',
  describeRule: (text, kind, minutes, count) => {
    if (kind === 'device_offline') return `${text}, ${minutes} min`;
    return kind === 'many_denials' ? `${text}: ${count} in ${minutes} min` : text;
  },
  site: 'Standort',
  allSites: 'Alle Standorte',
  nameHint: 'Steht in der Nachricht. Ist das Feld leer, verwendet die Nachricht den Text oben.',
  emails: 'E-Mail-Adressen',
  emailsHint:
    'Trennen Sie mehrere Adressen mit Kommas. Eine Adresse, die keinem Benutzer gehört, erhält zuerst einen Link zur Bestätigung.',
  unconfirmed: addresses =>
    `Nicht bestätigt: ${addresses}. Dorthin wird nichts gesendet, bis der Link in der E-Mail geöffnet wurde. Speichern Sie die Regel nach einer Stunde erneut, um einen neuen Link zu senden.`,
  noEmail: 'Diese Bridge sendet keine E-Mails. Der Betreiber kann --smtp-url setzen. Verwenden Sie einen Webhook.',
  language: 'Sprache der Nachrichten',
  webhook: 'Webhook',
  slack: 'Chat (Slack-kompatibel)',
  json: 'JSON an Ihren Server',
  keepWebhook: host => `${host} behalten`,
  webhookUrl: 'Adresse des Webhooks',
  slackHint: 'Aus „Incoming Webhooks“ von Slack, Mattermost oder einem anderen Chat.',
  jsonHint: 'Erhält für jede Nachricht eine signierte POST-Anfrage.',
  enabled: 'An',
  test: 'Test senden',
  testSent: 'Eine Testnachricht ist unterwegs. Sie erscheint unten.',
  deleteTitle: name => `${name} löschen?`,
  deleteText: 'Für diese Regel werden keine Nachrichten mehr gesendet.',
  messages: 'Nachrichten',
  noMessages: 'Noch keine Nachricht gesendet.',
  headline: (event, text) => (event === 'raised' ? text : event === 'resolved' ? `Behoben: ${text}` : 'Testnachricht'),
  statuses: { sent: 'Gesendet', pending: 'Wartet', failed: 'Fehlgeschlagen' },
};

import type { homeMessages as english } from '../en/home.ts';

export const homeMessages: typeof english = {
  title: 'Start',
  doors: 'Türen',
  allDoors: count => `Alle ${count} Türen`,
  attention: 'Braucht Aufmerksamkeit',
  allWell: 'Alles funktioniert. Kein Controller, keine Tür und kein Webhook braucht Aufmerksamkeit.',
  since: when => `seit ${when}`,
  wasUnlocked: name => `${name} war entriegelt, als der Controller zuletzt verbunden war`,
  notCurrent: when => `Keine Verbindung zur Bridge. Stand von ${when}.`,
  attentionKinds: {
    door_unlocked: name => `${name} ist entriegelt`,
    device_unconfirmed: name => `Der Controller von ${name} wartet auf Ihre Bestätigung`,
    replaced_controller: (name, address) =>
      `Ein ersetzter Controller von ${name} wollte sich anmelden${address === null ? '' : `, Adresse ${address}`}. Schalten Sie ihn aus, oder registrieren Sie ihn neu`,
    credentials_pending: name => `${name} hat noch nicht alle Zugangsmittel`,
    input_rules_conflict: name => `Die Eingaberegeln von ${name} wurden an zwei Stellen geändert`,
    update_waiting: name => `Update steht aus: ${name}`,
    update_halted: () => 'Eine Verteilung ist angehalten',
    webhook_failing: () => 'Ein Webhook-Empfänger nimmt keine Ereignisse an',
  },
  incidents: {
    bridge_behind:
      'Die Bridge wurde mit älteren Daten wiederhergestellt. Gesperrte Zugangsmittel bleiben gesperrt. Prüfen Sie Mitglieder und Berechtigungen und geben Sie fehlende Änderungen erneut ein',
    clock_ahead:
      'Die Uhr der Bridge geht gegenüber der erwarteten Zeit vor: Sie ist falsch, oder die Bridge war lange aus. Nach dieser Uhr wird noch nichts gelöscht. Prüfen Sie die Zeit',
    controller_ahead:
      'Ein Controller meldet Daten, die diese Bridge nie gesendet hat. Er ist vielleicht manipuliert. Prüfen Sie ihn, setzen Sie ihn zurück und registrieren Sie ihn neu',
    device_event_flood:
      'Ein Controller sendet mehr Ereignisse, als an seinen Türen vorkommen können. Er ist vielleicht manipuliert oder defekt. Prüfen Sie ihn, setzen Sie ihn zurück und registrieren Sie ihn neu',
    rules_refused:
      'Ein Controller hat geänderte Eingaberegeln gemeldet, ohne nachzuweisen, dass ein Techniker sie setzen darf. Die Bridge hat sie nicht übernommen. Prüfen Sie den Controller',
  },
  bridgeClock: {
    clock: 'Uhr der Bridge',
    expected: 'Erwartete Zeit',
    confirm: 'Die Zeit stimmt',
    title: 'Stimmt die Zeit der Bridge?',
    text: 'Vergleichen Sie sie mit einer anderen Uhr. Wenn Sie sie bestätigen, werden Mitglieder, deren Aufenthalt bis dahin geendet hat, und der abgelaufene Verlauf endgültig gelöscht. Ist sie falsch, lassen Sie sie vom Betreiber korrigieren: Dann verschwindet dieser Hinweis von selbst.',
    confirmed: 'Die Zeit ist bestätigt',
  },
  controller: 'ein Controller',
  recent: 'Letzte Aktivität',
  chart: 'Öffnungen und Abweisungen',
  chartPeriod: 'Zeitraum',
  chartPeriods: { day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage' },
  busiest: 'Meistgenutzte Türen',
  openings: 'Öffnungen',
  denials: 'Abweisungen',
  chartSummary: (openings, denials) =>
    `${openings} ${openings === 1 ? 'Öffnung' : 'Öffnungen'} und ${denials} ${denials === 1 ? 'Abweisung' : 'Abweisungen'}`,
};

import type { home as english } from '../en/home.ts';

export const home: typeof english = {
  title: 'Start',
  doors: 'Türen',
  allDoors: count => `Alle ${count} Türen`,
  attention: 'Braucht Aufmerksamkeit',
  allWell: 'Alles funktioniert. Kein Controller, keine Tür und kein Webhook braucht Aufmerksamkeit.',
  since: when => `seit ${when}`,
  attentionKinds: {
    door_forced: name => `${name} wurde aufgebrochen`,
    door_held_open: name => `${name} steht zu lange offen`,
    device_offline: name => `${name} ist offline`,
    device_fault: name => `${name} meldet eine Störung`,
    low_battery: name => `Die Batterie von ${name} ist schwach`,
    credentials_pending: name => `${name} hat noch nicht alle Zugangsmittel`,
    input_rules_conflict: name => `Die Eingaberegeln von ${name} wurden an zwei Stellen geändert`,
    update_waiting: name => `Ein Update wartet auf ${name}`,
    update_halted: () => 'Eine Verteilung ist angehalten',
    webhook_failing: () => 'Ein Webhook kann nicht zugestellt werden',
  },
  controller: 'ein Controller',
  recent: 'Letzte Aktivität',
  allActivity: 'Alle Aktivität',
  noActivity: 'Noch ist nichts passiert.',
  chart: 'Öffnungen und Abweisungen pro Stunde',
  last24Hours: 'Letzte 24 Stunden',
  openings: 'Öffnungen',
  denials: 'Abweisungen',
  chartSummary: (openings, denials) =>
    `${openings} ${openings === 1 ? 'Öffnung' : 'Öffnungen'} und ${denials} ${denials === 1 ? 'Abweisung' : 'Abweisungen'}`,
};

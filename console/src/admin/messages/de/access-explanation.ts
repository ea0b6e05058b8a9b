import type { accessExplanationMessages as english } from '../en/access-explanation.ts';

export const accessExplanationMessages: typeof english = {
  title: member => `Zugang von ${member}`,
  door: 'Tür',
  chooseDoor: 'Tür auswählen',
  action: 'Aktion',
  method: 'Zugangsmittel',
  time: 'Zeit',
  timeHint: zone => `Zeit des Standorts (${zone}). Leer bedeutet jetzt.`,
  check: 'Prüfen',
  note: 'Das prüft nur. Keine Tür öffnet sich.',
  granted: (member, door) => `${member} kann ${door} öffnen`,
  denied: (member, door, reason) => `${member} kann ${door} nicht öffnen: ${reason}`,
  giveAccess: member => `Gruppen von ${member} ändern`,
  steps: 'Schritt für Schritt',
  incomplete: 'Es gibt mehr Regeln, als diese Liste zeigt.',
  member: {
    inside: 'Das Mitglied ist zu dieser Zeit gültig.',
    not_started: 'Das Mitglied ist noch nicht gültig.',
    ended: 'Die Gültigkeit des Mitglieds ist beendet.',
    deleted: 'Das Mitglied ist gelöscht.',
  },
  association: {
    inside: group => `In der Gruppe ${group}.`,
    not_started: group => `In der Gruppe ${group}, aber die Mitgliedschaft hat noch nicht begonnen.`,
    ended: group => `In der Gruppe ${group}, aber die Mitgliedschaft ist beendet.`,
    group_gone: group => `Die Gruppe ${group} ist gelöscht.`,
  },
  rulePassed: (group, rule) => `Regel ${rule} von ${group} erlaubt es.`,
  ruleFailed: {
    target: (group, rule) => `Regel ${rule} von ${group} gilt für eine andere Tür.`,
    method: (group, rule) => `Regel ${rule} von ${group} erlaubt dieses Zugangsmittel nicht.`,
    schedule: (group, rule) => `Regel ${rule} von ${group} ist außerhalb ihres Zeitplans.`,
    presence: (group, rule) => `Regel ${rule} von ${group} verlangt Anwesenheit am Standort.`,
  },
  ruleDropped: (group, rule) => `Regel ${rule} von ${group} verweist auf etwas Gelöschtes und wird ignoriert.`,
};

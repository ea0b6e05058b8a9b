import type { deskLimitsMessages as english } from '../en/desk-limits.ts';

export const deskLimitsMessages: typeof english = {
  title: 'Rezeption',
  mayGive: 'Die Rezeption darf diese Gruppe vergeben.',
  mayNotGive: 'Die Rezeption darf diese Gruppe nicht vergeben.',
  byDefault: doors =>
    doors <= 1
      ? 'Vorgabe für eine Gruppe, die höchstens eine Tür öffnet.'
      : `Vorgabe für eine Gruppe, die ${doors} Türen öffnet.`,
  decided: 'Ein Administrator hat das entschieden.',
  allow: 'Erlauben',
  forbid: 'Nicht erlauben',
  useDefault: 'Vorgabe verwenden',
  allowTitle: group => `Darf die Rezeption ${group} vergeben?`,
  allowText:
    'Jeder Benutzer mit der Rolle Rezeption kann dann jeder Person eine PIN, einen Link oder eine Karte geben für:',
  groupClosed: 'Nur ein Administrator darf diese Gruppe vergeben.',
  noGroupForDoor: 'Keine Gruppe öffnet nur diese Tür. Bitten Sie einen Administrator, eine anzulegen.',
  stayTooLong: days => `Die Rezeption darf höchstens ${days} Tage vergeben. Wählen Sie ein früheres Ende.`,
  errorGroup: group =>
    `Die Rezeption darf die Gruppe ${group} nicht vergeben und nicht ändern oder zeigen, was ihre Türen öffnet. Fragen Sie einen Administrator.`,
  longestStay: 'Längster Aufenthalt in Tagen',
  longestStayHint:
    'So lange darf die Rezeption Zugang geben, gezählt ab dem Beginn des Aufenthalts. Leer bedeutet ohne Grenze. Welche Gruppen sie vergeben darf, steht auf der Seite jeder Gruppe.',
};

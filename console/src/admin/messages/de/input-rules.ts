import type { inputRulesMessages as english } from '../en/input-rules.ts';

export const inputRulesMessages: typeof english = {
  none: 'Keine Regeln. Eine PIN oder Karte öffnet die erste Tür.',
  noDoors: 'Der Standort hat noch keine Türen, die eine Regel öffnen könnte.',
  saveHint: 'Controller erhalten die Regeln, sobald sie gespeichert sind.',
  saved: 'Die Eingaberegeln sind gespeichert',
  copy: 'Auf andere Controller kopieren',
  copyConfirm: 'Kopieren',
  copyTo: 'Controller',
  copyText:
    'Die Regeln der gewählten Controller werden ersetzt. Regeln für eine Tür dieses Controllers öffnen dort die Tür mit demselben Namen.',
  copyAfterSave: 'Speichern oder verwerfen Sie zuerst die Änderungen.',
  copied: count => `Die Regeln sind auf ${count} Controller kopiert`,
};

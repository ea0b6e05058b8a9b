import type { gadgetTriggersMessages as english } from '../en/gadget-triggers.ts';

export const gadgetTriggersMessages: typeof english = {
  title: 'Auslöser',
  empty: 'Kein Auslöser hat diese Tür als Quelle oder als Ziel.',
  add: 'Auslöser hinzufügen',
  edit: 'Auslöser bearbeiten',
  deleteTitle: 'Diesen Auslöser löschen?',
  when: 'Wenn',
  source: 'Quelle',
  schedule: 'Ein Zeitplan',
  event: 'Ereignis',
  states: 'Zustand',
  signals: 'Signal',
  noEvents: 'Diese Tür meldet weder Zustände noch Signale.',
  effect: 'Dann',
  target: 'Tür',
  action: 'Aktion',
  scheduleBegins: schedule => `${schedule} beginnt`,
  scheduleEnds: schedule => `${schedule} endet`,
  sentence: (cause, effect) => `Wenn ${cause}, dann ${effect}`,
};

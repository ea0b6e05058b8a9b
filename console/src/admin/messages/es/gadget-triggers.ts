import type { gadgetTriggersMessages as english } from '../en/gadget-triggers.ts';

export const gadgetTriggersMessages: typeof english = {
  title: 'Activadores',
  empty: 'Ningún activador usa esta puerta como origen ni como destino.',
  add: 'Añadir activador',
  edit: 'Editar activador',
  deleteTitle: '¿Eliminar este activador?',
  when: 'Cuando',
  source: 'Origen',
  schedule: 'Un horario',
  event: 'Evento',
  states: 'Estado',
  signals: 'Señal',
  noEvents: 'Esta puerta no comunica estados ni señales.',
  effect: 'Entonces',
  target: 'Puerta',
  action: 'Acción',
  scheduleBegins: schedule => `${schedule} empieza`,
  scheduleEnds: schedule => `${schedule} termina`,
  sentence: (cause, effect) => `Cuando ${cause}, entonces ${effect}`,
};

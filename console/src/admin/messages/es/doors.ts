import type { doors as english } from '../en/doors.ts';

export const doors: typeof english = {
  title: 'Puertas',
  subtitle: (doors, devices) =>
    `${doors} ${doors === 1 ? 'puerta' : 'puertas'} en ${devices} ${devices === 1 ? 'controlador' : 'controladores'}`,
  filter: 'Filtrar por nombre',
  online: 'En línea',
  offline: 'Sin conexión',
  stateUnknown: 'Estado desconocido',
  emptyTitle: 'Todavía no hay puertas',
  emptyText: 'Un técnico añade puertas al vincular un controlador en el lugar.',
  noMatch: 'Ninguna puerta tiene este nombre.',
  controller: name => `Controlador: ${name}`,
  open: (action, door) => `${action}: ${door}`,
  confirmTitle: (action, door) => `${door}: ¿${action}?`,
  confirmText: 'La puerta reacciona de inmediato. El registro guarda su nombre.',
  confirm: action => action,
  opening: 'Enviando…',
  done: (action, door) => `${door}: ${action} – hecho`,
};

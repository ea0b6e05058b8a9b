import type { schedulesMessages as english } from '../en/schedules.ts';

export const schedulesMessages: typeof english = {
  subtitle: 'Horas semanales para las reglas de los grupos',
  newSchedule: 'Nuevo horario',
  emptyTitle: 'Todavía no hay horarios',
  emptyText:
    'Un horario limita una regla a ciertas horas de la semana, por ejemplo de lunes a viernes de 8:00 a 18:00.',
  never: 'Nunca',
  everyWeek: 'Se repite cada semana, en la zona horaria de cada lugar',
  times: 'Horas',
  gridHint:
    'Arrastre en la cuadrícula para añadir, mover o ajustar una hora. La lista de abajo tiene las horas exactas.',
  from: 'Desde',
  until: 'Hasta',
  nextDay: 'día siguiente',
  midnight: 'medianoche',
  closed: 'Sin acceso',
  addRange: day => `Añadir una hora: ${day}`,
  deleteRange: (day, start, end) => `Eliminar ${day}, de ${start} a ${end}`,
  copyDayTitle: day => `Copiar ${day} a otros días`,
  copyTo: 'Sustituye las horas de',
  copy: 'Copiar',
  unsaved: 'Los cambios todavía no se han guardado.',
  discard: 'Descartar',
  saved: 'El horario se ha guardado',
  now: 'Ahora',
  nowAfterSaving: 'Ahora, después de guardar',
  activeNow: (site, until) => (until === null ? `${site}: siempre activo` : `${site}: activo hasta ${until}`),
  inactiveNow: (site, until) => (until === null ? `${site}: nunca activo` : `${site}: no activo, empieza ${until}`),
  noTimeZone: site => `${site} no tiene zona horaria. Las reglas con horario nunca se aplican allí.`,
  usedBy: 'Usado por',
  unused: 'Ninguna regla usa este horario.',
  ruleOf: (group, rule) => `${group}, regla ${rule}`,
  triggerOf: door => `Activador de ${door}`,
  holidays: 'Festivos',
  holidaysText:
    'Un horario se repite cada semana y no tiene fechas. Para dar acceso en un festivo, cree un grupo con su propio horario y añada los miembros con un principio y un final.',
  holidaysClosed:
    'Para cerrar en un festivo, haga que los miembros pertenezcan a su grupo hasta el día anterior y de nuevo desde el día siguiente.',
  deleteTitle: name => `¿Eliminar el horario ${name}?`,
  deleteUnused: 'Ninguna regla usa este horario, así que no se pierde ningún acceso.',
  deleteUsed: groups => `Las reglas con este horario dejan de dar acceso de inmediato. Grupos: ${groups}.`,
};

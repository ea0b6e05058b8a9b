import type { memberBulkActionMessages as english } from '../en/member-bulk-actions-and-import.ts';

const people = (count: number): string => `${count} ${count === 1 ? 'miembro' : 'miembros'}`;

export const memberBulkActionMessages: typeof english = {
  select: name => `Seleccionar ${name}`,
  selection: 'Miembros seleccionados',
  selected: count => `${people(count)} en la selección`,
  selectAll: 'Seleccionar todos los que coinciden',
  clear: 'Anular',
  action: 'Acción',
  actions: {
    addGroup: 'Añadir a un grupo',
    removeGroup: 'Quitar de un grupo',
    addTag: 'Añadir etiqueta',
    removeTag: 'Quitar etiqueta',
    extend: 'Cambiar la fecha final',
    end: 'Terminar el acceso ahora',
    delete: 'Eliminar',
  },
  titles: {
    addGroup: count => `Añadir ${people(count)} a un grupo`,
    removeGroup: count => `Quitar ${people(count)} de un grupo`,
    addTag: count => `Etiquetar ${people(count)}`,
    removeTag: count => `Quitar una etiqueta a ${people(count)}`,
    extend: count => `Cambiar la fecha final de ${people(count)}`,
    end: count => `¿Terminar ahora el acceso de ${people(count)}?`,
    delete: count => `¿Eliminar ${people(count)}?`,
  },
  effects: {
    addGroup: 'Los miembros reciben de inmediato el acceso del grupo.',
    removeGroup: 'Los miembros pierden de inmediato el acceso del grupo.',
    addTag: 'Las etiquetas ayudan a encontrar miembros. No dan acceso.',
    removeTag: 'Las etiquetas ayudan a encontrar miembros. No dan acceso.',
    extend: 'Todos los miembros seleccionados reciben la misma fecha final.',
    end: 'Todas las credenciales dejan de funcionar de inmediato. Lintel elimina los miembros un día después del final.',
    delete: 'Todo el acceso termina de inmediato. Puede restaurar los miembros más tarde.',
  },
  lockoutOf: members => `De los primeros ${members} miembros. La página de cada miembro muestra lo mismo.`,
  continue: 'Continuar…',
  choose: 'Elija…',
  newTag: 'Nueva etiqueta…',
  tagName: 'Nombre de la etiqueta',
  progress: 'Progreso',
  summary: (done, skipped, failed, total) =>
    `${done} de ${total} cambiados, ${skipped} sin cambios, ${failed} con error`,
  exportCsv: 'Exportar CSV',
  exported: count => `${people(count)} exportados`,
  import: 'Importar miembros',
  importCount: count => `Importar ${people(count)}`,
  file: 'Archivo CSV',
  fileHint: zone => `La primera línea nombra las columnas. Fechas como 2026-06-01 15:00 son horas de ${zone}.`,
  unreadable: 'No se puede leer el archivo. Elíjalo de nuevo.',
  fileProblems: {
    quote: 'las comillas no coinciden',
    encoding: 'hay caracteres ilegibles. Guarde el archivo como CSV en UTF-8',
  },
  noColumn: 'No está en el archivo',
  fields: { name: 'Nombre', starts_at: 'Desde', ends_at: 'Hasta', email: 'Correo', groups: 'Grupos' },
  planned: (count, errors) =>
    errors === 0
      ? `Se crearán ${people(count)}`
      : `${errors} ${errors === 1 ? 'línea errónea' : 'líneas erróneas'}. Corrija el archivo y elíjalo de nuevo.`,
  lineProblem: (line, problem) => `Línea ${line}: ${problem}`,
  problems: {
    name: () => 'falta el nombre',
    date: text => `«${text}» no es una fecha como 2026-06-01 15:00`,
    order: text => `el final ${text} es anterior al principio`,
    email: text => `«${text}» no es una dirección de correo`,
    group: text => `no existe el grupo «${text}»`,
  },
  created: (done, failed, total) => `${done} de ${total} creados, ${failed} con error`,
  undo: 'Deshacer la importación',
  undone: (done, total) => `${done} de ${total} eliminados de nuevo`,
};

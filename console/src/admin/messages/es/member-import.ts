import type { memberImportMessages as english } from '../en/member-import.ts';

const people = (count: number): string => `${count} ${count === 1 ? 'miembro' : 'miembros'}`;
const lines = (count: number): string => `${count} ${count === 1 ? 'línea' : 'líneas'}`;

export const memberImportMessages: typeof english = {
  file: 'Archivo CSV',
  fileHint: 'De una hoja de cálculo o un sistema de reservas. La primera línea nombra las columnas.',
  template: 'Descargar una plantilla',
  unreadable: 'No se puede leer el archivo. Elíjalo de nuevo.',
  fileProblems: {
    quote: 'las comillas no coinciden. El archivo no se lee a partir de aquí',
    encoding: 'hay caracteres ilegibles. Guarde el archivo como CSV en UTF-8. No se lee a partir de aquí',
  },
  columns: 'Columnas',
  noColumn: 'No está en el archivo',
  fields: { name: 'Nombre', starts_at: 'Desde', ends_at: 'Hasta', email: 'Correo', groups: 'Grupos', pin: 'PIN' },
  datesHint: (checkIn, checkOut, zone) =>
    `Una fecha sin hora empieza con la entrada (${checkIn}) y termina con la salida (${checkOut}), en ${zone}.`,
  dateOrder: example => `¿Qué es ${example} en este archivo?`,
  dateOrderHint: 'Las fechas del archivo se pueden leer de dos maneras. Compruébelo antes de importar.',
  credentials: 'Credenciales',
  pins: 'Crear un PIN para quienes no tengan uno en el archivo',
  links: 'Crear un enlace mágico para todos',
  noCredentials: 'Sin PIN, enlace o tarjeta, los miembros aún no pueden abrir ninguna puerta.',
  ready: count => `Se ${count === 1 ? 'puede' : 'pueden'} importar ${people(count)}.`,
  wrong: count => `${lines(count)} no se ${count === 1 ? 'puede' : 'pueden'} importar.`,
  duplicates: count =>
    `${lines(count)} ${count === 1 ? 'parece un miembro' : 'parecen miembros'} que ya existe${count === 1 ? '' : 'n'}.`,
  leaveOutDuplicates: 'Omitir los posibles duplicados',
  checking: 'Comprobando el archivo…',
  saveOthers: count => `Guardar ${lines(count)} con los motivos en un archivo`,
  reason: 'Motivo',
  preview: 'Vista previa',
  line: 'Línea',
  note: 'Nota',
  noLimit: 'sin límite',
  noGroup: 'ninguno: no abre ninguna puerta',
  moreLines: count => `y ${count} más`,
  lineProblem: (line, problem) => `Línea ${line}: ${problem}`,
  problems: {
    name: () => 'falta el nombre o es demasiado largo',
    date: text => `«${text}» no es una fecha como 25/11/2026 o 25/11/2026 15:00`,
    order: text => `el final ${text} no es posterior al principio`,
    email: text => `«${text}» no es una dirección de correo`,
    group: text => `no existe el grupo «${text}»`,
    pin: () => 'el PIN debe tener de 4 a 20 cifras',
    pin_in_use: () => 'otro miembro tiene este PIN',
  },
  duplicate: {
    name: text => `ya hay un miembro llamado «${text}»`,
    email: text => `ya hay un miembro con la dirección ${text}`,
  },
  duplicateOfLine: line => `¿la misma persona que en la línea ${line}?`,
  importCount: count => `Importar ${people(count)}`,
  importing: 'Importando…',
  progress: 'Progreso',
  created: (done, total) => (done === total ? `${people(done)} creados` : `${done} de ${total} creados`),
  failed: problem => `La importación se detuvo: ${problem} Los demás miembros no se crearon.`,
  secretsOnce:
    'La lista solo se muestra ahora. Guárdela o imprímala antes de cerrarla. Después, los PIN y los enlaces solo se pueden mostrar uno por uno.',
  saveList: 'Guardar la lista como CSV',
  print: 'Imprimir',
  link: 'Enlace mágico',
  undo: 'Deshacer la importación',
  undone: (done, total) => `${done} de ${total} eliminados de nuevo`,
  templateFile: 'plantilla-miembros.csv',
  templateExample: { name: 'Ana Ejemplo', email: 'ana@example.com', group: 'Huéspedes' },
};

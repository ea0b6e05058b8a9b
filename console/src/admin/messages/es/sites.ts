import type { sitesMessages as english } from '../en/sites.ts';

export const sitesMessages: typeof english = {
  add: 'Añadir sitio',
  edit: name => `Editar ${name}`,
  name: 'Nombre',
  timezone: 'Zona horaria',
  timezoneHint: 'Los horarios y las fechas se aplican en esta zona horaria, por ejemplo Europe/Madrid.',
  coordinates: 'Ubicación (opcional)',
  coordinatesHint: 'Latitud y longitud. Las reglas que exigen presencia la necesitan.',
  radius: 'Radio en metros',
  radiusHint: 'A esta distancia un teléfono cuenta como presente.',
  errors: {
    name: 'Introduzca un nombre.',
    timezone: 'Esta zona horaria no existe. Elija una de la lista.',
    coordinates: 'Introduzca latitud y longitud, por ejemplo 41.4036, 2.1744.',
    radius: 'Introduzca un número de metros.',
  },
  localTime: (time, zone) => `Hora local ${time} (${zone})`,
  unknownTimezone: (time, zone) =>
    `Este navegador no conoce la zona horaria ${zone}. Las horas se muestran en UTC: ${time}.`,
  noTimezone: 'Sin zona horaria. Los horarios no se aplican; edite el sitio.',
  empty: 'Aquí todavía no hay puertas ni controladores.',
  deleteTitle: name => `¿Eliminar ${name}?`,
  deleteText: 'El sitio no tiene controladores. Sus eventos permanecen en la actividad. Puede restaurarlo más tarde.',
  deleteWithDevicesText:
    'El sitio tiene controladores. También se eliminan, con sus puertas y las reglas y activadores de estas. Las puertas dejan de abrir en el acto. Puede restaurar el sitio con todo más tarde:',
  deleteWithDevices: 'Eliminar con controladores y puertas',
  deleted: count => (count === 1 ? '1 sitio eliminado' : `${count} sitios eliminados`),
  restore: name => `Restaurar ${name}`,
  restoreTitle: name => `¿Restaurar ${name}?`,
  restoreText:
    'El sitio vuelve con los controladores y las puertas que se eliminaron con él, salvo los controladores que se han vinculado de nuevo desde entonces. Las puertas vuelven a abrirse para todas las personas cuyos grupos lo permiten.',
  restored: name => `${name} se ha restaurado`,
};

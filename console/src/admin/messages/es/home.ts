import type { homeMessages as english } from '../en/home.ts';

export const homeMessages: typeof english = {
  title: 'Inicio',
  doors: 'Puertas',
  allDoors: count => `Las ${count} puertas`,
  attention: 'Requiere atención',
  allWell: 'Todo funciona. Ningún controlador, puerta ni webhook requiere atención.',
  since: when => `desde ${when}`,
  wasUnlocked: name => `${name} estaba desbloqueada cuando su controlador se conectó por última vez`,
  notCurrent: when => `Sin conexión con el bridge. Este era el estado a las ${when}.`,
  attentionKinds: {
    door_unlocked: name => `${name} está desbloqueada`,
    device_unconfirmed: name => `El controlador de ${name} espera su confirmación`,
    replaced_controller: (name, address) =>
      `Un controlador sustituido de ${name} intentó conectarse${address === null ? '' : ` desde ${address}`}. Apáguelo o regístrelo de nuevo`,
    credentials_pending: name => `${name} todavía no tiene todas las credenciales`,
    input_rules_conflict: name => `Las reglas de entrada de ${name} se han cambiado en dos sitios`,
    update_waiting: name => `Hay una actualización pendiente para ${name}`,
    update_halted: () => 'Un despliegue está detenido',
    webhook_failing: () => 'Un receptor de webhooks no acepta eventos',
  },
  incidents: {
    bridge_behind:
      'El bridge se ha restaurado con datos anteriores. Las credenciales revocadas siguen revocadas. Compruebe los miembros y permisos e introduzca de nuevo los cambios que falten',
    clock_ahead:
      'El reloj del bridge va adelantado respecto a la hora esperada: está mal o el bridge estuvo mucho tiempo parado. Todavía no se elimina nada según este reloj. Compruebe la hora',
    controller_ahead:
      'Un controlador comunica datos que este bridge nunca ha enviado. Puede estar manipulado. Compruébelo, restablézcalo y regístrelo de nuevo',
    device_event_flood:
      'Un controlador envía más eventos de los que pueden ocurrir en sus puertas. Puede estar manipulado o averiado. Compruébelo, restablézcalo y regístrelo de nuevo',
    rules_refused:
      'Un controlador comunicó reglas de entrada cambiadas sin demostrar que un técnico puede fijarlas. El bridge no las aplicó. Compruebe el controlador',
  },
  bridgeClock: {
    clock: 'Reloj del bridge',
    expected: 'Hora esperada',
    confirm: 'La hora es correcta',
    title: '¿Es correcta la hora del bridge?',
    text: 'Compárela con otro reloj. Si la confirma, se eliminan definitivamente los miembros cuya estancia haya terminado hasta entonces y el historial caducado. Si es incorrecta, pida al operador que la corrija: este aviso desaparecerá solo.',
    confirmed: 'La hora está confirmada',
  },
  controller: 'un controlador',
  recent: 'Actividad reciente',
  chart: 'Aperturas y denegaciones',
  chartPeriod: 'Periodo',
  chartPeriods: { day: 'Últimas 24 horas', week: 'Últimos 7 días' },
  busiest: 'Puertas más usadas',
  openings: 'Aperturas',
  denials: 'Denegaciones',
  chartSummary: (openings, denials) =>
    `${openings} ${openings === 1 ? 'apertura' : 'aperturas'} y ${denials} ${denials === 1 ? 'denegación' : 'denegaciones'}`,
};

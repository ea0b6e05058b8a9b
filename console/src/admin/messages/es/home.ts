import type { home as english } from '../en/home.ts';

export const home: typeof english = {
  title: 'Inicio',
  doors: 'Puertas',
  allDoors: count => `Las ${count} puertas`,
  attention: 'Requiere atención',
  allWell: 'Todo funciona. Ningún controlador, puerta ni webhook requiere atención.',
  since: when => `desde ${when}`,
  attentionKinds: {
    door_forced: name => `${name} se ha forzado`,
    door_held_open: name => `${name} lleva demasiado tiempo abierta`,
    device_offline: name => `${name} no tiene conexión`,
    device_fault: name => `${name} comunica una avería`,
    low_battery: name => `La batería de ${name} está baja`,
    credentials_pending: name => `${name} todavía no tiene todas las credenciales`,
    input_rules_conflict: name => `Las reglas de entrada de ${name} se han cambiado en dos sitios`,
    update_waiting: name => `Una actualización espera a ${name}`,
    update_halted: () => 'Un despliegue está detenido',
    webhook_failing: () => 'Un webhook no se puede entregar',
  },
  controller: 'un controlador',
  recent: 'Actividad reciente',
  allActivity: 'Toda la actividad',
  noActivity: 'Todavía no ha pasado nada.',
  chart: 'Aperturas y denegaciones por hora',
  last24Hours: 'Últimas 24 horas',
  openings: 'Aperturas',
  denials: 'Denegaciones',
  chartSummary: (openings, denials) =>
    `${openings} ${openings === 1 ? 'apertura' : 'aperturas'} y ${denials} ${denials === 1 ? 'denegación' : 'denegaciones'}`,
};

import { spanishAlertTexts } from '@lintel/access-core/alerts/texts/spanish';
import type { alertsMessages as english } from '../en/alerts.ts';

export const alertsMessages: typeof english = {
  title: 'Alertas',
  texts: spanishAlertTexts,
  subtitle: 'Mensajes cuando una puerta o un controlador necesita atención',
  rules: 'Reglas de alerta',
  newRule: 'Nueva regla de alerta',
  editRule: 'Editar regla de alerta',
  noRules: 'Aún no hay reglas de alerta',
  noRulesText: 'Cree una regla para recibir un correo o un mensaje de chat, por ejemplo cuando se fuerza una puerta.',
  active: 'Activas ahora',
  noneActive: 'No hay alertas activas',
  when: 'Cuando',
  kinds: {
    door_forced: 'Se fuerza una puerta',
    door_held_open: 'Una puerta queda abierta',
    device_offline: 'Un controlador está sin conexión',
    many_denials: 'Una puerta deniega el acceso muchas veces',
    device_fault: 'Un controlador tiene un fallo',
    low_battery: 'Una batería está baja',
    device_claimed: 'Se vincula un controlador nuevo',
    all_doors_access: 'Alguien recibe acceso a todas las puertas',
  },
  offlineMinutes: 'Sin conexión durante al menos (minutos)',
  denialMinutes: 'En (minutos)',
  denials: 'Denegaciones',
  describeRule: (text, kind, minutes, count) => {
    if (kind === 'device_offline') return `${text}, ${minutes} min`;
    return kind === 'many_denials' ? `${text}: ${count} en ${minutes} min` : text;
  },
  site: 'Sede',
  allSites: 'Todas las sedes',
  nameHint: 'Aparece en el mensaje. Si está vacío, el mensaje usa el texto de arriba.',
  emails: 'Direcciones de correo',
  emailsHint:
    'Separe varias direcciones con comas. Una dirección que no es de un usuario recibe antes un enlace para confirmarla.',
  unconfirmed: addresses =>
    `Sin confirmar: ${addresses}. No se envía nada allí hasta que se abra el enlace del correo. Guarde la regla de nuevo después de una hora para enviar otro enlace.`,
  noEmail: 'Este bridge no envía correos. El operador puede definir --smtp-url. Use un webhook.',
  language: 'Idioma de los mensajes',
  webhook: 'Webhook',
  slack: 'Chat (compatible con Slack)',
  json: 'JSON a su servidor',
  keepWebhook: host => `Mantener ${host}`,
  webhookUrl: 'Dirección del webhook',
  slackHint: 'De «Incoming webhooks» de Slack, Mattermost u otro chat.',
  jsonHint: 'Recibe una petición POST firmada por cada mensaje.',
  enabled: 'Activada',
  test: 'Enviar prueba',
  testSent: 'Un mensaje de prueba está en camino. Aparece abajo.',
  deleteTitle: name => `¿Eliminar ${name}?`,
  deleteText: 'No se envían más mensajes para esta regla.',
  messages: 'Mensajes',
  noMessages: 'Aún no se ha enviado ningún mensaje.',
  headline: (event, text) =>
    event === 'raised' ? text : event === 'resolved' ? `Resuelto: ${text}` : 'Mensaje de prueba',
  statuses: { sent: 'Enviado', pending: 'En espera', failed: 'Fallido' },
};

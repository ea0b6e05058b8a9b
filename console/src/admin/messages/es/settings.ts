import type { settingsMessages as english } from '../en/settings.ts';

export const settingsMessages: typeof english = {
  title: 'Ajustes',
  subtitle: 'La organización y su instalación',
  organization: 'Organización',
  name: 'Nombre',
  nameHint: 'Los huéspedes lo ven en su página y en los correos.',
  saved: 'Guardado',
  id: 'ID',
  created: 'Creada',
  whitelabel: 'Whitelabel',
  whitelabelOn: 'Activado. Las aplicaciones pueden abrir puertas para sus propios usuarios.',
  whitelabelOff: 'Desactivado. El operador puede concederlo.',
  activation: 'Controladores nuevos',
  activationLabel: 'Los técnicos pueden activar controladores',
  activationHint:
    'Desactivado: un controlador que vincula un técnico no recibe personas hasta que un administrador lo confirma. Activado: las recibe de inmediato.',
  timeZones: 'Zonas horarias',
  timeZonesText: 'La validez y los horarios siguen la zona horaria de la sede.',
  noTimeZone: 'Sin definir. Los horarios no funcionan en esta sede.',
  installation: 'Instalación',
  version: 'Versión',
  address: 'Dirección',
  database: 'Base de datos',
  email: 'Correo',
  emailOn: 'Configurado',
  emailOff: 'Sin configurar. El operador puede definir --smtp-url.',
};

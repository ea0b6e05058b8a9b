import type { NearbyMessages } from './english.ts';

export const spanishNearbyMessages: NearbyMessages = {
  title: 'Abrir puertas cercanas',
  setUpHint: 'Abre puertas por Bluetooth, también sin internet. La llave se queda en este teléfono.',
  setUp: 'Configurar este teléfono',
  settingUp: 'Configurando…',
  hint: 'Acércate a la puerta y elígela en la lista de tu navegador.',
  open: 'Abrir por Bluetooth',
  connecting: 'Conectando…',
  off: 'El Bluetooth está desactivado. Actívalo e inténtalo de nuevo.',
  notChosen: 'No se ha elegido ninguna puerta. Acércate a la puerta e inténtalo de nuevo.',
  notAllowed: 'Permite que esta página use el Bluetooth e inténtalo de nuevo.',
  connectionLost: 'Se ha perdido la conexión con la puerta. Acércate e inténtalo de nuevo.',
  unknown: 'Esta no es una de tus puertas. Elige otra.',
  denied: 'La puerta ha denegado el acceso a este teléfono. Usa tu PIN o tu tarjeta, o contacta con tu anfitrión.',
  tooSlow: 'La conexión ha sido demasiado lenta. Acerca más el teléfono a la puerta e inténtalo de nuevo.',
  busy: 'La puerta está ocupada. Espera un momento e inténtalo de nuevo.',
  phoneLimit: 'Has configurado demasiados teléfonos. Pide a tu anfitrión que quite uno.',
};

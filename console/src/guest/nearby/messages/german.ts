import type { NearbyMessages } from './english.ts';

export const germanNearbyMessages: NearbyMessages = {
  title: 'Türen in der Nähe öffnen',
  setUpHint: 'Öffnen Sie Türen über Bluetooth, auch ohne Internet. Der Schlüssel bleibt auf diesem Telefon.',
  setUp: 'Dieses Telefon einrichten',
  settingUp: 'Wird eingerichtet…',
  hint: 'Gehen Sie zur Tür und wählen Sie sie dann in der Liste Ihres Browsers.',
  open: 'Über Bluetooth öffnen',
  connecting: 'Wird verbunden…',
  off: 'Bluetooth ist ausgeschaltet. Schalten Sie es ein und versuchen Sie es erneut.',
  notChosen: 'Es wurde keine Tür gewählt. Gehen Sie zur Tür und versuchen Sie es erneut.',
  notAllowed: 'Erlauben Sie dieser Seite, Bluetooth zu verwenden, und versuchen Sie es erneut.',
  connectionLost: 'Die Verbindung zur Tür ist abgebrochen. Gehen Sie näher heran und versuchen Sie es erneut.',
  unknown: 'Das ist keine Ihrer Türen. Wählen Sie eine andere.',
  denied:
    'Die Tür hat diesem Telefon den Zugang verweigert. Verwenden Sie Ihre PIN oder Karte, oder wenden Sie sich an Ihren Gastgeber.',
  tooSlow: 'Die Verbindung war zu langsam. Halten Sie Ihr Telefon näher an die Tür und versuchen Sie es erneut.',
  busy: 'Die Tür ist beschäftigt. Warten Sie einen Moment und versuchen Sie es erneut.',
  phoneLimit: 'Sie haben zu viele Telefone eingerichtet. Bitten Sie Ihren Gastgeber, eines zu entfernen.',
};

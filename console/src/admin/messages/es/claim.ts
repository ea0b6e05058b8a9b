import type { claimMessages as english } from '../en/claim.ts';

export const claimMessages: typeof english = {
  title: 'Añadir un controlador',
  site: 'Sitio',
  kind: '¿Qué desea añadir?',
  controller: 'Un controlador',
  virtual: 'Una puerta virtual de prueba',
  codeLabel: 'Código de vinculación',
  bridge: address => `Dirección del bridge: ${address}`,
  unreachable: address =>
    `Un controlador no puede vincularse con este código: ${address} solo se alcanza desde la máquina del bridge. Inicie el bridge para la red y muestre un código nuevo:`,
  fingerprint: 'Huella de su autoridad de certificación, que pide lintel image prepare:',
  scan: 'O escanee esto en la página de vinculación del controlador:',
  qrLabel: 'Código QR del ticket de vinculación',
  validUntil: when => `Válido hasta ${when}, para un controlador`,
  waiting: 'Esperando al controlador…',
  appearsInList: 'El controlador aparece en la lista cuando está vinculado.',
  issue: 'Mostrar el código de vinculación',
  steps: [
    'Conecte el controlador a la corriente y a la red.',
    'Abra la página del controlador: escanee con un teléfono el código QR de su etiqueta o escriba su dirección en un navegador.',
    'En esa página, abra «Claim», que conecta el controlador con esta organización. Escanee el código QR que se muestra aquí o escriba el código.',
  ],
  claimed: name => `${name} pertenece ahora a esta organización`,
  nameDoors: 'Ponga nombre al controlador y a sus puertas, para que se reconozcan.',
  controllerName: 'Controlador',
  doorName: number => `Puerta ${number}`,
  finish: 'Guardar y abrir el controlador',
  virtualText: 'Una puerta virtual no tiene hardware. Se abre, se cierra y comunica eventos como una real.',
  virtualName: 'Nombre de la puerta',
  createVirtual: 'Crear la puerta',
  virtualDevice: 'Controlador virtual',
};

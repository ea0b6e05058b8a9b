import type { claimMessages as english } from '../en/claim.ts';

export const claimMessages: typeof english = {
  title: 'Controller hinzufügen',
  site: 'Standort',
  kind: 'Was möchten Sie hinzufügen?',
  controller: 'Einen Controller',
  virtual: 'Eine virtuelle Tür zum Testen',
  codeLabel: 'Übernahmecode',
  bridge: address => `Adresse der Bridge: ${address}`,
  unreachable: address =>
    `Mit diesem Code kann sich kein Controller anmelden: ${address} ist nur auf dem Rechner der Bridge erreichbar. Starten Sie die Bridge für das Netzwerk, und zeigen Sie dann einen neuen Code an:`,
  fingerprint: 'Fingerabdruck ihrer Zertifizierungsstelle, nach dem lintel image prepare fragt:',
  scan: 'Oder scannen Sie dies auf der Übernahmeseite des Controllers:',
  qrLabel: 'QR-Code des Übernahmetickets',
  validUntil: when => `Gültig bis ${when}, für einen Controller`,
  waiting: 'Warten auf den Controller …',
  appearsInList: 'Der Controller erscheint in der Liste, sobald er übernommen ist.',
  issue: 'Übernahmecode anzeigen',
  steps: [
    'Verbinden Sie den Controller mit Strom und Netzwerk.',
    'Öffnen Sie die Seite des Controllers: Scannen Sie den QR-Code auf seinem Etikett mit einem Telefon, oder geben Sie seine Adresse in einem Browser ein.',
    'Öffnen Sie dort „Claim“: Damit verbinden Sie den Controller mit dieser Organisation. Scannen Sie den QR-Code von hier, oder tippen Sie den Code.',
  ],
  claimed: name => `${name} gehört jetzt zu dieser Organisation`,
  nameDoors: 'Benennen Sie den Controller und seine Türen, damit man sie erkennt.',
  controllerName: 'Controller',
  doorName: number => `Tür ${number}`,
  finish: 'Speichern und Controller öffnen',
  virtualText: 'Eine virtuelle Tür hat keine Hardware. Sie öffnet, verriegelt und meldet Ereignisse wie eine echte.',
  virtualName: 'Name der Tür',
  createVirtual: 'Tür anlegen',
  virtualDevice: 'Virtueller Controller',
};

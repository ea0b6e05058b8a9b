import type { deskLimitsMessages as english } from '../en/desk-limits.ts';

export const deskLimitsMessages: typeof english = {
  title: 'Recepción',
  mayGive: 'Recepción puede dar este grupo.',
  mayNotGive: 'Recepción no puede dar este grupo.',
  byDefault: doors =>
    doors <= 1
      ? 'Valor por defecto de un grupo que abre una puerta como máximo.'
      : `Valor por defecto de un grupo que abre ${doors} puertas.`,
  decided: 'Lo ha decidido un administrador.',
  allow: 'Permitir',
  forbid: 'No permitir',
  useDefault: 'Usar el valor por defecto',
  allowTitle: group => `¿Puede recepción dar ${group}?`,
  allowText: 'Cada usuario con el rol de recepción podrá dar a cualquiera un PIN, un enlace o una tarjeta que abre:',
  groupClosed: 'Solo un administrador puede dar este grupo.',
  noGroupForDoor: 'Ningún grupo abre solo esta puerta. Pida a un administrador que cree uno.',
  stayTooLong: days => `Recepción puede dar ${days} días como máximo. Elija un final anterior.`,
  errorGroup: group =>
    `Recepción no puede dar el grupo ${group}, ni cambiar o mostrar lo que abre sus puertas. Pregunte a un administrador.`,
  longestStay: 'Estancia más larga en días',
  longestStayHint:
    'Recepción puede dar acceso durante este tiempo, contado desde el inicio de la estancia. Vacío significa sin límite. Los grupos que puede dar están en la página de cada grupo.',
};

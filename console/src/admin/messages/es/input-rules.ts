import type { inputRulesMessages as english } from '../en/input-rules.ts';

export const inputRulesMessages: typeof english = {
  none: 'Sin reglas. Un PIN o una tarjeta abre la primera puerta.',
  noDoors: 'El sitio todavía no tiene puertas que una regla pueda abrir.',
  saveHint: 'Los controladores reciben las reglas en cuanto se guardan.',
  saved: 'Las reglas de entrada se han guardado',
  copy: 'Copiar a otros controladores',
  copyConfirm: 'Copiar',
  copyTo: 'Controladores',
  copyText:
    'Se sustituyen las reglas de los controladores elegidos. Las reglas de una puerta de este controlador abren allí la puerta con el mismo nombre.',
  copyAfterSave: 'Guarde o descarte primero los cambios.',
  copied: count => `Las reglas se han copiado a ${count} ${count === 1 ? 'controlador' : 'controladores'}`,
};

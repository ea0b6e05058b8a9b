import type { standardPartNames as english } from '../en/part-names.ts';

export const standardPartNames: typeof english = {
  actions: {
    open: 'Abrir',
    close: 'Cerrar',
    unlock: 'Desbloquear',
    lock: 'Bloquear',
    hold: 'Mantener abierta',
    up: 'Subir',
    down: 'Bajar',
    stop: 'Parar',
    on: 'Encender',
    off: 'Apagar',
  },
  states: {
    locked: 'Bloqueada',
    unlocked: 'Desbloqueada',
    open: 'Abierta',
    closed: 'Cerrada',
    held_open: 'Abierta demasiado tiempo',
    forced: 'Forzada',
    raising: 'Subiendo',
    lowering: 'Bajando',
    stopped: 'Parada',
    up: 'Arriba',
    down: 'Abajo',
    on: 'Encendida',
    off: 'Apagada',
  },
  signals: {
    exit_button: 'Pulsador de salida',
    pre_alarm: 'Pronto abierta demasiado tiempo',
    held_open: 'Abierta demasiado tiempo',
    forced: 'Forzada',
    contact_fault: 'Fallo del contacto',
    doorbell: 'Timbre',
  },
};

import type { standardPartNames as english } from '../en/part-names.ts';

export const standardPartNames: typeof english = {
  actions: {
    open: 'Öffnen',
    close: 'Schließen',
    unlock: 'Entriegeln',
    lock: 'Verriegeln',
    hold: 'Offen halten',
    up: 'Auf',
    down: 'Ab',
    stop: 'Stopp',
    on: 'Ein',
    off: 'Aus',
  },
  states: {
    locked: 'Verriegelt',
    unlocked: 'Entriegelt',
    open: 'Offen',
    closed: 'Geschlossen',
    held_open: 'Zu lange offen',
    forced: 'Aufgebrochen',
    raising: 'Fährt hoch',
    lowering: 'Fährt herunter',
    stopped: 'Angehalten',
    up: 'Oben',
    down: 'Unten',
    on: 'Ein',
    off: 'Aus',
  },
  signals: {
    exit_button: 'Türtaster',
    pre_alarm: 'Bald zu lange offen',
    held_open: 'Zu lange offen',
    forced: 'Aufgebrochen',
    contact_fault: 'Kontakt gestört',
    doorbell: 'Türklingel',
  },
};

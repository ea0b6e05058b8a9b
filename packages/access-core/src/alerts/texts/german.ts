import type { AlertTexts } from '../describe-alert.ts';

export const germanAlertTexts: AlertTexts = {
  kinds: {
    door_forced: name => `${name} wurde aufgebrochen`,
    door_held_open: name => `${name} steht zu lange offen`,
    device_offline: name => `${name} ist offline`,
    many_denials: (name, { count, minutes }) =>
      count === null
        ? `${name} hat oft den Zugang verweigert`
        : `${name} hat in ${minutes} min ${count}-mal den Zugang verweigert`,
    device_fault: name => `${name} meldet eine Störung`,
    low_battery: (name, { percent }) =>
      `Die Batterie von ${name} ist schwach${percent === null ? '' : ` (${percent} %)`}`,
    device_claimed: (name, { site, user, waits }) =>
      `Neuer Controller ${name}${site == null ? '' : ` an ${site}`}${user == null ? '' : `, registriert von ${user}`}${waits === true ? '. Er wartet auf Ihre Bestätigung' : ''}`,
    all_doors_access: (name, { site }) =>
      `${name} hat jetzt Zugang zu allen Türen${site == null ? '' : ` von ${site}`}`,
  },
  faults: {
    bluetooth: name => `Telefone über Bluetooth funktionieren an ${name} nicht`,
    bridge_silent: name => `Die Bridge antwortet ${name} nicht`,
    claimed_again: name => `${name} wurde neu registriert. Ereignisse des vorherigen Besitzers sind darauf archiviert`,
    clock: name => `Die Uhr von ${name} weicht von der gespeicherten Zeit ab`,
    clock_damaged: name => `Die gespeicherte Zeit von ${name} war beschädigt`,
    clock_refused: name => `Die Uhr von ${name} geht falsch`,
    clock_unsaved: name => `${name} kann die Zeit nicht speichern`,
    digest_key: name => `${name} kann PINs und Karten nicht prüfen, weil ein Schlüssel fehlt`,
    digest_key_changed: name => `${name} kann PINs und Karten nicht prüfen, weil ein Schlüssel ersetzt wurde`,
    disk_almost_full: name => `Der Speicher von ${name} ist fast voll`,
    event_buffer_full: name => `${name} hat keinen Platz für weitere Ereignisse und löscht die ältesten`,
    event_file_damaged: name => `Die Ereignisdatei von ${name} war beschädigt`,
    event_store: name => `${name} kann keine Ereignisse speichern`,
    gadget: name => `Eine Tür von ${name} hat keinen Ausgang im Hardwareprofil`,
    home_assistant: name => `${name} erreicht Home Assistant nicht`,
    identity: name => `${name} muss neu registriert werden`,
    inputs: name => `Eine Eingangsplatine von ${name} antwortet nicht`,
    internal: name => `Die Software von ${name} meldet einen internen Fehler`,
    kept_behind: name => `${name} empfängt keine neueren Daten. Prüfen Sie das Gateway`,
    replaced: name => `${name} wurde durch einen anderen Controller ersetzt`,
    keypad: name => `Eine Tastatur von ${name} antwortet nicht`,
    membership: name => `${name} muss neu registriert werden`,
    output: name => `Ein Ausgang von ${name} hat einen Befehl abgelehnt`,
    outputs: name => `Eine Ausgangsplatine von ${name} antwortet nicht`,
    profile: name => `Das Hardwareprofil von ${name} ist nicht verwendbar`,
    reader: name => `Ein Leser von ${name} antwortet nicht`,
    revocations_damaged: name => `Eine Kopie der Sperrungen von ${name} war beschädigt und wurde wiederhergestellt`,
    revocations_not_received: name => `${name} antwortet der wiederhergestellten Bridge nicht. Prüfen Sie das Gateway`,
    site_damaged: name => `Die Standortdaten von ${name} waren beschädigt`,
    site_unsaved: name => `${name} kann die Standortdaten nicht speichern`,
    slice_damaged: name =>
      `Die Zugangsdaten von ${name} sind beschädigt. Möglicherweise haben Mitglieder keinen Zugang`,
    slice_old: name => `Die Zugangsdaten von ${name} sind mehr als eine Woche alt`,
    slice_refused: name => `Die Zugangsdaten von ${name} sind zu alt. Der Zugang ist gesperrt`,
    start: name => `Ein Dienst von ${name} kann nicht starten`,
    state: name => `${name} kann seinen Zustand nicht speichern`,
    state_unreadable: name => `${name} kann seinen Zustand nicht lesen`,
    state_damaged: name => `Eine Zustandsdatei von ${name} war beschädigt`,
    status_address: name => `${name} kann die Adresse seines Status nicht speichern`,
    store: name => `${name} kann keine Nachrichten speichern`,
    store_damaged: name => `Der Nachrichtenspeicher von ${name} war beschädigt`,
    tamper: name => `Das Gehäuse von ${name} ist offen`,
    technician: name => `Die Technikerseite von ${name} ist nicht verfügbar`,
  },
};

/** A board with a keypad and a 125 kHz reader on USB, and one relay on GPIO. */
export const imageProfile = {
  product_id: 'image-test',
  name: 'Virtual machine',
  revision: '1',
  capabilities: {
    gadgets: 'multiple',
    gadget_max_count: 4,
    script: false,
    internet: true,
    ethernet: true,
    wifi: false,
    cellular: false,
    pin: true,
    nfc: true,
    input_rules: true,
    mains: true,
    battery: false,
    battery_rechargeable: false,
    audio: false,
  },
  buses: {
    gpio: { driver: 'gpio', chip: ['lintel-sim'], outputs: { door_relay: { line: 17 } } },
    keypad: { driver: 'serial-keypad', port: { usb: '0403:6001', serial: 'KEYPAD' } },
    reader: { driver: 'rdm6300', port: { usb: '0403:6001', serial: 'READER' }, uid: 'whole_tag' },
  },
  stations: { main: { keypad: 'keypad', reader: 'reader' } },
  gadgets: [{ key: 'door', kind: 'door', name: 'Door', strike: 'door_relay', strike_ms: 2000, station: 'main' }],
};

import { describe, expect, it } from 'vitest';
import { checkProfile } from './check-profile.ts';
import { readShippedProfile, setValueAtPath } from './profile-json.test-support.ts';

const problemsOf = (product: string, changes: Readonly<Record<string, unknown>>) => {
  const tree = readShippedProfile(product);
  for (const [path, value] of Object.entries(changes)) setValueAtPath(tree, path, value);
  const checked = checkProfile(tree);
  return checked.ok ? [] : checked.problems;
};

const pathsOf = (product: string, changes: Readonly<Record<string, unknown>>): string[] =>
  problemsOf(product, changes).map(({ path }) => path);

const GPIO = 'rpi-gpio-acr122u';

const SECOND_READER_OF_PERIPHERAL = {
  'buses.rs485.readers.staff_reader.address': 0,
  'buses.rs485.readers.staff_reader.reader_number': 1,
};

describe('checkProfile', () => {
  describe('lines and buses', () => {
    it.each([
      ['a line that is used twice', { 'buses.gpio.inputs.housing.line': 17 }, 'buses.gpio.inputs.housing.line'],
      ['a line beyond any chip', { 'buses.gpio.outputs.buzzer.line': 512 }, 'buses.gpio.outputs.buzzer.line'],
      ['an unknown driver', { 'buses.gpio.driver': 'sysfs' }, 'buses.gpio.driver'],
      ['a chip without a label', { 'buses.gpio.chip': [] }, 'buses.gpio.chip'],
      ['an unknown field', { 'buses.gpio.outputs.buzzer.color': 'red' }, 'buses.gpio.outputs.buzzer.color'],
      ['a name with a space', { 'buses.gpio.outputs.the bell': { line: 2 } }, 'buses.gpio.outputs.the bell'],
      [
        'two PC/SC readers that cannot be told apart',
        { 'buses.pcsc.readers': { reader: { model: 'ACR122U' }, second: { model: 'acr122u picc' } } },
        'buses.pcsc.readers.second',
      ],
      [
        'a PC/SC reader by model beside one by USB port',
        { 'buses.pcsc.readers': { reader: { model: 'ACR122U' }, second: { usb_path: '1-1.2' } } },
        'buses.pcsc.readers.second',
      ],
      [
        'a PC/SC reader by model beside one that is assigned on site',
        { 'buses.pcsc.readers': { reader: { model: 'ACR122U' }, second: { assign: 'by_tap' } } },
        'buses.pcsc.readers.second',
      ],
      [
        'a PC/SC reader by USB port that is also assigned on site',
        { 'buses.pcsc.readers.reader': { usb_path: '1-1.2', assign: 'by_tap' } },
        'buses.pcsc.readers.reader.assign',
      ],
      [
        'a USB port without its bus',
        { 'buses.pcsc.readers.reader.usb_path': '1.2' },
        'buses.pcsc.readers.reader.usb_path',
      ],
      [
        'two card formats of one length',
        { 'buses.wiegand': { driver: 'wiegand', chip: ['x'], d0: 2, d1: 3, formats: [26, { uid: 'U'.repeat(26) }] } },
        'buses.wiegand.formats.1',
      ],
      [
        'a parity mask of another length',
        {
          'buses.wiegand': {
            driver: 'wiegand',
            chip: ['x'],
            d0: 2,
            d1: 3,
            formats: [{ uid: 'UUUUUUUU', parity: ['E'] }],
          },
        },
        'buses.wiegand.formats.0',
      ],
      [
        'a Wiegand keypad that sends PINs without their facility',
        { 'buses.wiegand': { driver: 'wiegand', chip: ['x'], d0: 2, d1: 3, keys: '26_bit_pin' } },
        'buses.wiegand.pin',
      ],
      [
        'two USB relays that cannot be told apart',
        { 'buses.a': { driver: 'hid-relay', usb_path: '1-1' }, 'buses.b': { driver: 'hid-relay' } },
        'buses.b',
      ],
      [
        'two parts at one I2C address',
        { 'buses.a': { driver: 'mcp23017', address: 0x24 }, 'buses.b': { driver: 'pn532-i2c' } },
        'buses.b.address',
      ],
      [
        'two readers at one chip select',
        { 'buses.a': { driver: 'rc522' }, 'buses.b': { driver: 'pn532-spi' } },
        'buses.b.device',
      ],
      [
        'a line of a port expander that is used twice',
        {
          'buses.hat': { driver: 'mcp23017', outputs: { fan: { line: 3 } }, inputs: { bell: { line: 3 } } },
        },
        'buses.hat.inputs.bell.line',
      ],
      ['a second PC/SC service', { 'buses.other': { driver: 'pcsc' } }, 'buses.other.driver'],
      [
        'a second output of the same name',
        { 'buses.more': { driver: 'usb-relay', port: { path: '/dev/ttyUSB0' }, outputs: { buzzer: { channel: 1 } } } },
        'buses.more.outputs.buzzer',
      ],
      ['a second keypad that may be the first', { 'buses.other': { driver: 'usb-keypad' } }, 'buses.other.device'],
      [
        'a second keypad that cannot be told apart from the first',
        { 'buses.other': { driver: 'usb-keypad', device: 'usb-Acme_Pad-event-kbd' } },
        'buses.other.device',
      ],
      ['a keypad path without a stable name', { 'buses.keypad.device': '/dev/input/event0' }, 'buses.keypad.device'],
    ])('rejects %s', (_, changes, path) => {
      expect(pathsOf(GPIO, changes)).toEqual([path]);
    });

    it.each([
      ['a path that begins nowhere', { 'buses.rs485.port': { path: 'ttyUSB0' } }, 'buses.rs485.port.path'],
      ['a path that climbs up', { 'buses.rs485.port': { path: '/dev/../etc/passwd' } }, 'buses.rs485.port.path'],
      ['an unsupported baud rate', { 'buses.rs485.baud_rate': 9601 }, 'buses.rs485.baud_rate'],
      [
        'two readers at one address',
        { 'buses.rs485.readers.staff_reader.address': 0 },
        'buses.rs485.readers.staff_reader.address',
      ],
      [
        'two readers with one number at one address',
        {
          'buses.rs485.readers.front_reader.reader_number': 1,
          'buses.rs485.readers.staff_reader.address': 0,
          'buses.rs485.readers.staff_reader.reader_number': 1,
        },
        'buses.rs485.readers.staff_reader.address',
      ],
      [
        'a reader number that no peripheral has',
        { 'buses.rs485.readers.staff_reader.reader_number': 4 },
        'buses.rs485.readers.staff_reader.reader_number',
      ],
      [
        'readers of one peripheral with different security',
        {
          ...SECOND_READER_OF_PERIPHERAL,
          'buses.rs485.readers.staff_reader.security': 'plain',
        },
        'buses.rs485.readers.staff_reader.security',
      ],
      [
        'readers of one peripheral with different checksums',
        { ...SECOND_READER_OF_PERIPHERAL, 'buses.rs485.readers.front_reader.crc': false },
        'buses.rs485.readers.staff_reader.crc',
      ],
      [
        'one output of a peripheral with two names',
        {
          ...SECOND_READER_OF_PERIPHERAL,
          'buses.rs485.readers.front_reader.outputs.light': { output: 0 },
          'buses.rs485.readers.staff_reader.outputs.lamp': { output: 0 },
        },
        'buses.rs485.readers.staff_reader.outputs.lamp.output',
      ],
      [
        'one input of a peripheral with two names',
        {
          ...SECOND_READER_OF_PERIPHERAL,
          'buses.rs485.readers.front_reader.inputs.bell': { input: 2 },
          'buses.rs485.readers.staff_reader.inputs': { switch: { input: 2 } },
        },
        'buses.rs485.readers.staff_reader.inputs.switch.input',
      ],
      [
        'the broadcast address',
        { 'buses.rs485.readers.staff_reader.address': 127 },
        'buses.rs485.readers.staff_reader.address',
      ],
      ['a reader in two stations', { 'stations.staff.reader': 'front_reader' }, 'stations.staff.reader'],
      [
        'a light that is not an output',
        { 'stations.staff.indicator.red': 'front_tamper' },
        'stations.staff.indicator.red',
      ],
    ])('rejects for OSDP: %s', (_, changes, path) => {
      expect(pathsOf('rpi-osdp', changes)).toEqual([path]);
    });

    it('accepts two readers of one OSDP peripheral, and the same output number at two addresses', () => {
      expect(pathsOf('rpi-osdp', SECOND_READER_OF_PERIPHERAL)).toEqual([]);
      const outputs = {
        'buses.rs485.readers.front_reader.outputs.light': { output: 0 },
        'buses.rs485.readers.staff_reader.outputs.lamp': { output: 0 },
      };
      expect(pathsOf('rpi-osdp', outputs)).toEqual([]);
    });

    it('names the other reader of an OSDP peripheral', () => {
      const messagesOf = (changes: object) => problemsOf('rpi-osdp', { ...changes }).map(({ message }) => message);
      expect(messagesOf({ 'buses.rs485.readers.staff_reader.address': 0 })).toEqual([
        'address 0 with reader_number 0 is already used by front_reader of this bus',
      ]);
      const plain = { 'buses.rs485.readers.staff_reader.security': 'plain' };
      expect(messagesOf({ ...SECOND_READER_OF_PERIPHERAL, ...plain })).toEqual([
        'must be pair as for front_reader, which has the same address',
      ]);
    });

    it.each([
      ['a coil that is used twice', { 'buses.rs485.outputs.relay_2.coil': 0 }, 'buses.rs485.outputs.relay_2.coil'],
      ['the broadcast unit', { 'buses.rs485.outputs.relay_2.unit': 0 }, 'buses.rs485.outputs.relay_2.unit'],
      ['a pulse beyond the last coil', { 'buses.rs485.pulse.base': 65_529 }, 'buses.rs485.outputs.relay_8.coil'],
      [
        'a relay that is neither a coil nor a register',
        { 'buses.rs485.outputs.relay_2': { unit: 1 } },
        'buses.rs485.outputs.relay_2',
      ],
      [
        'coils and registers in one unit',
        { 'buses.rs485.outputs.relay_8': { unit: 1, register: 8 } },
        'buses.rs485.outputs.relay_8',
      ],
      [
        'a bit of an input that is not in a register',
        { 'buses.rs485.inputs.housing.bit': 3 },
        'buses.rs485.inputs.housing.bit',
      ],
      [
        'registers too far apart for one request',
        {
          'buses.rs485.inputs.near': { unit: 1, register: 0 },
          'buses.rs485.inputs.far': { unit: 1, register: 125 },
        },
        'buses.rs485.inputs.far.register',
      ],
      [
        'a bit of a register that is used twice',
        {
          'buses.rs485.inputs.one': { unit: 1, register: 4, bit: 1 },
          'buses.rs485.inputs.two': { unit: 1, register: 4, bit: 1 },
        },
        'buses.rs485.inputs.two.register',
      ],
      [
        'an adapter that may be the one of another bus',
        { 'buses.second': { driver: 'osdp', port: { usb: '0403:6001', serial: 'A1' } } },
        'buses.second.port',
      ],
      [
        'a port of another bus',
        { 'buses.second': { driver: 'osdp', port: { usb: '0403:6001' } } },
        'buses.second.port',
      ],
    ])('rejects for Modbus: %s', (_, changes, path) => {
      expect(pathsOf('rpi-modbus-8', changes)).toEqual([path]);
    });

    it.each([
      ['too few keys for the rows', { 'buses.keypad.keys': ['123', '456', '789'] }, 'buses.keypad.keys'],
      ['a key twice', { 'buses.keypad.keys': ['123', '456', '789', '101'] }, 'buses.keypad.keys'],
      ['a line of the relays', { 'buses.keypad.rows.0': 17 }, 'buses.gpio.outputs.door_relay.line'],
    ])('rejects for a matrix keypad: %s', (_, changes, path) => {
      expect(pathsOf('rpi-pn532-matrix', changes)).toEqual([path]);
    });

    it('accepts two keypads and two adapters that can be told apart', () => {
      const pads = {
        'buses.keypad.device': 'usb-A-event-kbd',
        'buses.b': { driver: 'usb-keypad', device: 'usb-B*-event-kbd' },
      };
      expect(pathsOf(GPIO, pads)).toEqual([]);
      const adapters = {
        'buses.rs485.port': { usb: '0403:6001', serial: 'A1' },
        'buses.second': { driver: 'osdp', port: { usb: '0403:6001', serial: 'A2' } },
      };
      expect(pathsOf('rpi-modbus-8', adapters)).toEqual([]);
    });

    it('accepts the same line number on two chips', () => {
      expect(pathsOf('rpi-pn532-matrix', { 'buses.keypad.rows.0': 17, 'buses.keypad.chip': ['mcp23017'] })).toEqual([]);
    });
  });

  describe('gadgets', () => {
    it.each([
      ['an unknown output', { 'gadgets.0.strike': 'door_lock' }, 'gadgets.0.strike'],
      ['an output of another gadget', { 'gadgets.0.strike': 'gate_relay' }, 'gadgets.1.actions.0.steps.0.output'],
      ['a light of a station as a strike', { 'gadgets.0.strike': 'buzzer' }, 'gadgets.0.strike'],
      ['an unknown input', { 'gadgets.0.exit_button': 'bell' }, 'gadgets.0.exit_button'],
      ['an input with another meaning', { 'gadgets.0.exit_button': 'setup_button' }, 'setup_button'],
      ['an unknown station', { 'gadgets.0.station': 'back' }, 'gadgets.0.station'],
      ['an unknown kind', { 'gadgets.0.kind': 'window' }, 'gadgets.0.kind'],
      ['a key of another gadget', { 'gadgets.1.key': 'door' }, 'gadgets.1.key'],
      ['a step that waits for ever', { 'gadgets.1.actions.0.steps.0.ms': 1e12 }, 'gadgets.1.actions.0.steps.0.ms'],
      ['a strike that is never released', { 'gadgets.0.strike_ms': 1e9 }, 'gadgets.0.strike_ms'],
      ['an unknown state', { 'gadgets.2.resting_state': 'dark' }, 'gadgets.2.resting_state'],
      ['an action twice', { 'gadgets.2.actions.1.id': 'on' }, 'gadgets.2.actions'],
      ['unlocking without locking', { 'gadgets.0.actions': ['open', 'unlock'] }, 'gadgets.0.actions'],
      ['a warning after the alarm', { 'gadgets.0.pre_alarm_ms': 60_000 }, 'gadgets.0.pre_alarm_ms'],
      [
        'an interlock with a gadget that is not a door',
        { interlocks: [{ gadgets: ['door', 'gate'] }] },
        'interlocks.0.gadgets.1',
      ],
      ['an interlock of a door with itself', { interlocks: [{ gadgets: ['door', 'door'] }] }, 'interlocks.0.gadgets.1'],
      ['more gadgets than the product has', { 'capabilities.gadget_max_count': 2 }, 'gadgets'],
      ['simulated gadgets on real relays', { other_gadgets: 'simulated' }, 'other_gadgets'],
    ])('rejects %s', (_, changes, path) => {
      expect(pathsOf(GPIO, changes)).toEqual([path]);
    });

    it('allows without a door contact neither a held-open nor a forced-open alarm', () => {
      const changes = {
        'gadgets.0.contact': undefined,
        'gadgets.0.relock_on': 'close',
        'gadgets.0.forced_alarm': true,
      };
      expect(pathsOf(GPIO, changes)).toEqual([
        'gadgets.0.relock_on',
        'gadgets.0.held_open_ms',
        'gadgets.0.forced_alarm',
      ]);
    });

    it('may share an interlock when they are doors', () => {
      expect(pathsOf('rpi-osdp', { interlocks: [{ gadgets: ['front', 'staff'] }] })).toEqual([]);
    });
  });

  describe('other settings', () => {
    it.each([
      ['a PIN without a keypad', { 'stations.entrance.keypad': undefined }, 'capabilities.pin'],
      ['a keypad without a PIN', { 'capabilities.pin': false }, 'capabilities.pin'],
      [
        'cards with only a QR reader',
        { 'buses.codes': { driver: 'qr-serial', port: { usb: '0c2e:0cba' } }, 'stations.entrance.reader': 'codes' },
        'capabilities.nfc',
      ],
      ['cards without a reader', { 'stations.entrance.reader': undefined }, 'capabilities.nfc'],
      ['sound without a buzzer', { 'stations.entrance.indicator.buzzer': undefined }, 'capabilities.audio'],
      ['an unknown tamper line', { tamper: 'lid' }, 'tamper'],
      [
        'lockouts that get shorter',
        { times: { first_lockout_ms: 60_000, longest_lockout_ms: 1_000 } },
        'times.longest_lockout_ms',
      ],
      ['digits that are forgotten before they fire', { times: { forget_ms: 1_000 } }, 'times.forget_ms'],
      ['an unknown feedback kind', { feedback: { joy: [] } }, 'feedback.joy'],
      [
        'a pattern of an unknown light',
        { feedback: { granted: [{ step: 'on', output: 'blue' }] } },
        'feedback.granted.0.output',
      ],
      ['an unknown policy', { policies: { untrusted_time: 'allow' } }, 'policies.untrusted_time'],
    ])('rejects %s', (_, changes, path) => {
      expect(pathsOf(GPIO, changes)).toEqual([path]);
    });

    it('reports every problem at once, each with a message', () => {
      const problems = problemsOf(GPIO, { tamper: 'lid', 'gadgets.0.strike': 'door_lock', 'capabilities.pin': false });
      expect(problems.map(({ path, message }) => `${path} ${message}`).sort()).toEqual([
        'capabilities.pin must be true: a station has a keypad',
        'gadgets.0.strike unknown output door_lock',
        'tamper unknown input lid',
      ]);
    });
  });

  describe('serial keypad keys', () => {
    const withKeys = (keys: object) => ({
      'buses.pad': { driver: 'serial-keypad', port: { path: '/dev/ttyS9' }, keys },
    });

    it('accepts mapped and ignored bytes', () => {
      expect(pathsOf(GPIO, withKeys({ E: '#', '0x1b': '*', '.': null }))).toEqual([]);
    });

    it.each([
      ['more than one character', { enter: '#' }, 'buses.pad.keys.enter'],
      ['a key that does not exist', { E: 'E' }, 'buses.pad.keys.E'],
      ['a byte twice', { E: '#', '0x45': '*' }, 'buses.pad.keys.0x45'],
    ])('rejects %s', (_, keys, path) => {
      expect(pathsOf(GPIO, withKeys(keys))).toEqual([path]);
    });
  });
});

import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { describe, expect, it } from 'vitest';
import {
  checkProfileHardware,
  createFindingFactory,
  type DoctorFinding,
  listHardware,
  rankProfiles,
} from './doctor.ts';
import { checkHost, type HostInventory } from './host/checks.ts';
import {
  createRecordedHost,
  healthyHostInventory,
  noSmartCards,
  type RecordedHardware,
  recordedHardware,
} from './testing/recorded-host.ts';

const shipped = (id: string) => loadProfiles().find(({ product_id }) => product_id === id)!;
const machine = createRecordedHost({ groups: { '/dev': 993, '/dev/input/by-id': 105 } });

const texts = (findings: readonly DoctorFinding[], level: DoctorFinding['level']): string[] =>
  findings.filter(one => one.level === level).map(({ text, fix }) => (fix === undefined ? text : `${text} → ${fix}`));

const wanted = (id: string, found: RecordedHardware, on = machine) =>
  checkProfileHardware(shipped(id), on, recordedHardware(found));

const keyboard = { link: 'usb-1c4f_0002-event-kbd', access: 'yes' } as const;
const bcm = { path: '/dev/gpiochip0', label: 'pinctrl-bcm2711', users: new Map<number, string>() };
const acr122 = {
  ...noSmartCards,
  readers: [{ name: 'ACS ACR122U PICC Interface 00 00', place: { usb_path: '1-1.2', serial: null } }],
};
const adapter = (changes: object) => ({
  path: '/dev/serial/by-id/a',
  tty: 'ttyUSB0',
  usb: '0403:6001',
  serial: null,
  maker: null,
  product: null,
  access: 'yes' as const,
  isConsole: false,
  ...changes,
});

describe('doctor findings', () => {
  describe('hardware of a profile', () => {
    it('is complete', () => {
      const found = wanted('rpi-gpio-acr122u', { gpioChips: [bcm], keyboards: [keyboard], smartCards: acr122 });
      expect(found.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok']);
    });

    it('is missing: each part is named with what to plug in', () => {
      expect(texts(wanted('rpi-gpio-acr122u', {}), 'bad')).toEqual([
        'gpio: no GPIO chip pinctrl-rp1 or pinctrl-bcm2711 or pinctrl-bcm2835 → This profile is for another board. lintel profile list shows all profiles',
        'keypad: no USB keypad *-event-kbd → Plug in USB number pad. ls /dev/input/by-id lists keyboards',
        'reader: no PC/SC reader ACR122 → Plug in ACR122U on USB. lsusb lists USB devices',
      ]);
    });

    it('on I2C, SPI and HID is found by its device, with what to do otherwise', () => {
      const relay = 'HID_ID=0003:000016C0:000005DF';
      const host = createRecordedHost({
        files: { '/dev/i2c-1': '', '/dev/hidraw3': '', '/sys/class/hidraw/hidraw3/device/uevent': relay },
      });
      expect(texts(wanted('rpi-relay-hat', {}, host), 'ok')).toEqual([
        'hat: the port /dev/i2c-1 exists and can be opened',
        'front_reader: the port /dev/i2c-1 exists and can be opened',
      ]);
      expect(texts(wanted('rpi-relay-hat', {}, host), 'bad')).toEqual([
        'back_reader: /dev/spidev0.0 does not exist → In /boot/firmware/config.txt: dtparam=spi=on; restart',
      ]);
      expect(texts(wanted('usb-hid-relay', {}, host), 'ok')).toContain('relays: /dev/hidraw3');
      const withoutModules = createRecordedHost({
        files: { '/sys/bus/i2c/devices/i2c-1/name': '', '/sys/bus/spi/devices/spi0.0/modalias': '' },
      });
      expect(texts(wanted('rpi-relay-hat', {}, withoutModules), 'bad')).toEqual([
        'hat: /dev/i2c-1 does not exist → sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf',
        'front_reader: /dev/i2c-1 does not exist → sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf',
        'back_reader: /dev/spidev0.0 does not exist → sudo modprobe spidev && echo spidev | sudo tee /etc/modules-load.d/spidev.conf',
      ]);
      expect(texts(wanted('usb-hid-relay', {}), 'bad')[0]).toBe(
        'relays: No USB relay 16c0:05df is plugged in → Plug it in. lsusb lists USB devices',
      );
    });

    it('needs a rule of udev if the HID relay belongs to root, and a group otherwise', () => {
      const files = {
        '/dev/hidraw3': '',
        '/sys/class/hidraw/hidraw3/device/uevent': 'HID_ID=0003:000016C0:000005DF',
      };
      const fixFor = (group: number): string | undefined =>
        texts(
          wanted(
            'usb-hid-relay',
            {},
            createRecordedHost({ files, denied: ['/dev/hidraw3'], groups: { '/dev/hidraw3': group } }),
          ),
          'bad',
        )[0];
      expect(fixFor(0)).toMatch(
        /^relays: \/dev\/hidraw3 cannot be opened → echo 'SUBSYSTEM=="hidraw", .*udev\/rules\.d/,
      );
      expect(fixFor(20)).toMatch(/→ sudo usermod -aG dialout door/);
    });

    it('in the network is not checked, and says so', () => {
      expect(texts(wanted('rpi-modbus-tcp', {}), 'note')).toEqual([
        'board: relays at 192.168.77.10 in the network are not checked',
      ]);
    });

    it('exists but cannot be opened: the missing group is named', () => {
      const found = wanted('rpi-gpio-acr122u', {
        gpioChips: [{ ...bcm, label: null }],
        keyboards: [{ ...keyboard, access: 'denied' }],
        smartCards: acr122,
      });
      expect(texts(found, 'bad')).toEqual([
        'gpio: /dev/gpiochip0 cannot be opened → sudo usermod -aG gpio door, then log in again (a service: restart it)',
        'keypad: usb-1c4f_0002-event-kbd cannot be opened → sudo usermod -aG input door, then log in again (a service: restart it)',
      ]);
    });

    it('needs BlueZ and an adapter for Bluetooth', () => {
      const profile = { ...shipped('rpi-osdp'), buses: {} };
      const bluetooth = { rssi_threshold: null, requires_rssi: false, round_trip_ms: 1_000 } as const;
      const found = (adapters: readonly string[], isInstalled: boolean, adapter?: string): readonly DoctorFinding[] =>
        checkProfileHardware(
          { ...profile, bluetooth: { ...bluetooth, ...(adapter === undefined ? {} : { adapter }) } },
          {
            ...machine,
            list: folder => (folder === '/sys/class/bluetooth' ? adapters : []),
            resolve: path => (isInstalled ? path : null),
            access: () => 'yes',
          },
          recordedHardware(),
        );
      expect(checkProfileHardware(profile, machine, recordedHardware())).toEqual([]);
      expect(texts(found(['hci0'], true), 'ok')).toEqual(['bluetooth: hci0']);
      expect(texts(found(['hci0'], false), 'bad')).toEqual([
        'bluetooth: BlueZ is not installed → sudo apt install bluez',
      ]);
      expect(texts(found([], true), 'bad')[0]).toMatch(/^bluetooth: no adapter → Plug in a USB adapter/);
      expect(texts(found(['hci0'], true, 'hci1'), 'bad')[0]).toMatch(/^bluetooth: no adapter hci1 →/);
    });

    it('needs a GPIO line that is in use, named by its pin', () => {
      const gpioChips = [
        {
          ...bcm,
          users: new Map([
            [17, 'spi0 CS0'],
            [27, 'lintel'],
          ]),
        },
      ];
      const found = texts(wanted('rpi-osdp', { gpioChips, serialPorts: [adapter({})] }), 'bad');
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^gpio: front_relay on GPIO 17 \(pin 11\) is in use by spi0 CS0 → Remove the overlay/);
    });

    it('needs an adapter that is missing, cannot be opened, or exists twice', () => {
      const rs485 = (serialPorts: NonNullable<RecordedHardware['serialPorts']>) =>
        texts(wanted('rpi-osdp', { gpioChips: [bcm], serialPorts }), 'bad');
      expect(rs485([])).toEqual(['rs485: no USB adapter 0403:6001 → Plug it in. lsusb lists USB devices']);
      expect(rs485([adapter({ access: 'denied' })])[0]).toMatch(/cannot be opened → sudo usermod -aG dialout door/);
      expect(rs485([adapter({}), adapter({ path: '/dev/serial/by-id/b' })])).toEqual([
        'rs485: 2 USB adapters 0403:6001 → Set a path for the bus: /dev/serial/by-id/a or /dev/serial/by-id/b',
      ]);
      expect(rs485([adapter({})])).toEqual([]);
    });

    it('needs the UART on the header, which must be enabled and released by the console', () => {
      const uart = (serialPorts: NonNullable<RecordedHardware['serialPorts']>, files: Record<string, string>) =>
        texts(wanted('rpi-pn532-matrix', { gpioChips: [bcm], serialPorts }, createRecordedHost({ files })), 'bad');
      expect(uart([], {})[0]).toMatch(
        /^uart: \/dev\/ttyAMA0 does not exist → In \/boot\/firmware\/config.txt: enable_uart=1/,
      );
      const onPins = adapter({ path: '/dev/ttyAMA0', tty: 'ttyAMA0', usb: null, isConsole: true });
      expect(uart([onPins], { '/dev/ttyAMA0': '' })[0]).toMatch(/is the kernel console → /);
      expect(uart([{ ...onPins, isConsole: false }], { '/dev/ttyAMA0': '' })).toEqual([]);
      const plainFile = createRecordedHost({ files: { '/dev/ttyAMA0': '' }, changes: { characterDevice: () => null } });
      expect(texts(wanted('rpi-pn532-matrix', { gpioChips: [bcm] }, plainFile), 'bad')).toEqual([
        'uart: /dev/ttyAMA0 is not a serial port → ls -l /dev/serial/by-id lists serial ports',
      ]);
    });

    it('needs a service that is not running, or a reader that must be plugged in again', () => {
      const reader = (changes: object) =>
        texts(wanted('usb-only', { smartCards: { ...noSmartCards, ...changes } }), 'bad').at(-1);
      const problem = { text: 'The PC/SC service is not running', isHanging: false };
      expect(reader({ problem })).toBe(`${problem.text} → sudo systemctl enable --now pcscd.socket`);
      expect(reader({ problem, isInstalled: false })).toMatch(/→ sudo apt install pcscd libccid$/);
      const hanging = { text: 'The PC/SC service runs but does not respond', isHanging: true };
      expect(reader({ problem: hanging })).toBe(`${hanging.text} → sudo systemctl restart pcscd`);
      expect(reader({ isAcr122Plugged: true })).toMatch(/Unplug it, plug it in again/);
    });

    it('is ambiguous between two keyboards', () => {
      const keyboards = [keyboard, { ...keyboard, link: 'usb-desk-event-kbd' }];
      expect(texts(wanted('usb-only', { keyboards }), 'note')).toEqual([
        'keypad: 2 keyboards match *-event-kbd → Choose one in the profile: "device": "usb-1c4f_0002-event-kbd"',
      ]);
    });

    it('needs nothing on a laptop', () => {
      expect(wanted('laptop-simulator', {}).map(({ level }) => level)).toEqual(['ok']);
    });
  });

  describe('machine', () => {
    const judged = (found: Partial<HostInventory>, changes = {}) =>
      checkHost(createRecordedHost({ changes }), { ...healthyHostInventory, ...found }, '/var/lib/lintel');

    it('is healthy', () => {
      expect(texts(judged({}), 'bad')).toEqual([]);
      expect(texts(judged({}), 'ok')).toContain('User door, groups dialout');
    });

    it('has an outdated Node or a 32-bit system', () => {
      expect(texts(judged({}, { nodeVersion: '20.1.0', arch: 'arm' }), 'bad')).toHaveLength(2);
    });

    it('has a disk that is full, read-only or worn out', () => {
      const disk = {
        folder: '/data',
        space: { free_bytes: 1e6, total_bytes: 1e9 },
        isReadOnly: true,
        wear_percent: 90,
      };
      expect(texts(judged({ disk }), 'bad')).toHaveLength(3);
    });

    it('was replaced by another controller', () => {
      const claim = {
        bridge_url: 'https://doors.example',
        replaced_at: Date.parse('2026-11-19T18:40:00Z'),
        problem: null,
      };
      expect(texts(judged({ claim }), 'bad')[0]).toBe(
        'This controller was replaced by another on 2026-11-19 18:40 UTC. The bridge refuses it → Switch it off, or claim it again with a ticket for this device',
      );
    });

    it('has an unreadable data folder, which differs from an unclaimed controller', () => {
      const claim = {
        bridge_url: null,
        replaced_at: null,
        problem: { kind: 'unreadable', text: '/var/lib/lintel cannot be read' },
      } as const;
      expect(texts(judged({ claim }), 'bad')).toEqual([
        '/var/lib/lintel cannot be read → sudo npx lintel doctor --data /var/lib/lintel',
      ]);
      expect(texts(judged({ claim }), 'note').join()).not.toMatch(/[Nn]ot claimed/);
      expect(texts(judged({}), 'note').join()).toMatch(/Not claimed yet/);
      expect(texts(judged({ claim }, { user: { name: 'root', uid: 0 } }), 'bad')[0]).toMatch(/→ Run ls -ld/);
    });

    it('has an unset clock, no address, or an unreachable bridge', () => {
      const clock = { isSynchronized: false, rtcs: [], buses: [] };
      expect(texts(judged({ clock }), 'note')[0]).toMatch(/^Not synchronized with a time server/);
      const network = {
        ...healthyHostInventory.network,
        addresses: [],
        bridge: { url: 'https://b', problem: 'no answer' },
      };
      expect(texts(judged({ network }), 'note')[1]).toMatch(/^No network address/);
      expect(texts(judged({ network }), 'bad')).toEqual([
        'The bridge https://b cannot be reached: no answer → Check the internet connection and the firewall',
      ]);
    });
  });

  it('list the connected hardware, and report a driver that blocks readers even without a profile', () => {
    const found = listHardware(
      machine,
      recordedHardware({
        gpioChips: [{ ...bcm, users: new Map([[2, 'spi0 CS0']]) }],
        serialPorts: [adapter({ maker: 'FTDI', product: 'FT232R USB UART', serial: 'A50285BI' })],
        smartCards: { ...acr122, isTakenByKernel: true },
      }),
    );
    expect(texts(found, 'ok')).toEqual([
      '/dev/serial/by-id/a (ttyUSB0, FTDI FT232R USB UART, 0403:6001, serial A50285BI)',
      'ACS ACR122U PICC Interface 00 00, usb_path 1-1.2',
      '/dev/gpiochip0 pinctrl-bcm2711, in use: 2 spi0 CS0',
    ]);
    expect(texts(found, 'bad')[0]).toMatch(/pn533 driver blocks the ACR122U → echo "blacklist pn533_usb"/);
  });
});

const { ok, bad } = createFindingFactory('profile');
const shippedOnes = (...ids: readonly string[]) => loadProfiles().filter(({ product_id }) => ids.includes(product_id));

describe('rankProfiles', () => {
  it('lists complete matches first, then partial ones, and simulated products last', () => {
    const fits = rankProfiles(
      shippedOnes('rpi-osdp', 'usb-only', 'rpi-modbus-8', 'laptop-simulator'),
      ({ product_id }) => {
        if (product_id === 'rpi-modbus-8') return [ok('board'), ok('reader')];
        if (product_id === 'usb-only') return [ok('relay'), bad('no reader'), ok('keypad')];
        return product_id === 'rpi-osdp' ? [bad('no adapter')] : [ok('simulated')];
      },
    );
    expect(fits.map(({ profile, fits: isFit, found, wanted }) => [profile.product_id, isFit, found, wanted])).toEqual([
      ['rpi-modbus-8', true, 2, 2],
      ['usb-only', false, 2, 3],
      ['rpi-osdp', false, 0, 1],
      ['laptop-simulator', true, 1, 1],
    ]);
    expect(fits[1]!.missing.map(({ text }) => text)).toEqual(['no reader']);
  });

  it('lists products with relays in the network after those whose parts can be detected', () => {
    const ranked = rankProfiles(shippedOnes('rpi-modbus-tcp', 'usb-only'), ({ product_id }) =>
      product_id === 'usb-only' ? [bad('no relay')] : [ok('keypad')],
    );
    expect(ranked.map(({ profile }) => profile.product_id)).toEqual(['usb-only', 'rpi-modbus-tcp']);
  });

  it('omits products of which no part is connected', () => {
    expect(rankProfiles(shippedOnes('gateway'), () => [])).toEqual([]);
  });
});

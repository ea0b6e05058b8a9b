import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.ts';
import type { Inventory } from './inventory.ts';
import { judgeMachine } from './judge-machine.ts';
import { judgeProfile } from './judge-profile.ts';
import { listParts } from './list-parts.ts';
import { emptyInventory, recordedMachine } from './recorded-machine.test-support.ts';

const shipped = (id: string) => loadProfiles().find(({ product_id }) => product_id === id)!;
const machine = recordedMachine({ groups: { '/dev': 993, '/dev/input/by-id': 105 } });

const texts = (findings: readonly Finding[], level: Finding['level']): string[] =>
  findings.filter(one => one.level === level).map(({ text, fix }) => (fix === undefined ? text : `${text} → ${fix}`));

const wanted = (id: string, found: Partial<Inventory>, on = machine) =>
  judgeProfile(shipped(id), on, { ...emptyInventory, ...found });

const keyboard = { link: 'usb-1c4f_0002-event-kbd', access: 'yes' } as const;
const bcm = { path: '/dev/gpiochip0', label: 'pinctrl-bcm2711', users: new Map<number, string>() };
const acr122 = { ...emptyInventory.smartCards, readers: ['ACS ACR122U PICC Interface 00 00'] };
const adapter = (changes: object) => ({
  path: '/dev/serial/by-id/a',
  tty: 'ttyUSB0',
  usb: '0403:6001',
  serial: null,
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
        'gpio: no GPIO chip pinctrl-rp1 or pinctrl-bcm2711 or pinctrl-bcm2835 → this profile is for another board: lintel profile list',
        'keypad: no USB keypad *-event-kbd → plug in USB number pad; ls /dev/input/by-id shows what is there',
        'reader: no PC/SC reader ACR122 → plug in ACR122U on USB; lsusb shows what is there',
      ]);
    });

    it('exists but may not be opened: the missing group is named', () => {
      const found = wanted('rpi-gpio-acr122u', {
        gpioChips: [{ ...bcm, label: null }],
        keyboards: [{ ...keyboard, access: 'denied' }],
        smartCards: acr122,
      });
      expect(texts(found, 'bad')).toEqual([
        'gpio: /dev/gpiochip0 may not be opened → sudo usermod -aG gpio door, then log in again (a service: restart it)',
        'keypad: usb-1c4f_0002-event-kbd may not be opened → sudo usermod -aG input door, then log in again (a service: restart it)',
      ]);
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
      expect(found[0]).toMatch(/^gpio: front_relay on GPIO 17 \(pin 11\) is taken by spi0 CS0 → remove the overlay/);
    });

    it('needs an adapter that is missing, may not be opened, or exists twice', () => {
      const rs485 = (serialPorts: Inventory['serialPorts']) =>
        texts(wanted('rpi-osdp', { gpioChips: [bcm], serialPorts }), 'bad');
      expect(rs485([])).toEqual(['rs485: no USB adapter 0403:6001 → plug it in; lsusb shows what is there']);
      expect(rs485([adapter({ access: 'denied' })])[0]).toMatch(/may not be opened → sudo usermod -aG dialout door/);
      expect(rs485([adapter({}), adapter({ path: '/dev/serial/by-id/b' })])).toEqual([
        'rs485: 2 USB adapters 0403:6001 → give the bus a path: /dev/serial/by-id/a or /dev/serial/by-id/b',
      ]);
      expect(rs485([adapter({})])).toEqual([]);
    });

    it('needs the UART on the header, which must be enabled and released by the console', () => {
      const uart = (serialPorts: Inventory['serialPorts'], files: Record<string, string>) =>
        texts(wanted('rpi-pn532-matrix', { gpioChips: [bcm], serialPorts }, recordedMachine({ files })), 'bad');
      expect(uart([], {})[0]).toMatch(
        /^uart: there is no \/dev\/ttyAMA0 → in \/boot\/firmware\/config.txt: enable_uart=1/,
      );
      const onPins = adapter({ path: '/dev/ttyAMA0', tty: 'ttyAMA0', usb: null, isConsole: true });
      expect(uart([onPins], { '/dev/ttyAMA0': '' })[0]).toMatch(/is the console of the kernel → /);
      expect(uart([{ ...onPins, isConsole: false }], { '/dev/ttyAMA0': '' })).toEqual([]);
      const plainFile = recordedMachine({ files: { '/dev/ttyAMA0': '' }, changes: { characterDevice: () => null } });
      expect(texts(wanted('rpi-pn532-matrix', { gpioChips: [bcm] }, plainFile), 'bad')).toEqual([
        'uart: /dev/ttyAMA0 is no serial port → ls -l /dev/serial/by-id shows those that are there',
      ]);
    });

    it('needs a service that is not running, or a reader that must be plugged in again', () => {
      const reader = (changes: object) =>
        texts(wanted('usb-only', { smartCards: { ...emptyInventory.smartCards, ...changes } }), 'bad').at(-1);
      const trouble = { text: 'the PC/SC service does not run', hangs: false };
      expect(reader({ trouble })).toBe(`${trouble.text} → sudo systemctl enable --now pcscd.socket`);
      expect(reader({ trouble, isInstalled: false })).toMatch(/→ sudo apt install pcscd libccid$/);
      const hanging = { text: 'the PC/SC service runs and does not answer', hangs: true };
      expect(reader({ trouble: hanging })).toBe(`${hanging.text} → sudo systemctl restart pcscd`);
      expect(reader({ isAcr122Plugged: true })).toMatch(/pull it out and plug it in again/);
    });

    it('is ambiguous between two keyboards', () => {
      const keyboards = [keyboard, { ...keyboard, link: 'usb-desk-event-kbd' }];
      expect(texts(wanted('usb-only', { keyboards }), 'note')).toEqual([
        'keypad: 2 keyboards fit *-event-kbd → say which in the profile: "device": "usb-1c4f_0002-event-kbd"',
      ]);
    });

    it('needs nothing on a laptop', () => {
      expect(wanted('laptop-simulator', {}).map(({ level }) => level)).toEqual(['ok']);
    });
  });

  describe('machine', () => {
    const judged = (found: Partial<Inventory>, changes = {}) =>
      judgeMachine(recordedMachine({ changes }), { ...emptyInventory, ...found }, '/var/lib/lintel');

    it('is healthy', () => {
      expect(texts(judged({}), 'bad')).toEqual([]);
      expect(texts(judged({}), 'ok')).toContain('user door, groups dialout');
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

    it('has an unreadable data folder, which differs from an unclaimed controller', () => {
      const claim = {
        bridge_url: null,
        trouble: { kind: 'unreadable', text: '/var/lib/lintel cannot be read' },
      } as const;
      expect(texts(judged({ claim }), 'bad')).toEqual([
        '/var/lib/lintel cannot be read → sudo npx lintel doctor --data /var/lib/lintel',
      ]);
      expect(texts(judged({ claim }), 'note').join()).not.toMatch(/not claimed/);
      expect(texts(judged({}), 'note').join()).toMatch(/not claimed yet/);
      expect(texts(judged({ claim }, { user: { name: 'root', uid: 0 } }), 'bad')[0]).toMatch(/→ ls -ld/);
    });

    it('has an unset clock, no address, or an unreachable bridge', () => {
      const clock = { isSynchronized: false, rtcs: [], buses: [] };
      expect(texts(judged({ clock }), 'note')[0]).toMatch(/^not set by a time server/);
      const network = { ...emptyInventory.network, addresses: [], bridge: { url: 'https://b', trouble: 'no answer' } };
      expect(texts(judged({ network }), 'note')[1]).toMatch(/^no address/);
      expect(texts(judged({ network }), 'bad')).toEqual([
        'the bridge https://b cannot be reached: no answer → is the line up, and does a firewall let it out?',
      ]);
    });
  });

  it('list the connected hardware, and report a driver that blocks readers even without a profile', () => {
    const found = listParts(machine, {
      ...emptyInventory,
      gpioChips: [{ ...bcm, users: new Map([[2, 'spi0 CS0']]) }],
      serialPorts: [adapter({})],
      smartCards: { ...acr122, isStolen: true },
    });
    expect(texts(found, 'ok')).toEqual([
      '/dev/serial/by-id/a (0403:6001)',
      'ACS ACR122U PICC Interface 00 00',
      '/dev/gpiochip0 pinctrl-bcm2711, taken: 2 spi0 CS0',
    ]);
    expect(texts(found, 'bad')[0]).toMatch(/pn533 driver has taken the ACR122U → echo "blacklist pn533_usb"/);
  });
});

import { describe, expect, it } from 'vitest';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { probeClaim, probeClock, probeDisk, probeNetwork } from './checks.ts';
import { probeKeyboards } from '../evdev/keyboard.ts';
import { probeGpioChips } from '../gpio/doctor.ts';
import { probeSmartCardReaders } from '../pcsc/doctor.ts';
import { PcscTimeoutError } from '../pcsc/session.ts';
import { isSerialPort, probeSerialPorts } from '../serial-line/doctor.ts';
import { createLocalHostSystem } from './host-system.ts';
import { createRecordedHost } from '../testing/recorded-host.ts';

const usbTree = '/sys/devices/platform/soc/usb1/1-1.2';
const withRelay = {
  files: {
    '/sys/class/tty/ttyUSB0/uevent': '',
    '/sys/class/tty/ttyAMA0/uevent': '',
    '/sys/class/tty/tty1/uevent': '',
    [`${usbTree}/idVendor`]: '1a86',
    [`${usbTree}/idProduct`]: '7523',
    [`${usbTree}/product`]: 'USB2.0-Serial',
    '/dev/ttyAMA0': '',
    '/dev/ttyUSB0': '',
    '/proc/cmdline': 'console=serial0,115200 console=tty1 root=PARTUUID=1',
  },
  links: {
    '/sys/class/tty/ttyUSB0/device': `${usbTree}/1-1.2:1.0/ttyUSB0`,
    '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0': '/dev/ttyUSB0',
    '/dev/serial0': '/dev/ttyAMA0',
  },
};

describe('doctor probes', () => {
  it('find serial ports by their stable name, with their adapter, and detect the console', async () => {
    const host = createRecordedHost({ ...withRelay, denied: ['/dev/ttyUSB0'] });
    const list = async () => [{ path: '/dev/ttyUSB0', maker: 'QinHeng' }];
    expect(await probeSerialPorts(host, list)).toEqual([
      {
        path: '/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0',
        tty: 'ttyUSB0',
        usb: '1a86:7523',
        serial: null,
        maker: 'QinHeng',
        product: 'USB2.0-Serial',
        access: 'denied',
        isConsole: false,
      },
      {
        path: '/dev/ttyAMA0',
        tty: 'ttyAMA0',
        usb: null,
        serial: null,
        maker: null,
        product: null,
        access: 'yes',
        isConsole: true,
      },
    ]);
    const withoutUdev = await probeSerialPorts(host, () => Promise.reject(new Error('spawn udevadm ENOENT')));
    expect(withoutUdev.map(({ tty, maker }) => [tty, maker])).toEqual([
      ['ttyUSB0', null],
      ['ttyAMA0', null],
    ]);
  });

  it('find readers, a stopped service, and a kernel driver that claims the ACR122U', async () => {
    const files = {
      '/usr/sbin/pcscd': '',
      '/sys/bus/usb/devices/1-1/idVendor': '072f',
      '/sys/bus/usb/devices/1-1/idProduct': '2200',
    };
    const machine = createRecordedHost({ files });
    const readers = [{ name: 'ACS ACR122U 00 00', place: null }];
    expect(await probeSmartCardReaders(machine, async () => readers)).toMatchObject({
      isInstalled: true,
      readers,
      problem: null,
      isTakenByKernel: false,
    });
    const stolen = createRecordedHost({ files: { ...files, '/proc/modules': 'pn533_usb 20480 0 - Live\nnfc 1 1' } });
    const silent = () => Promise.reject(new Error('[ NoService ] - Error in native function'));
    expect(await probeSmartCardReaders(stolen, silent)).toMatchObject({
      readers: [],
      problem: { text: 'The PC/SC service is not running', isHanging: false },
      isTakenByKernel: true,
    });
    const hanging = () => Promise.reject(new PcscTimeoutError());
    expect(await probeSmartCardReaders(machine, hanging)).toMatchObject({
      problem: { text: 'The PC/SC service runs but does not respond', isHanging: true },
    });
  });

  it("recognize serial ports by the kernel's device list", () => {
    const drivers = [
      '/dev/tty             /dev/tty        5       0 system:/dev/tty',
      'ttyAMA               /dev/ttyAMA   204 64-77 serial',
      'pty_slave            /dev/pts      136 0-1048575 pty:slave',
      'unknown              /dev/tty        4 1-63 console',
    ].join('\n');
    const isPort = (major: number, minor: number): boolean =>
      isSerialPort(
        createRecordedHost({
          files: { '/proc/tty/drivers': drivers },
          changes: { characterDevice: () => ({ major, minor }) },
        }),
        '/dev/x',
      );
    expect([isPort(204, 64), isPort(204, 77), isPort(136, 9)]).toEqual([true, true, true]);
    expect([isPort(204, 78), isPort(1, 3), isPort(4, 1), isPort(5, 0)]).toEqual([false, false, false, false]);
  });

  it('do not take a plain file, a folder or /dev/null for a serial port', () => {
    const paths = [import.meta.filename, import.meta.dirname, '/dev/null', '/dev/nothing'];
    expect(paths.filter(path => isSerialPort(createLocalHostSystem(), path))).toEqual([]);
  });

  it('find the bridge that the controller is claimed for, or report that it is unreadable', () => {
    expect(probeClaim(import.meta.dirname)).toEqual({ bridge_url: null, replaced_at: null, problem: null });
    expect(probeClaim(import.meta.filename).problem).toEqual({
      kind: 'unreadable',
      text: `${import.meta.filename} cannot be read, so the claim is unknown`,
    });
  });

  it('find GPIO chips by label, and the users of their lines', async () => {
    const calls: Pick<DeviceSystemCalls, 'list' | 'open' | 'ioctl' | 'close'> = {
      list: () => ['gpiochip0', 'gpiochip1', 'null'],
      open: path => {
        if (path === '/dev/gpiochip1') throw Object.assign(new Error('denied'), { code: 'EACCES' });
        return 7;
      },
      ioctl: (_, request, argument) => {
        const bytes = argument as Buffer;
        if (request === 0x8044b401) {
          bytes.write('gpiochip0', 0);
          bytes.write('pinctrl-bcm2711', 32);
          bytes.writeUInt32LE(3, 64);
        } else if (bytes.readUInt32LE(64) === 2) {
          bytes.write('spi0 CS0', 32);
          bytes.writeBigUInt64LE(1n, 72);
        }
      },
      close: () => undefined,
    };
    expect(await probeGpioChips(async () => calls as DeviceSystemCalls)).toEqual([
      { path: '/dev/gpiochip0', label: 'pinctrl-bcm2711', users: new Map([[2, 'spi0 CS0']]) },
      { path: '/dev/gpiochip1', label: null, users: new Map() },
    ]);
  });

  it('find keyboards, clocks, and the wear of the flash', () => {
    const machine = createRecordedHost({
      files: {
        '/dev/input/by-id/usb-1c4f_0002-event-kbd': '',
        '/dev/input/by-id/usb-1c4f_0002-event-mouse': '',
        '/sys/class/rtc/rtc0/name': 'rtc-ds1307 1-0068',
        '/dev/i2c-1': '',
        '/run/systemd/timesync/synchronized': '',
        '/sys/block/mmcblk0/device/life_time': '0x02 0x09',
        '/proc/mounts': '/dev/root / ext4 rw,noatime 0 0\n/dev/sda1 /var/lib ext4 ro,noatime 0 0',
        '/var/lib/lintel/x': '',
      },
    });
    expect(probeKeyboards(machine)).toEqual([{ link: 'usb-1c4f_0002-event-kbd', access: 'yes' }]);
    expect(probeClock(machine)).toEqual({ isSynchronized: true, rtcs: ['rtc-ds1307 1-0068'], buses: ['i2c-1'] });
    expect(probeDisk(machine, '/var/lib/lintel/door')).toMatchObject({
      folder: '/var/lib/lintel',
      isReadOnly: true,
      wear_percent: 90,
    });
    expect(probeDisk(machine, '/home/door').isReadOnly).toBe(false);
  });

  it('check the connection to the bridge, and report why it fails', async () => {
    const files = {
      '/proc/net/route': 'Iface\tDestination\tGateway\neth0\t00000000\t010200C0\n',
      '/etc/resolv.conf': '# made\nnameserver 192.0.2.1\n',
    };
    const asked: string[] = [];
    const reach = async (host: string, port: number) => {
      asked.push(`${host} ${port}`);
      return 'connect ECONNREFUSED';
    };
    const found = await probeNetwork(
      createRecordedHost({ files, changes: { reach } }),
      'https://[2001:db8::1]:8443/v2',
    );
    expect(found).toMatchObject({
      hasRoute: true,
      nameServers: ['192.0.2.1'],
      bridge: { problem: 'connect ECONNREFUSED' },
    });
    await probeNetwork(createRecordedHost({ changes: { reach } }), 'https://doors.example.com');
    expect(asked).toEqual(['2001:db8::1 8443', 'doors.example.com 443']);
    expect(await probeNetwork(createRecordedHost({}), null)).toMatchObject({ hasRoute: false, bridge: null });
  });
});

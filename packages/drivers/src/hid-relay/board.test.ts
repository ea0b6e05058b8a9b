import { accessSync, constants } from 'node:fs';
import { type BusWithDriver, hardwareBusSchema } from '../drivers.ts';
import { computeHidrawIoctlNumbers, type HidFeatureReports, openHidFeatureReports } from '@lintel/service/linux/hidraw';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { describe, expect, it } from 'vitest';
import { openHidRelay, requireHidRelayPath } from './index.ts';
import { UhidRelay } from '@lintel/test/support/hardware/uhid-relay';
import { outputLinesContract } from '../testing/output-lines-contract.ts';

const context = {
  name: 'relays',
  clock: new ProcessClock(),
  dataDir: '/nonexistent',
  log: () => undefined,
};

/** A board with two relays, written from recorded reports. Shares no code with the driver. */
class SimulatedHidRelay implements HidFeatureReports {
  state = 0;
  isPlugged = true;
  isStuck = false;
  readonly sent: string[] = [];

  async get(report: number, length: number): Promise<Buffer> {
    if (!this.isPlugged) throw new Error('No USB relay 16c0:05df is plugged in');
    if (report !== 0 || length !== 9) throw new Error(`Unexpected request ${report} of ${length} bytes`);
    return Buffer.concat([Buffer.from('\0BITFT\0\0', 'latin1'), Buffer.from([this.state])]);
  }

  async set(report: Uint8Array): Promise<void> {
    if (!this.isPlugged) throw new Error('No USB relay 16c0:05df is plugged in');
    this.sent.push(Buffer.from(report).toString('hex'));
    const [, command, relay = 1] = report;
    const bit = 2 ** (relay - 1);
    if (!this.isStuck) this.state = command === 0xff ? this.state | bit : this.state & ~bit;
  }
}

const openOn = (reports: HidFeatureReports, changes: object = {}) => {
  const outputs = { strike: { relay: 1 }, light: { relay: 2 } };
  const bus = hardwareBusSchema.parse({ driver: 'hid-relay', outputs, ...changes }) as BusWithDriver<'hid-relay'>;
  return openHidRelay(bus, context, reports);
};

const openBench = async () => {
  const board = new SimulatedHidRelay();
  const { outputs, close } = await openOn(board);
  await expect.poll(() => board.sent.length).toBe(2);
  return {
    outputs: outputs!,
    isOn: async () => (board.state & 1) === 1,
    unplug: async () => void (board.isPlugged = false),
    plugIn: async () => {
      board.state = 0;
      board.isPlugged = true;
    },
    close,
  };
};

outputLinesContract('HID relay', openBench);

describe('HID relay', () => {
  it('gets the reports of the protocol', async () => {
    const board = new SimulatedHidRelay();
    const { outputs, close } = await openOn(board);
    await expect.poll(() => board.sent).toEqual(['00fd01000000000000', '00fd02000000000000']);
    outputs!.energize('light', null);
    await expect.poll(() => board.sent.at(-1)).toBe('00ff02000000000000');
    await close();
    expect(board.state).toBe(0);
  });

  it('has a fault while the relay does not follow, because the board itself confirms nothing', async () => {
    const board = new SimulatedHidRelay();
    const { outputs, close } = await openOn(board);
    await expect.poll(() => board.sent.length).toBe(2);
    board.isStuck = true;
    outputs!.energize('strike', 500);
    await expect.poll(() => outputs!.faultOf('strike')).toBe('Relay 1 is still off');
    board.isStuck = false;
    await expect.poll(() => outputs!.faultOf('strike')).toBeNull();
    await close();
  });

  it('does not switch a board with another serial number', async () => {
    const board = new SimulatedHidRelay();
    const { outputs, close } = await openOn(board, { serial: 'OTHER' });
    await expect.poll(() => outputs!.faultOf('strike')).toMatch(/serial number BITFT instead of OTHER/);
    expect(board.sent).toEqual([]);
    await close();
  });

  it('uses the ioctl numbers of the kernel for reports of 9 bytes', () => {
    expect(computeHidrawIoctlNumbers(9)).toEqual({ get: 0xc0094807, set: 0xc0094806 });
  });

  it('is found by its ids and told apart by its USB port', () => {
    const relay = 'DRIVER=hid-generic\nHID_ID=0003:000016C0:000005DF\nHID_NAME=www.dcttech.com USBRelay2';
    const devices: Record<string, string> = {
      hidraw0: 'HID_ID=0003:0000046D:0000C31C',
      hidraw1: relay,
      hidraw2: relay,
    };
    const tree = (names: readonly string[]) => ({
      list: () => names,
      read: (file: string) => devices[file.split('/')[4]!] ?? '',
      resolve: (path: string) =>
        `/sys/devices/usb1/1-1/1-1.${path.split('/')[4]!.at(-1)}/1-1.${path.split('/')[4]!.at(-1)}:1.0/0003:16C0:05DF.0001`,
    });
    expect(requireHidRelayPath(undefined, tree(['hidraw0', 'hidraw1']))).toBe('/dev/hidraw1');
    expect(requireHidRelayPath('1-1.2', tree(Object.keys(devices)))).toBe('/dev/hidraw2');
    expect(() => requireHidRelayPath(undefined, tree(Object.keys(devices)))).toThrow('2 USB relays');
    expect(() => requireHidRelayPath('1-1.4', tree(Object.keys(devices)))).toThrow(
      'No USB relay 16c0:05df at USB port',
    );
  });
});

describe('HID relay of uhid', () => {
  it('is switched through the kernel', async test => {
    try {
      accessSync('/dev/uhid', constants.R_OK | constants.W_OK);
    } catch {
      return test.skip('there is no /dev/uhid to make a USB relay with (modprobe uhid; `npm run test:kernel` has it)');
    }
    const device = new UhidRelay();
    await expect.poll(() => device.path).not.toBeNull();
    const { outputs, close } = await openOn(
      openHidFeatureReports(() => device.path!),
      { serial: device.serial },
    );
    await expect.poll(() => device.states).toEqual([0, 0]);
    outputs!.energize('light', null);
    await expect.poll(() => device.states.at(-1)).toBe(2);
    await expect.poll(() => outputs!.faultOf('light')).toBeNull();
    await close();
    expect(device.states.at(-1)).toBe(0);
    device.close();
  });
});

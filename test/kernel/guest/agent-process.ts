import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openI2cBus } from '@lintel/service/linux/i2c';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { DbusConnection } from '@lintel/drivers/dbus';
import { UhidRelay } from '../../support/hardware/uhid-relay.ts';
import {
  EXPANDER_ADDRESS,
  EXPANDER_BUS,
  FIRMWARE_FOLDER,
  FIRMWARE_USER,
  KEYPAD_LINK,
  PHONE_ADAPTER,
  PROFILE_PATH,
  READER_LINK,
} from '../virtual-machine-settings.ts';
import type { GuestCommand, GuestCommands } from './guest-command-types.ts';
import { BluezCentral } from './bluez-central.ts';
import { UinputKeyboard } from './uinput-keyboard.ts';

/* The first program of the guest, with HOST PORT. Starts everything and executes the commands of the test, one JSON document per line. */

const EXPANDER_LEVELS = 0x12;
const DATA_FOLDER = '/var/lib/lintel';

const startProgram = (program: string, ...args: readonly string[]): ChildProcess =>
  spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

const startBluetoothDaemon = (): ChildProcess => startProgram('/usr/libexec/bluetooth/bluetoothd', '--nodetach');

/** In an image, udev does this. */
const allowFirmware = (path: string): void => {
  chownSync(path, 0, FIRMWARE_USER);
  chmodSync(path, 0o660);
};

const startFirmware = (): ChildProcess => {
  const ids = [`--reuid=${FIRMWARE_USER}`, `--regid=${FIRMWARE_USER}`, '--clear-groups', '--no-new-privs'];
  const program = [`${FIRMWARE_FOLDER}/bin/node`, `${FIRMWARE_FOLDER}/program/lintel-controller.js`];
  const options = ['--profile', PROFILE_PATH, '--data', DATA_FOLDER, '--no-mdns'];
  return startProgram('setpriv', ...ids, '--bounding-set=-all', ...program, 'device', ...options);
};

mkdirSync('/run/dbus', { recursive: true });
mkdirSync('/var/lib/bluetooth', { recursive: true, mode: 0o700 });
const messageBus = spawn('dbus-daemon', ['--system', '--nofork', '--nopidfile', '--print-address'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
await once(messageBus.stdout, 'data');
startProgram('btvirt', '-L', '-l2');
while (!existsSync(`/sys/class/bluetooth/${PHONE_ADAPTER}`)) await delay(100);
let bluetoothDaemon = startBluetoothDaemon();

const plugIn = (link: string): UinputKeyboard => {
  const keyboard = new UinputKeyboard();
  mkdirSync('/dev/input/by-id', { recursive: true });
  symlinkSync(keyboard.path, `/dev/input/by-id/${link}`);
  allowFirmware(keyboard.path);
  return keyboard;
};
const keypad = plugIn(KEYPAD_LINK);
const reader = plugIn(READER_LINK);
const expander = openI2cBus(EXPANDER_BUS);
allowFirmware(`/dev/i2c-${EXPANDER_BUS}`);
const usbRelay = new UhidRelay();
while (usbRelay.path === null) await delay(100);
allowFirmware(usbRelay.path);
for (const name of ['', ...readdirSync(DATA_FOLDER, { recursive: true, encoding: 'utf8' })])
  chownSync(`${DATA_FOLDER}/${name}`, FIRMWARE_USER, FIRMWARE_USER);
const firmware = startFirmware();

const bus = await DbusConnection.open('unix:path=/run/dbus/system_bus_socket', new ProcessClock());
const central = new BluezCentral(bus, PHONE_ADAPTER);

const commands: GuestCommands = {
  startScan: () => central.startScan(),
  stopScan: () => central.stopScan(),
  findController: () => central.findController(),
  connect: ({ device }) => central.connect(device),
  disconnect: ({ device }) => central.disconnect(device),
  mtu: ({ device }) => central.mtuOf(device),
  write: ({ device, hex }) => central.write(device, Buffer.from(hex, 'hex')),
  read: async ({ device }) => (await central.read(device)).toString('hex'),
  restartBluetoothDaemon: async () => {
    const exited = once(bluetoothDaemon, 'exit');
    bluetoothDaemon.kill('SIGKILL');
    await exited;
    bluetoothDaemon = startBluetoothDaemon();
  },
  enterPin: async ({ digits }) => keypad.type(digits),
  presentCard: async ({ digits }) => reader.type(digits),
  expanderLevels: async () => expander.readWord(EXPANDER_ADDRESS, EXPANDER_LEVELS),
  usbRelayStates: async () => usbRelay.states,
  usbrelay: async ({ args }) => (await promisify(execFile)('usbrelay', args)).stdout,
  firmwareStatus: async () => readFileSync(`/proc/${firmware.pid}/status`, 'utf8'),
};

const [host, port] = process.argv.slice(2);
const socket = createConnection(Number(port), host);
for await (const line of createInterface({ input: socket })) {
  const { name, args } = JSON.parse(line) as GuestCommand;
  const result = await commands[name](args as never).then(
    value => ({ value: value ?? null }),
    (error: unknown) => ({ error: (error as Error).message }),
  );
  socket.write(`${JSON.stringify(result)}\n`);
}

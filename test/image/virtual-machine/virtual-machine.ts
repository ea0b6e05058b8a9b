import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type GuestArchitecture, hostArchitecture } from './tested-architectures.ts';
import { createGuestNetwork } from './guest-network.ts';
import { QmpClient } from './qmp-client.ts';
import { runTool } from './run-tool.ts';

export interface VirtualMachineOptions {
  readonly architecture: GuestArchitecture;
  readonly disk: string;
  /** Contains sockets and logs, cleared at each start. */
  readonly folder: string;
  /** Ports of the host that the guest reaches. */
  readonly ports: readonly number[];
}

export const PC_FIRMWARE = '/usr/share/OVMF/OVMF_CODE_4M.fd';
const FIRMWARE_SETTINGS = '/usr/share/OVMF/OVMF_VARS_4M.fd';
const BOOT_OFFSET = 4 << 20;

const READER = { driver: 'usb-serial', id: 'reader', bus: 'usb.0', chardev: 'reader', serial: 'READER' } as const;

/** A PC boots by its UEFI firmware and the boot loader of the image. */
const pc = (options: VirtualMachineOptions): readonly string[] => {
  const settings = join(options.folder, 'firmware-settings');
  copyFileSync(FIRMWARE_SETTINGS, settings);
  const firmware = [`unit=0,readonly=on,file=${PC_FIRMWARE}`, `unit=1,file=${settings}`];
  return ['-M', 'q35', '-cpu', 'Nehalem', ...firmware.flatMap(one => ['-drive', `if=pflash,format=raw,${one}`])];
};

/** QEMU's arm64 board has no Raspberry Pi firmware, so that it gets the kernel and initramfs of the image directly. */
const board = async (options: VirtualMachineOptions): Promise<readonly string[]> => {
  const partition = `${options.disk}@@${BOOT_OFFSET}`;
  const [kernel, initrd, line] = ['vmlinuz', 'initrd.img', 'cmdline.txt'].map(name => join(options.folder, name));
  for (const file of [kernel!, initrd!, line!])
    await runTool('mcopy', '-o', '-i', partition, `::${file.split('/').at(-1)}`, file);
  const words = readFileSync(line!, 'utf8').trim().replace('console=tty1', 'console=ttyAMA0');
  return ['-M', 'virt', '-cpu', 'cortex-a57', '-kernel', kernel!, '-initrd', initrd!, '-append', words];
};

const devices = ({ architecture, folder, disk, ports }: VirtualMachineOptions): readonly string[] => {
  const inFolder = (name: string) => join(folder, name);
  const lines = ['keypad', 'reader'].map(id => `socket,id=${id},path=${inFolder(id)},server=on,wait=off`);
  const logs = ['journal', 'gpio'];
  const parts = [
    'virtio-blk-pci,drive=card',
    'virtio-rng-pci',
    'virtio-serial-pci',
    ...logs.map(id => `virtserialport,chardev=${id},name=lintel.${id}`),
    'qemu-xhci,id=usb',
    'usb-serial,id=keypad,bus=usb.0,chardev=keypad,serial=KEYPAD',
    'usb-serial,id=reader,bus=usb.0,chardev=reader,serial=READER',
  ];
  const files = logs.map(id => `file,id=${id},path=${inFolder(id)},append=on`);
  // An Arm host orders memory less strictly than an x86 guest with several threads expects.
  const settings: readonly (readonly [string, string])[] = [
    ['-display', 'none'],
    ['-m', '1024'],
    ['-smp', '2'],
    ['-accel', `tcg,thread=${architecture === 'amd64' && hostArchitecture() === 'arm64' ? 'single' : 'multi'}`],
    ['-serial', `file:${inFolder('console')}`],
    ['-qmp', `unix:${inFolder('qmp')},server=on,wait=off`],
    ['-drive', `if=none,id=card,format=raw,file=${disk}`],
  ];
  return [
    '-nodefaults',
    ...settings.flat(),
    ...createGuestNetwork(ports),
    ...[...lines, ...files].flatMap(chardev => ['-chardev', chardev]),
    ...parts.flatMap(device => ['-device', device]),
  ];
};

const connected = async (path: string): Promise<Socket> => {
  await vi.waitUntil(() => existsSync(path), { timeout: 30_000 });
  const socket = createConnection(path);
  await once(socket, 'connect');
  return socket.on('error', () => undefined).resume();
};

/** A virtual machine with the image as its disk, a keypad and a reader on USB, and a network link to the bridge on the host. */
export class VirtualMachine {
  readonly #options: VirtualMachineOptions;
  readonly #process: ChildProcess;
  readonly #qmp: QmpClient;
  readonly #keypad: Socket;
  readonly #reader: Socket;

  private constructor(
    options: VirtualMachineOptions,
    process: ChildProcess,
    qmp: QmpClient,
    keypad: Socket,
    reader: Socket,
  ) {
    this.#options = options;
    this.#process = process;
    this.#qmp = qmp;
    this.#keypad = keypad;
    this.#reader = reader;
  }

  static async start(options: VirtualMachineOptions): Promise<VirtualMachine> {
    const { architecture, folder } = options;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const kind = architecture === 'amd64' ? pc(options) : await board(options);
    const program = architecture === 'amd64' ? 'qemu-system-x86_64' : 'qemu-system-aarch64';
    // Is killed when this process ends for any reason.
    const call = ['--pdeathsig', 'KILL', program, ...kind, ...devices(options)];
    const child = spawn('setpriv', call, { stdio: ['ignore', 'inherit', 'inherit'] });
    const [keypad, reader] = [await connected(join(folder, 'keypad')), await connected(join(folder, 'reader'))];
    return new VirtualMachine(options, child, await QmpClient.open(join(folder, 'qmp')), keypad, reader);
  }

  #log(name: string): string {
    const path = join(this.#options.folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  journal(): string {
    return this.#log('journal');
  }

  /** All levels of the relay line since the start. */
  relay(): string {
    return [...this.#log('gpio').matchAll(/^gpio17 ([01])$/gm)].map(match => match[1]).join('');
  }

  /** How often the relay has opened the door. */
  openings(): number {
    return this.relay()
      .split('')
      .filter(level => level === '1').length;
  }

  async waitUntilLocked(): Promise<void> {
    await vi.waitUntil(() => this.relay().endsWith('0'), { timeout: 60_000, interval: 20 });
  }

  /** The latest figure that the guest has reported. */
  #reported(what: string): string {
    return [...this.journal().matchAll(new RegExp(`image-test ${what} (\\S+)$`, 'gm'))].at(-1)?.[1] ?? '';
  }

  residentMb(): number {
    return Math.round(Number(this.#reported('resident_kb')) / 1024);
  }

  hasReader(): boolean {
    return this.#reported('serial_ports') === '2';
  }

  type(keys: string): void {
    this.#keypad.write(keys);
  }

  /** Presents a tag, given by its ten hex digits. */
  tap(tag: string): void {
    const sum = Buffer.from(tag, 'hex').reduce((all, byte) => all ^ byte, 0);
    this.#reader.write(`\u0002${tag.toUpperCase()}${sum.toString(16).toUpperCase().padStart(2, '0')}\u0003`);
  }

  async unplugReader(): Promise<void> {
    this.#qmp.forget();
    await this.#qmp.order('device_del', { id: READER.id });
    await vi.waitUntil(() => this.#qmp.isGone(READER.id), { timeout: 60_000 });
  }

  async plugReader(): Promise<void> {
    await this.#qmp.order('device_add', READER);
  }

  /** Stops the machine without notice to the guest. */
  async cutPower(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }
}

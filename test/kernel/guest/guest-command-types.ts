import type { FoundController } from './bluez-central.ts';

interface OfDevice {
  /** Path of the controller in BlueZ. */
  readonly device: string;
}

/** What the test orders the guest to do. */
export interface GuestCommands {
  startScan(args: object): Promise<void>;
  stopScan(args: object): Promise<void>;
  findController(args: object): Promise<FoundController | null>;
  connect(args: OfDevice): Promise<void>;
  disconnect(args: OfDevice): Promise<void>;
  /** Null until the services of the controller are known. */
  mtu(args: OfDevice): Promise<number | null>;
  write(args: OfDevice & { readonly hex: string }): Promise<void>;
  read(args: OfDevice): Promise<string>;
  restartBluetoothDaemon(args: object): Promise<void>;
  /** Types a PIN and Enter on the USB keypad. */
  enterPin(args: { readonly digits: string }): Promise<void>;
  /** Types the number of a card with the keyboard-wedge reader. */
  presentCard(args: { readonly digits: string }): Promise<void>;
  /** The levels of the lines of the port expander. */
  expanderLevels(args: object): Promise<number>;
  /** The states of the USB relay after each command, one bit for each relay. */
  usbRelayStates(args: object): Promise<readonly number[]>;
  /** What Debian's program for USB relays prints. */
  usbrelay(args: { readonly args: readonly string[] }): Promise<string>;
  /** `/proc/PID/status` of the firmware. */
  firmwareStatus(args: object): Promise<string>;
}

export interface GuestCommand {
  readonly name: keyof GuestCommands;
  readonly args: object;
}

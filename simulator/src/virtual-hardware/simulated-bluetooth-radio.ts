import { randomBytes } from 'node:crypto';
import type { BluetoothRadio, PartFaultListener, PartFault } from '@lintel/drivers/interfaces';
import { BluetoothPhoneConnections, type BluetoothPhoneConnectionsOptions } from '@lintel/drivers/hardware';

const MTU = 185;
const ATT_HEADER_BYTES = 3;

type SimulatedRadioOptions = Pick<BluetoothPhoneConnectionsOptions, 'identity' | 'bluetoothKey' | 'clock' | 'log'>;

/** A Bluetooth radio whose phones are in the same program. The bytes are those of the real protocol. */
export class SimulatedRadio implements BluetoothRadio {
  readonly #phones: BluetoothPhoneConnections;
  readonly #rssi = new Map<string, number>();
  #fault: PartFaultListener = () => undefined;

  constructor(options: SimulatedRadioOptions) {
    this.#phones = new BluetoothPhoneConnections({
      ...options,
      randomBytes,
      rssiOf: async phone => this.#rssi.get(phone) ?? null,
    });
  }

  onRequest(listener: Parameters<BluetoothRadio['onRequest']>[0]): void {
    this.#phones.onRequest(listener);
  }

  onWrongProof(listener: () => void): void {
    this.#phones.onWrongProof(listener);
  }

  onFault(listener: PartFaultListener): void {
    this.#fault = listener;
  }

  fail(fault: PartFault | null): void {
    this.#fault(fault);
  }

  /** The connection of a phone. `rssi`: its signal at the controller in dBm. */
  connect(phone: string, rssi: number) {
    this.#rssi.set(phone, rssi);
    return {
      mtu: MTU,
      write: (fragment: Uint8Array): Promise<void> => this.#phones.write(phone, fragment),
      read: (): Promise<Uint8Array> => this.#phones.read(phone, MTU - ATT_HEADER_BYTES),
      disconnect: (): void => {
        this.#rssi.delete(phone);
        this.#phones.disconnect(phone);
      },
    };
  }
}

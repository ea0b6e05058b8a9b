import type { PartFaultListener } from './part-fault.ts';
import type { ProvenPhoneKey } from './card-reader.ts';

/** A phone has proven its key and asks for an action of a gadget. */
export interface BluetoothActionRequest {
  readonly key: ProvenPhoneKey;
  readonly gadget_id: string;
  readonly action_id: string;
  /** Signal strength at the phone in dBm, as the phone reports it; 127 if unknown. */
  readonly phoneRssi: number;
  /** Signal strength at the controller in dBm; null if the radio does not report it. */
  readonly controllerRssi: number | null;
  /** From the challenge to the proof; NaN if the phone did not read the challenge. */
  readonly roundTripMs: number;
}

export type BluetoothDecision = 'granted' | 'denied' | 'too_far' | 'too_slow' | 'door_fault';

/** Phones over Bluetooth Low Energy. */
export interface BluetoothRadio {
  /** The listener decides and performs the action. Without a listener, all requests are denied. */
  onRequest(listener: (request: BluetoothActionRequest) => BluetoothDecision): void;
  /** Called for each proof that is wrong or was replayed. */
  onWrongProof(listener: () => void): void;
  onFault(listener: PartFaultListener): void;
}

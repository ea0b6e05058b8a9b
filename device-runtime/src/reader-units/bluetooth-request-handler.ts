import type { GadgetId } from '@lintel/access-core/ids';
import type { BluetoothDecision, BluetoothActionRequest, DoorWiring } from '@lintel/drivers/interfaces';
import {
  checkBluetoothProximity,
  type BluetoothProximityLimits,
} from '@lintel/wire-protocol/bluetooth/controller-session';
import type { AccessChecker } from '../access/access-checker.ts';
import type { EventLog } from '../events/event-log.ts';
import type { ReaderInputHandler } from './reader-input-handler.ts';

interface BluetoothRequestHandlerDependencies {
  readonly checker: AccessChecker;
  readonly log: EventLog;
  readonly input: Pick<ReaderInputHandler, 'handlePhone'>;
  /** Null for a gadget that is not a door of this controller. */
  readonly doorWiring: (gadgetId: string) => DoorWiring | null;
  readonly limits: BluetoothProximityLimits;
}

/** Decides requests of phones over Bluetooth. A phone that is too far away or too slow counts as not present. */
export class BluetoothRequestHandler {
  readonly #parts: BluetoothRequestHandlerDependencies;

  constructor(parts: BluetoothRequestHandlerDependencies) {
    this.#parts = parts;
  }

  handle(request: BluetoothActionRequest): BluetoothDecision {
    const { checker, input, doorWiring, limits } = this.#parts;
    const target = { gadget_id: request.gadget_id as GadgetId, action_id: request.action_id };
    const door = doorWiring(request.gadget_id);
    const rssi_threshold = door?.rssi_threshold ?? limits.rssi_threshold;
    const decision = checker.checkBluetooth(target, request.key);
    const distance = checkBluetoothProximity({ ...limits, rssi_threshold }, request);
    const station = door?.station ?? null;
    if (distance === null || !decision.granted) return input.handlePhone(station, decision);
    const { subject } = decision;
    input.handlePhone(station, { granted: false, target, reason: 'not_present', subject });
    return distance;
  }

  onWrongProof(): void {
    this.#parts.log.record({ kind: 'deny', subject: { access_method: 'bluetooth' }, reason: 'unknown_credential' });
  }
}

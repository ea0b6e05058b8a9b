import type { Instant } from '@lintel/access-core/instant';
import type { PartFault } from '@lintel/drivers/interfaces';
import {
  type FaultChangeKind,
  FaultRegistry,
  type Fault as RegisteredFault,
} from '@lintel/service/faults/fault-registry';

interface FaultDetails {
  /** For a part at the door; null for other faults. */
  readonly kind: PartFault['kind'] | null;
}

export type ControllerFault = RegisteredFault<FaultDetails>;

export type FaultListeners = Readonly<Record<FaultChangeKind, (fault: ControllerFault) => void>>;

/** The faults of the controller. */
export class ControllerFaultRegistry extends FaultRegistry<FaultDetails> {
  constructor(now: () => Instant, listeners: FaultListeners) {
    super(now);
    this.onChange((fault, change) => listeners[change](fault));
  }

  raise(code: string, message: string, kind: ControllerFault['kind'] = null): void {
    this.set(code, message, { kind });
  }
}

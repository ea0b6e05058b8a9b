import type { Instant } from '@lintel/access-core/instant';
import type { PartFault } from '@lintel/drivers/ports/part-fault';
import { type FaultChange, FaultRegistry, type Fault as RegisteredFault } from '@lintel/service/faults/fault-registry';

interface FaultDetails {
  /** Of a part at the door; null for any other fault. */
  readonly kind: PartFault['kind'] | null;
}

export type Fault = RegisteredFault<FaultDetails>;

export type FaultTellers = Readonly<Record<FaultChange, (fault: Fault) => void>>;

/** The controller's faults, with the kind of those of its parts. */
export class ControllerFaults extends FaultRegistry<FaultDetails> {
  constructor(now: () => Instant, tell: FaultTellers) {
    super(now);
    this.onChange((fault, change) => tell[change](fault));
  }

  raise(code: string, message: string, kind: Fault['kind'] = null): void {
    this.set(code, message, { kind });
  }
}

import type { Update } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReport } from '@lintel/wire-protocol/mqtt/messages/update-report';

/** Takes the bridge's orders to run another version, and says how far it is. */
export interface UpdateDesk {
  ordered(order: Update): void;
  /** Of the newest order; null while there is none. */
  report(): UpdateReport | null;
  onReport(listener: () => void): void;
}

import type { UpdateMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReportMessage } from '@lintel/wire-protocol/mqtt/messages/update-report';

/** Executes update messages of the bridge and reports progress. */
export interface UpdateHandler {
  handle(message: UpdateMessage): void;
  /** The report about the latest update message; null before the first. */
  report(): UpdateReportMessage | null;
  onReport(listener: () => void): void;
}

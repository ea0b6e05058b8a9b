import type { UpdateMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update';
import type { UpdateReportMqttMessage } from '@lintel/wire-protocol/mqtt/messages/update-report';

/** Executes update messages of the bridge and reports progress. */
export interface UpdateHandler {
  handle(message: UpdateMqttMessage): void;
  /** The report about the latest update message; null before the first. */
  report(): UpdateReportMqttMessage | null;
  onReport(listener: () => void): void;
}

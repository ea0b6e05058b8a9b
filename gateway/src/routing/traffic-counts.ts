import { DroppedMessageReporter } from '@lintel/broker/dropped-message-reporter';

export type MessageDropReason =
  | 'unknown topic'
  | 'invalid signature'
  | 'recipient not reachable'
  | 'reserved for gateways'
  | 'too many messages'
  | 'uplink too slow';

/** Message counts since the gateway started. */
export class TrafficCounts {
  up = 0;
  down = 0;
  local = 0;
  /** Discarded while the gateway was offline. Their senders repeat what is still needed. */
  offline = 0;
  readonly #dropped: DroppedMessageReporter;

  constructor(logDropped: (facts: Readonly<Record<'device_id' | 'kind' | 'reason', string>>) => void) {
    this.#dropped = new DroppedMessageReporter(({ device_id, kind, reason }) =>
      logDropped({ device_id: device_id ?? '', kind, reason }),
    );
  }

  get dropped(): number {
    return this.#dropped.count;
  }

  drop(device_id: string, kind: string, reason: MessageDropReason): void {
    this.#dropped.add({ device_id, kind, reason });
  }

  /** Repeated reasons are logged again from now on. */
  resetReported(): void {
    this.#dropped.resetReported();
  }
}

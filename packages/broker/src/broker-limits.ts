export interface BrokerLimits {
  /** Largest payload of a received message. */
  readonly maxPayloadBytes: number;
  /** Messages with a longer topic reach the message handlers, which count them, but no subscribers. */
  readonly maxTopicBytes: number;
  /** Bytes that may wait for one subscriber. A subscriber that falls further behind is disconnected and resynchronizes. */
  readonly maxQueuedBytes: number;
  /** A subscriber that accepts no data for this time is disconnected. */
  readonly stallTimeoutMs: number;
}

export const defaultBrokerLimits: BrokerLimits = {
  maxPayloadBytes: 1024 * 1024,
  maxTopicBytes: 256,
  maxQueuedBytes: 16 * 1024 * 1024,
  stallTimeoutMs: 20_000,
};

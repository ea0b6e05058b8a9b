export interface BrokerLimits {
  /** Of one message that comes up. */
  readonly largestPayload: number;
  /** In bytes. What is said under a longer name is heard, so that it can be counted, and goes no further. */
  readonly longestTopic: number;
  /** Bytes that may wait for one subscriber. A subscriber that falls further behind is disconnected and resynchronizes. */
  readonly mostQueuedBytes: number;
  /** How long a subscriber may take nothing at all. */
  readonly stalledMs: number;
}

export const defaultLimits: BrokerLimits = {
  largestPayload: 1024 * 1024,
  longestTopic: 256,
  mostQueuedBytes: 16 * 1024 * 1024,
  stalledMs: 20_000,
};

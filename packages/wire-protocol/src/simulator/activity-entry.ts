/** When an event reached each hop; null: not yet. */
export interface EventHopTimes {
  /** Stored by the controller. */
  readonly door: string | null;
  /** Received by the gateway of the site, also while the internet is down. */
  readonly gateway: string | null;
  /** Committed by the bridge. */
  readonly bridge: string | null;
  /** Received by the webhook receiver, with a verified signature. */
  readonly webhook: string | null;
}

/** One entry of the activity log: a decision or signal, and the route of its event. */
export interface SimulatorActivityEntry {
  /** The event's id. */
  readonly id: string;
  readonly at: string;
  readonly kind: 'use' | 'deny' | 'state' | 'signal' | 'fault' | 'gap' | 'other';
  /** Where it was decided or detected. */
  readonly decided_by: 'door' | 'bridge';
  readonly controller: string | null;
  readonly door: string | null;
  /** "Reservation Ann"; null if unknown. */
  readonly who: string | null;
  /** `pin`, `card`, `nfc`, `online`, …; null if not applicable. */
  readonly method: string | null;
  /** Of a denial: `out_of_schedule`, `unknown_credential`, … */
  readonly reason: string | null;
  /** A sentence that describes it. */
  readonly words: string;
  readonly is_time_trusted: boolean;
  /** True if its events pass through a gateway; otherwise they go to the bridge directly. */
  readonly passes_gateway: boolean;
  readonly way: EventHopTimes;
  /** Number of deliveries to the receiver: at most one, unless it was redelivered. */
  readonly deliveries: number;
}

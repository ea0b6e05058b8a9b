/** Where an event has been, and when. Null: not there yet. */
export interface EventWay {
  /** Written at the door. */
  readonly door: string | null;
  /** Taken by the site's gateway, which keeps it while the internet is away. */
  readonly gateway: string | null;
  /** Committed at the bridge. */
  readonly bridge: string | null;
  /** Taken by the application's webhook receiver, its signature verified. */
  readonly webhook: string | null;
}

/** One line of the time line: something that was decided or noticed, and the way of its event. */
export interface Happening {
  /** The event's id. */
  readonly id: string;
  readonly at: string;
  readonly kind: 'use' | 'deny' | 'state' | 'signal' | 'fault' | 'gap' | 'other';
  /** Who decided or noticed it. */
  readonly decided_by: 'door' | 'bridge';
  readonly controller: string | null;
  readonly door: string | null;
  /** "Reservation Ann"; null where nobody is known. */
  readonly who: string | null;
  /** `pin`, `card`, `nfc`, `online`, …; null where it does not apply. */
  readonly method: string | null;
  /** Of a denial: `out_of_schedule`, `unknown_credential`, … */
  readonly reason: string | null;
  /** The whole of it in a sentence. */
  readonly words: string;
  readonly is_time_trusted: boolean;
  /** This controller is not behind a gateway: its events go to the bridge directly. */
  readonly passes_gateway: boolean;
  readonly way: EventWay;
  /** How often the receiver got it: never more than once unless it was told twice. */
  readonly deliveries: number;
}

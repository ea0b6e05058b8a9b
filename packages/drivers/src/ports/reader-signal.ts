export const signalTroubles = ['silent', 'damaged', 'refused', 'lost', 'unreadable'] as const;

/**
 * What spoils a reading. `silent`: asked, and no answer; `damaged`: what came does not add up; `refused`: the reader has
 * heard us damaged; `lost`: the card fell silent while it was read; `unreadable`: a card is there and cannot be read.
 */
export type SignalTrouble = (typeof signalTroubles)[number];

/** How readings went over the last minutes. */
export interface HeardReadings {
  readonly clean: number;
  readonly broken: number;
  /** The most frequent trouble; null where nothing is broken. */
  readonly worst: SignalTrouble | null;
  readonly over_ms: number;
  /** Since the newest broken one, or since the start. */
  readonly clean_in_a_row: number;
  /** How long ago the newest broken one was; null when there never was one. */
  readonly broken_ago_ms: number | null;
}

/**
 * How cleanly a reader is heard, and hears. No reader tells the strength of its field: what shows of it is how many
 * readings break off.
 */
export interface ReaderSignal {
  /** What it hangs on, for those who look for the cause. */
  readonly link: 'rs485' | 'serial' | 'wiegand' | 'usb';
  /** Between the controller and the reader; null where the driver does not see it. */
  readonly line: HeardReadings | null;
  /** Between the reader and cards; null where the reader keeps it to itself. */
  readonly cards: HeardReadings | null;
}

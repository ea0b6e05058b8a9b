export const cardReadingErrors = ['silent', 'damaged', 'refused', 'lost', 'unreadable'] as const;

/**
 * Why a reading failed. `silent`: no reply; `damaged`: checksum error; `refused`: the reader received a damaged
 * command; `lost`: the card left while it was read; `unreadable`: a card is present but cannot be read.
 */
export type CardReadingErrorKind = (typeof cardReadingErrors)[number];

/** Results of the readings of the last minutes. */
export interface CardReadingStatistics {
  readonly clean: number;
  readonly broken: number;
  /** The most frequent error; null without errors. */
  readonly worst: CardReadingErrorKind | null;
  readonly over_ms: number;
  /** Since the latest error, or since startup. */
  readonly clean_in_a_row: number;
  /** Time since the latest error; null if there was none. */
  readonly broken_ago_ms: number | null;
}

/** Signal quality of a reader. Readers do not report field strength, so the rate of failed readings stands for it. */
export interface ReaderSignalQuality {
  /** The kind of link, for troubleshooting. `pins`: I2C or SPI. */
  readonly link: 'rs485' | 'serial' | 'wiegand' | 'usb' | 'pins';
  /** Between controller and reader; null if the driver cannot measure it. */
  readonly line: CardReadingStatistics | null;
  /** Between reader and cards; null if the reader does not report it. */
  readonly cards: CardReadingStatistics | null;
}

import type { CardReadingStatistics, ReaderSignalQuality, CardReadingErrorKind } from '@lintel/drivers/interfaces';
import {
  createFailedHealthResult,
  createOkHealthResult,
  createUnknownHealthResult,
  type HealthCheckResult,
  createWarningHealthResult,
} from './health-check-result.ts';

const GOOD = 0.98;
const BAD = 0.9;
const ENOUGH = 20;
/** Fewer bad readings are chance, such as a card that was removed early. */
const NOT_BY_CHANCE = 3;
/** A repair shows after this time without bad readings. */
const REPAIRED_MS = 60_000;

const problemDescriptions: Readonly<Record<CardReadingErrorKind, string>> = {
  silent: 'most of the others got no response',
  damaged: 'most of the others were damaged',
  refused: 'most of the others reached the reader damaged',
  lost: 'most of the others were interrupted',
  unreadable: 'most of the others were detected but could not be read',
};

const lineAdvice: Readonly<Record<ReaderSignalQuality['link'], string>> = {
  rs485:
    'RS-485: one twisted pair from reader to reader without branches, 120 Ω between A and B at its two ends and nowhere else, A and B swapped nowhere, the grounds of controller and readers connected, 1,200 m at most and away from mains cables. Each reader needs an address of its own and enough supply.',
  serial:
    'Serial line: compare the baud rate with that of the module, connect its ground to the controller, and keep the wires below 2 m and away from the lock’s. Check its supply while the lock pulls.',
  wiegand:
    'Wiegand: shielded cable with the shield on ground at the controller’s end only, the grounds of reader and controller connected, below 150 m, D0 and D1 not in one pair with the lock’s wires. Check that the profile has the bit lengths and the kind of keys that the reader sends.',
  pins: 'I2C and SPI: keep the wires below 30 cm and away from the lock’s, connect the ground of the module to the controller, and check the switches of the module for the kind of bus. Check its supply while the lock pulls.',
  usb: 'A weak supply weakens the field: plug the reader into the controller itself with its own cable, or into a hub with a supply.',
};

const CARD_ADVICE =
  'No metal behind the reader or within 2 cm of its front: put a plate of plastic or ferrite between. Hold the card flat until it beeps, try another card, check the cable of the antenna, and keep two readers 30 cm apart.';

const cardAdvice = (link: ReaderSignalQuality['link']): string =>
  link === 'usb' ? `${CARD_ADVICE} ${lineAdvice.usb}` : CARD_ADVICE;

type Level = 'good' | 'weak' | 'bad';

const levelOf = ({ clean, broken, clean_in_a_row, broken_ago_ms }: CardReadingStatistics): Level => {
  if (broken < NOT_BY_CHANCE) return 'good';
  if (clean_in_a_row >= ENOUGH && (broken_ago_ms ?? Infinity) >= REPAIRED_MS) return 'good';
  const part = clean / (clean + broken);
  if (part >= GOOD) return 'good';
  return part >= BAD ? 'weak' : 'bad';
};

interface Side {
  readonly readings: CardReadingStatistics;
  readonly what: string;
  readonly none: string;
  readonly advice: string;
}

const sidesOf = ({ link, line, cards }: ReaderSignalQuality): readonly Side[] => [
  ...(line === null
    ? []
    : [{ readings: line, what: 'messages were intact', none: 'no messages were received', advice: lineAdvice[link] }]),
  ...(cards === null
    ? []
    : [{ readings: cards, what: 'cards were read', none: 'no card was presented', advice: cardAdvice(link) }]),
];

/** Rounded down, so that 100 % means all. */
const percent = (part: number): string => `${Math.floor(part * 1_000) / 10} %`;

const describeReadings = ({ readings, what, none }: Side): string => {
  const { clean, broken, worst } = readings;
  const all = clean + broken;
  if (all === 0) return none;
  const tooFew = all < ENOUGH && broken < NOT_BY_CHANCE ? ', too few for a result' : '';
  const trouble = worst === null ? '' : `; ${problemDescriptions[worst]}`;
  const share = tooFew === '' ? ` (${percent(clean / all)})` : tooFew;
  return `${clean} of ${all} ${what}${share}${trouble}`;
};

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** Rates the connection and the card readings of a reader. */
export const checkReaderSignal = (signal: ReaderSignalQuality | null): HealthCheckResult => {
  const sides = signal === null ? [] : sidesOf(signal);
  if (sides.length === 0) return createUnknownHealthResult('This reader does not report its signal');
  const levels = sides.map(({ readings }) => levelOf(readings));
  const found = `In the last ${minutes(sides[0]!.readings.over_ms)} minutes ${sides.map(describeReadings).join(', ')}`;
  const advice = sides
    .filter((_, index) => levels[index] !== 'good')
    .map(side => side.advice)
    .join(' ');
  if (levels.includes('bad')) return createFailedHealthResult(found, advice);
  if (levels.includes('weak')) return createWarningHealthResult(found, advice);
  // Without a reading on each side there is nothing to rate.
  const isUntested = sides.some(({ readings }) => readings.clean + readings.broken === 0);
  return isUntested
    ? createUnknownHealthResult(`${found}. Present a card to test the reader`)
    : createOkHealthResult(found);
};

/** `cmdline.txt`: what the kernel is told, one line of words. */
export const wordsOf = (text: string): string[] =>
  (text.split(/\r?\n/, 1)[0] ?? '').split(/\s+/).filter(word => word !== '');

const FIRST_RUN_WORDS = [
  'systemd.run=/boot/firmware/firstrun.sh',
  'systemd.run_success_action=reboot',
  'systemd.unit=kernel-command-line.target',
];

export const callsFirstRun = (words: readonly string[]): boolean => words.some(word => word.startsWith('systemd.run='));

/** Words that only a system has that was not started yet: it grows its partition, and takes them out. */
const freshWords = [/^resize$/, /^init=\/usr\/lib\/raspberrypi-sys-mods\//];

export const isFresh = (words: readonly string[]): boolean =>
  words.some(word => freshWords.some(fresh => fresh.test(word)));

interface KernelDemands {
  /** The start is to call firstrun.sh; a call that Raspberry Pi Imager wrote stays as it is. */
  readonly callsFirstRun: boolean;
  /** A reader hangs on the serial pins: the kernel must not talk on them. */
  readonly freesSerialPins: boolean;
  /** Two letters, or null where nothing is said. */
  readonly wifiCountry: string | null;
}

const isSerialConsole = (word: string): boolean => /^console=(?:serial0|ttyAMA0|ttyS0)\b/.test(word);
const isCountry = (word: string): boolean => word.startsWith('cfg80211.ieee80211_regdom=');

/** Where the line of before the first preparation is kept, in the card's folder `lintel`. */
export const KEPT_LINE = 'cmdline.before';

const isChangedHere = (word: string): boolean =>
  isSerialConsole(word) || isCountry(word) || FIRST_RUN_WORDS.includes(word);

/** The words of before an earlier preparation. A line that somebody else has changed since is taken as it is. */
export const wordsBefore = (words: readonly string[], kept: string | null): readonly string[] => {
  if (kept === null) return words;
  const before = wordsOf(kept);
  const others = (line: readonly string[]): string => line.filter(word => !isChangedHere(word)).join(' ');
  return others(before) === others(words) ? before : words;
};

export const kernelLine = (words: readonly string[], demands: KernelDemands): string => {
  const { freesSerialPins, wifiCountry } = demands;
  const kept = words.filter(
    word => !(freesSerialPins && isSerialConsole(word)) && !(wifiCountry !== null && isCountry(word)),
  );
  const country = wifiCountry === null ? [] : [`cfg80211.ieee80211_regdom=${wifiCountry}`];
  const call = demands.callsFirstRun && !callsFirstRun(words) ? FIRST_RUN_WORDS : [];
  return `${[...kept, ...country, ...call].join(' ')}\n`;
};

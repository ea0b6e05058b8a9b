/** The arguments in `cmdline.txt`, which is one line. */
export const parseKernelArguments = (text: string): string[] =>
  (text.split(/\r?\n/, 1)[0] ?? '').split(/\s+/).filter(word => word !== '');

const FIRST_RUN = [
  'systemd.run=/boot/firmware/firstrun.sh',
  'systemd.run_success_action=reboot',
  'systemd.unit=kernel-command-line.target',
];

export const findFirstRunArgument = (args: readonly string[]): string | undefined =>
  args.find(word => word.startsWith('systemd.run='));

/** A system grows its partition at its first start and then removes these arguments. */
export const hasFirstStartKernelArguments = (args: readonly string[]): boolean =>
  args.some(word => word === 'resize' || word.startsWith('init=/usr/lib/raspberrypi-sys-mods/'));

interface ArgumentChanges {
  /** Calls firstrun.sh at the start. A call that Raspberry Pi Imager has written stays as it is. */
  readonly callsFirstRun: boolean;
  /** Frees the serial pins of the kernel's console, for a reader. */
  readonly freesSerialPins: boolean;
  /** Two letters. */
  readonly wifiCountry: string | null;
}

const isSerialConsole = (word: string): boolean => /^console=(?:serial0|ttyAMA0|ttyS0)\b/.test(word);
const isCountry = (word: string): boolean => word.startsWith('cfg80211.ieee80211_regdom=');

/** File in the folder `lintel` with the arguments from before the first preparation. */
export const SAVED_KERNEL_ARGUMENTS_FILE = 'cmdline.before';

const isChangedHere = (word: string): boolean => isSerialConsole(word) || isCountry(word) || FIRST_RUN.includes(word);

/** The arguments from before an earlier preparation, unless they were edited since. */
export const restoreOriginalKernelArguments = (args: readonly string[], saved: string | null): readonly string[] => {
  if (saved === null) return args;
  const original = parseKernelArguments(saved);
  const others = (line: readonly string[]): string => line.filter(word => !isChangedHere(word)).join(' ');
  return others(original) === others(args) ? original : args;
};

/** The new text of `cmdline.txt`. */
export const buildKernelCommandLine = (args: readonly string[], changes: ArgumentChanges): string => {
  const { callsFirstRun, freesSerialPins, wifiCountry } = changes;
  const kept = args.filter(
    word => !(freesSerialPins && isSerialConsole(word)) && !(wifiCountry !== null && isCountry(word)),
  );
  const country = wifiCountry === null ? [] : [`cfg80211.ieee80211_regdom=${wifiCountry}`];
  const call = callsFirstRun && findFirstRunArgument(args) === undefined ? FIRST_RUN : [];
  return `${[...kept, ...country, ...call].join(' ')}\n`;
};

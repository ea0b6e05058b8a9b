import { addressOf, type LabelFacts } from './label-facts.ts';

/** In millimetres, from the upper left corner. `y` is where the letters stand, `height` is that of a capital. */
export interface LabelText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly isBold: boolean;
}

/** Fits the common 62 mm rolls, and eight times on A4. */
export const LABEL = { width: 100, height: 62 } as const;

/** With the white border that cameras need. */
export const QR_PLACE = { x: 56, y: 2, size: 42 } as const;

const SMALL = 1.78;
const LARGE = 4.15;
const HUGE = 5.33;

const PAIRS_A_LINE = 16;

const fingerprintLines = (fingerprint: string): string[] => {
  const pairs = fingerprint.split(':');
  return [pairs.slice(0, PAIRS_A_LINE), pairs.slice(PAIRS_A_LINE)].map(line => line.join(':'));
};

export const labelTexts = (facts: LabelFacts): LabelText[] => {
  const { name, setupCode, fingerprint, hotspot, port } = facts;
  const small = (y: number, text: string): LabelText => ({ text, x: 4, y, height: SMALL, isBold: false });
  const bold = (y: number, height: number, text: string): LabelText => ({ text, x: 4, y, height, isBold: true });
  const [first = '', second = ''] = fingerprintLines(fingerprint);
  return [
    bold(9, HUGE, name),
    small(13, 'Lintel door controller'),
    small(19, 'Setup code'),
    bold(25, LARGE, setupCode),
    small(30.5, addressOf(facts)),
    small(36.5, 'Without a network, its own:'),
    bold(40, SMALL, `Wi-Fi ${hotspot.ssid}`),
    bold(43.5, SMALL, `password ${hotspot.passphrase}`),
    small(47, `https://${hotspot.address}:${port}/`),
    small(52.5, 'Fingerprint of its certificate, SHA-256:'),
    bold(56, SMALL, first),
    bold(59.5, SMALL, second),
  ];
};

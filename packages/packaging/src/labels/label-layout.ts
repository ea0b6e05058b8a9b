import { buildTechnicianPageUrl, type ControllerLabelData } from './label-data.ts';

/** In millimeters from the upper left corner. `y` is the baseline, `height` that of a capital letter. */
interface LabelText {
  readonly text: string;
  readonly y: number;
  readonly height: number;
  readonly isBold: boolean;
}

/** Fits the common 62 mm rolls, and eight times on A4. */
export const LABEL_SIZE_MM = { width: 100, height: 62, margin: 4 } as const;

/** With the white border that cameras need. */
export const LABEL_QR_AREA_MM = { x: 56, y: 2, size: 42 } as const;

const SMALL = 1.78;
const LARGE = 4.15;
const HUGE = 5.33;

/** Of a fingerprint: `7F:` each. */
const HALF = 16 * 3;

export const layOutLabelTexts = (facts: ControllerLabelData): LabelText[] => {
  const { hardwareId, name, setupCode, fingerprint, hotspot, port } = facts;
  const small = (y: number, text: string): LabelText => ({ text, y, height: SMALL, isBold: false });
  const bold = (y: number, height: number, text: string): LabelText => ({ text, y, height, isBold: true });
  return [
    bold(9, HUGE, name),
    small(13, 'Lintel door controller'),
    small(16.5, hardwareId),
    small(22, 'Setup code'),
    bold(28, LARGE, setupCode),
    small(32, buildTechnicianPageUrl(facts)),
    small(36.5, 'Without a network, its own:'),
    bold(40, SMALL, `Wi-Fi ${hotspot.ssid}`),
    bold(43.5, SMALL, `password ${hotspot.passphrase}`),
    small(47, `https://${hotspot.address}:${port}/`),
    small(52.5, 'Fingerprint of its certificate, SHA-256:'),
    bold(56, SMALL, fingerprint.slice(0, HALF - 1)),
    bold(59.5, SMALL, fingerprint.slice(HALF)),
  ];
};

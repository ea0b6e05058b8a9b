/** Printed on the label. Its text is enough to set the controller up until it is claimed. */
export interface ControllerLabelData {
  /** Serial number: the `hardware_id` of the device in the API. */
  readonly hardwareId: string;
  /** `lintel-7f3a`. */
  readonly name: string;
  readonly port: number;
  /** `7K3M-0QXW-PT5H`. */
  readonly setupCode: string;
  /** SHA-256, pairs of hex digits with colons. */
  readonly fingerprint: string;
  readonly hotspot: { readonly ssid: string; readonly passphrase: string; readonly address: string };
}

export const buildTechnicianPageUrl = ({ name, port }: Pick<ControllerLabelData, 'name' | 'port'>): string =>
  `https://${name}.local:${port}/`;

/** Browsers do not send what follows the `#`: only the technician page reads it. */
export const buildLabelQrText = (facts: ControllerLabelData): string =>
  `${buildTechnicianPageUrl(facts)}#code=${facts.setupCode}&fp=${facts.fingerprint.replaceAll(':', '').toLowerCase()}&hw=${facts.hardwareId}`;

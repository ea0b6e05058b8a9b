/** What is printed and stuck on the box. Whoever reads it can set the controller up, as long as nobody has claimed it. */
export interface LabelFacts {
  /** `lintel-7f3a`. */
  readonly name: string;
  readonly port: number;
  /** `7K3M-0QXW-PT5H`. */
  readonly setupCode: string;
  /** SHA-256, pairs of hex digits with colons. */
  readonly fingerprint: string;
  readonly hotspot: { readonly ssid: string; readonly passphrase: string; readonly address: string };
}

export const addressOf = ({ name, port }: Pick<LabelFacts, 'name' | 'port'>): string =>
  `https://${name}.local:${port}/`;

/** Behind the `#` nothing is sent to anybody: the page in the phone reads it, and who scans it has the label at hand. */
export const qrText = (facts: LabelFacts): string =>
  `${addressOf(facts)}#code=${facts.setupCode}&fp=${facts.fingerprint.replaceAll(':', '').toLowerCase()}`;

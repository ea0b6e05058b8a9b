export type WiringRowKind = 'output' | 'input' | 'supply' | 'data' | 'plug';

/** A wire from the controller to a part. `name`: its name in the profile. */
export interface WiringRow {
  readonly kind: WiringRowKind;
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

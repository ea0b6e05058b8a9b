export type WiringRowKind = 'output' | 'input' | 'supply' | 'data' | 'plug';

/** A wire from the controller or a board to a part. `name`: its name in the profile. */
export interface WiringRow {
  readonly kind: WiringRowKind;
  readonly from: string;
  readonly to: string;
  readonly name: string;
}

/** Wires that begin at a board instead of the controller. */
export interface BoardWiring {
  readonly title: string;
  readonly board: string;
  readonly rows: readonly WiringRow[];
}

export interface BusWiring {
  /** The wires at the controller. */
  readonly rows: readonly WiringRow[];
  readonly boards?: readonly BoardWiring[];
}

export const plugRow = (from: string, to: string, name = ''): WiringRow => ({ kind: 'plug', from, to, name });
export const dataRow = (from: string, to: string, name = ''): WiringRow => ({ kind: 'data', from, to, name });
export const supplyRow = (from: string, to: string): WiringRow => ({ kind: 'supply', from, to, name: '' });

/** A row for each line of a board; `describe` is where the wire begins. */
export const lineRows = <T extends { readonly wire?: string | undefined }>(
  kind: 'output' | 'input',
  lines: Readonly<Record<string, T>>,
  describe: (line: T) => string,
): readonly WiringRow[] =>
  Object.entries(lines).map(([name, line]) => ({ kind, from: describe(line), to: line.wire ?? name, name }));

/** What the door asks of the process that holds the PC/SC session. */
export type PcscRequest =
  | { readonly type: 'open' }
  | { readonly type: 'beat' }
  | { readonly type: 'connect'; readonly reader: string }
  | { readonly type: 'atr' | 'release'; readonly card: number }
  | { readonly type: 'transmit'; readonly card: number; readonly apdu: Uint8Array };

export interface PcscOrder {
  readonly id: number;
  readonly request: PcscRequest;
}

/** `connect` answers the number of the card; `atr` and `transmit` answer bytes. */
export type PcscAnswer = number | Uint8Array | null;

export type PcscNews =
  | { readonly type: 'changed'; readonly reader: string; readonly hasCard: boolean }
  | { readonly type: 'mute' | 'unplugged'; readonly reader: string };

export interface PcscRefusal {
  /** What the service says; null when it was not the service. */
  readonly code: string | null;
  readonly message: string;
}

export type PcscReport =
  | PcscNews
  | { readonly type: 'started' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: PcscAnswer }
  | ({ readonly type: 'refused'; readonly id: number } & PcscRefusal)
  | ({ readonly type: 'ended' } & PcscRefusal);

export const refusalOf = (error: unknown): PcscRefusal => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: typeof code === 'string' ? code : null, message: String(message) };
};

export const errorOf = ({ code, message }: PcscRefusal): Error =>
  code === null ? new Error(message) : Object.assign(new Error(message), { code });

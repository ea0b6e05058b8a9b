import type { PcscReaderUsbPortAndSerial } from './session.ts';

/** Requests to the process that holds the PC/SC session. */
export type PcscRequest =
  | { readonly type: 'open' }
  | { readonly type: 'beat' }
  | { readonly type: 'connect' | 'locate'; readonly reader: string }
  | { readonly type: 'atr' | 'release'; readonly card: number }
  | { readonly type: 'transmit'; readonly card: number; readonly apdu: Uint8Array };

export interface NumberedPcscRequest {
  readonly id: number;
  readonly request: PcscRequest;
}

/** `connect` returns the number of the card; `atr` and `transmit` return bytes; `locate` returns the place. */
export type PcscRequestResult = number | Uint8Array | PcscReaderUsbPortAndSerial | null;

export type PcscNotification =
  | { readonly type: 'changed'; readonly reader: string; readonly hasCard: boolean }
  | { readonly type: 'mute' | 'unplugged'; readonly reader: string };

export interface PcscErrorInfo {
  /** The code of the service; null for other errors. */
  readonly code: string | null;
  readonly message: string;
}

export type PcscProcessMessage =
  | PcscNotification
  | { readonly type: 'started' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: PcscRequestResult }
  | ({ readonly type: 'refused'; readonly id: number } & PcscErrorInfo)
  | ({ readonly type: 'ended' } & PcscErrorInfo);

export const toPcscErrorInfo = (error: unknown): PcscErrorInfo => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: typeof code === 'string' ? code : null, message: String(message) };
};

export const fromPcscErrorInfo = ({ code, message }: PcscErrorInfo): Error =>
  code === null ? new Error(message) : Object.assign(new Error(message), { code });

/** As much of a WebSocket of `ws` as a stream needs. */
export interface StreamSocket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Bytes that the client has not taken yet. */
  readonly bufferedAmount: number;
  send(text: string): void;
  ping(): void;
  close(code: number, reason?: string): void;
  /** Without a word. */
  terminate(): void;
  on(name: 'pong', listener: () => void): unknown;
  once(name: 'message', listener: (data: unknown) => void): unknown;
  once(name: 'close', listener: () => void): unknown;
}

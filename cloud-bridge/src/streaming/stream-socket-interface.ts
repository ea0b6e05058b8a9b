/** The part of a `ws` WebSocket that a stream uses. */
export interface EventStreamSocket {
  readonly readyState: number;
  readonly OPEN: number;
  /** Bytes not yet sent to the client. */
  readonly bufferedAmount: number;
  send(text: string): void;
  ping(): void;
  close(code: number, reason?: string): void;
  /** Closes without a close frame. */
  terminate(): void;
  on(name: 'pong', listener: () => void): unknown;
  once(name: 'message', listener: (data: unknown) => void): unknown;
  once(name: 'close', listener: () => void): unknown;
}

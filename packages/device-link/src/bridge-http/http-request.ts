import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { toProtocolError } from '@lintel/service/connections/protocol-error';
import { getErrorCode } from '@lintel/service/error-code';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
}

interface ExchangeLimits {
  /** For the whole exchange. */
  readonly withinMs?: number;
  /** Timeout without any received byte. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const headersOf = (address: URL, { token, headers }: HttpRequest, body: string | undefined) => ({
  host: address.host,
  connection: 'close',
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  ...headers,
});

/** A server for HTTPS closes the connection when it gets plain HTTP. */
const describeExchangeError = (address: URL, error: Error): Error =>
  getErrorCode(error) === 'ECONNRESET'
    ? new Error(
        `${address.host} closed the connection without an answer. Check the port, and whether it is one for HTTPS`,
        {
          cause: error,
        },
      )
    : toProtocolError(address.host, error);

/** Sends one request over a connection, which closes after it. */
export const sendHttpRequest = (
  socket: Socket,
  address: URL,
  httpRequest: HttpRequest,
  { withinMs, silenceMs, signal }: ExchangeLimits,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const fail = (message: string) => (): void => void socket.destroy(new Error(message));
    const giveUp = fail('aborted');
    const late = withinMs === undefined ? undefined : setTimeout(fail('no response in time'), withinMs);
    if (silenceMs !== undefined) socket.setTimeout(silenceMs, fail('the response stopped'));
    signal?.addEventListener('abort', giveUp);
    socket.once('close', () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
    });
    if (signal?.aborted === true) giveUp();
    const body = httpRequest.body === undefined ? undefined : JSON.stringify(httpRequest.body);
    const path = address.pathname + address.search;
    const headers = headersOf(address, httpRequest, body);
    request({ method: httpRequest.method, path, headers, createConnection: () => socket }, resolve)
      .once('error', error => reject(describeExchangeError(address, error)))
      .end(body);
  });

export const readHttpResponse = async (response: IncomingMessage, largest: number): Promise<HttpResponse> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > largest) throw new Error('The response is too long');
    parts.push(part);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') };
};

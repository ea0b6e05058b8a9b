import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Texts = Readonly<Record<string, string>>;

/** An error that is sent to the client as `body`, with its status and headers. */
export interface HttpError extends Error {
  readonly status: number;
  readonly headers: Texts;
  readonly body: object;
}

type CommonErrorType =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type';

type HttpErrorClass<E extends HttpError> = new (
  type: CommonErrorType,
  message: string,
  args?: Texts,
  headers?: Texts,
) => E;

/** The part of a Fastify reply that an error needs. */
interface Reply {
  code(status: number): Reply;
  headers(headers: Texts): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const LINGER_MS = 2000;

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

export const sendHttpError = (reply: Reply, { status, headers, body }: HttpError): void => {
  reply.code(status).headers(headers).header('content-type', JSON_TYPE).send(JSON.stringify(body));
};

/** Creates the errors that all HTTP servers of Lintel share, as instances of the server's own error class. */
export class HttpErrorFactory<E extends HttpError> {
  readonly #ErrorClass: HttpErrorClass<E>;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });

  constructor(errorClass: HttpErrorClass<E>) {
    this.#ErrorClass = errorClass;
  }

  /** The error for a compressed body, which no endpoint decompresses; null for any other. */
  refuseContentEncoding(encoding: string | undefined): E | null {
    if (encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding)) return null;
    const message = 'The body must not be compressed. Send it without Content-Encoding';
    return new this.#ErrorClass('unsupported_media_type', message, {}, { 'accept-encoding': 'identity' });
  }

  /** Undefined for an empty body: many clients declare JSON on a DELETE and send nothing. */
  parseJson(bytes: Uint8Array): unknown {
    if (bytes.length === 0) return undefined;
    try {
      return JSON.parse(this.#utf8.decode(bytes));
    } catch {
      throw new this.#ErrorClass('invalid_request', 'The body is not well-formed JSON');
    }
  }

  /** Converts an error of Fastify; null for any other. */
  fromFramework({ code, statusCode = 500 }: { readonly code?: string; readonly statusCode?: number }): E | null {
    switch (code) {
      case 'FST_ERR_CTP_BODY_TOO_LARGE':
        return new this.#ErrorClass('payload_too_large', 'The body is too large');
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return new this.#ErrorClass('unsupported_media_type', 'The body must be application/json');
      case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
        return new this.#ErrorClass('invalid_request', 'The body is not as long as Content-Length says');
      case 'FST_ERR_MAX_PARAM_LENGTH':
        return this.notFound();
      case 'FST_ERR_BAD_URL':
        return new this.#ErrorClass('invalid_request', 'The address is not well encoded');
      default:
        return statusCode >= 400 && statusCode < 500
          ? new this.#ErrorClass('invalid_request', 'The request is not valid')
          : null;
    }
  }

  notFound(): E {
    return new this.#ErrorClass('not_found', 'This address does not exist');
  }

  /** For a request without a route: 405 where the path has other methods. */
  notServed(method: string, allowed: readonly string[]): E {
    if (allowed.length === 0 || allowed.includes(method)) return this.notFound();
    const allow = allowed.join(', ');
    return new this.#ErrorClass('method_not_allowed', `This address allows only ${allow}`, {}, { allow });
  }

  /** Responds to a request whose URL cannot be decoded, for which Fastify runs no hooks. */
  sendBadAddress(response: ServerResponse, error: HttpError, headers: Texts = {}): void {
    response.writeHead(error.status, {
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    });
    response.end(JSON.stringify(error.body));
  }

  /** Responds to data that is not HTTP or arrives too slowly. */
  endBrokenRequest({ code = '' }: { readonly code?: string }, socket: Socket): void {
    if (code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const body = JSON.stringify(new this.#ErrorClass('invalid_request', 'The request is not well-formed HTTP').body);
    const head = [
      `HTTP/1.1 ${statusLines[code] ?? '400 Bad Request'}`,
      `content-type: ${JSON_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    // Closes the connection of a client that neither reads the response nor disconnects.
    socket.setTimeout(LINGER_MS, () => socket.destroy());
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
}

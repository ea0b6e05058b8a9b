import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '@lintel/service/http/request-host';

const MAX_BODY_BYTES = 64 * 1024;

/** An error response in the format of the bridge's API. */
export class SimulatorApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;

  constructor(status: number, type: string, message: string, args: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.args = args;
  }
}

/** Accepts requests only from this machine and from pages of this server, so that other sites cannot use the demo. */
export const requireLocalOrigin = ({ headers, method }: IncomingMessage): void => {
  const { host, origin } = headers;
  if (!isLoopbackHost(host))
    throw new SimulatorApiError(403, 'forbidden', 'Only requests from this machine are accepted');
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new SimulatorApiError(403, 'forbidden', 'Requests from other sites are not accepted');
  }
  if (method === 'POST' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new SimulatorApiError(415, 'unsupported_media_type', 'The body must be application/json');
  }
  if (headers['content-encoding'] !== undefined)
    throw new SimulatorApiError(415, 'unsupported_media_type', 'The body must not be compressed');
};

export const readJsonBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new SimulatorApiError(413, 'payload_too_large', `The body must have at most ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new SimulatorApiError(400, 'invalid_request', 'The body must be JSON');
  }
};

import type { IncomingMessage } from 'node:http';

const LARGEST_BODY = 64 * 1024;

/** An error response in the format of the bridge's API. */
export class HttpError extends Error {
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

const isLocalHost = (host: string): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);

/** Only this machine, and only pages of this server: other sites can neither read nor operate the demo. */
export const guardOrigin = ({ headers, method }: IncomingMessage): void => {
  const { host = '', origin } = headers;
  if (!isLocalHost(host)) throw new HttpError(403, 'forbidden', 'This is for this machine only');
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new HttpError(403, 'forbidden', 'Other pages have no business here');
  }
  if (method === 'POST' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new HttpError(415, 'unsupported_media_type', 'The body must be application/json');
  }
};

export const jsonBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new HttpError(413, 'payload_too_large', `At most ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new HttpError(400, 'invalid_request', 'The body must be JSON');
  }
};

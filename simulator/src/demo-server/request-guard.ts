import type { IncomingMessage } from 'node:http';

const LARGEST_BODY = 64 * 1024;

/** A refusal with its status, in the form that the API of the bridge has too. */
export class Refusal extends Error {
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

/** Pages of others must neither read this nor press a key: by name, by address and by origin it is ours, or nobody's. */
export const guardOrigin = ({ headers, method }: IncomingMessage): void => {
  const { host = '', origin } = headers;
  if (!isLocalHost(host)) throw new Refusal(403, 'forbidden', 'This is for this machine only');
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, 'forbidden', 'Other pages have no business here');
  }
  if (method === 'POST' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(415, 'unsupported_media_type', 'The body must be application/json');
  }
};

export const jsonBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Refusal(413, 'payload_too_large', `At most ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'invalid_request', 'The body must be JSON');
  }
};

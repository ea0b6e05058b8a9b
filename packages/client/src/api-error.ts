import type { ErrorBody } from './api-types.ts';

/** A response that is not 2xx. Decide by `type`, show `message` to people. */
export class LintelApiError extends Error {
  override readonly name = 'LintelApiError';
  readonly status: number;
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
  /** Id of the request in the log of the bridge. */
  readonly requestId: string | null;

  constructor(status: number, { type, message, args }: ErrorBody, requestId: string | null) {
    super(message);
    this.status = status;
    this.type = type;
    this.args = args;
    this.requestId = requestId;
  }
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'type' in body && 'message' in body;

/** A proxy in front of the bridge may answer without a JSON body. */
export const toLintelApiError = async (response: Response): Promise<LintelApiError> => {
  const text = await response.text();
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not an answer of the bridge.
  }
  const fallback = { type: 'internal', message: `The server responded with ${response.status}`, args: {} };
  const known = isErrorBody(body) ? { ...body, args: body.args ?? {} } : fallback;
  return new LintelApiError(response.status, known, response.headers.get('x-request-id'));
};

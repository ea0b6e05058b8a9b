import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeHttpOptions } from '@lintel/device-link/bridge-http/bridge-connection';
import { BridgeHttpClient } from '@lintel/device-link/bridge-http/bridge-http-client';

/** The bridge responded with an error status. */
export class ReleaseDownloadStatusError extends Error {
  override readonly name = 'ReleaseDownloadStatusError';
  readonly status: number;

  constructor(status: number) {
    super(`The bridge responded with status ${status}`);
    this.status = status;
  }
}

export interface ReleaseDownloadRequest {
  readonly bridgeUrl: string;
  readonly path: string;
  readonly token: string;
  /** Number of bytes already downloaded. */
  readonly offset: number;
  readonly size: number;
  /** Maximum bytes per second. */
  readonly rate: number;
  readonly httpOptions: BridgeHttpOptions & { readonly signal: AbortSignal };
}

const SILENCE_MS = 30_000;
const PARTIAL = 206;

const openDownload = ({
  bridgeUrl,
  path,
  token,
  offset,
  size,
  httpOptions,
}: ReleaseDownloadRequest): Promise<IncomingMessage> =>
  new BridgeHttpClient(bridgeUrl, httpOptions).stream(
    path.replace(/^\//, ''),
    { method: 'GET', token, headers: { range: `bytes=${offset}-${size - 1}` } },
    SILENCE_MS,
  );

/** The rest of a release, at a limited rate. Ends early when the connection does. */
export async function* streamReleaseDownload(request: ReleaseDownloadRequest): AsyncGenerator<Buffer> {
  const response = await openDownload(request);
  if (response.statusCode !== PARTIAL) {
    response.destroy();
    throw new ReleaseDownloadStatusError(response.statusCode ?? 0);
  }
  const { rate, httpOptions } = request;
  const startedAt = performance.now();
  let count = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    yield chunk;
    count += chunk.length;
    const waitMs = (count / rate) * 1000 - (performance.now() - startedAt);
    if (waitMs > 1) await sleep(waitMs, undefined, { signal: httpOptions.signal });
  }
}

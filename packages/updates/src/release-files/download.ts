import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeHttpOptions } from '@lintel/device-link/bridge-http/bridge-connection';
import { BridgeHttpClient } from '@lintel/device-link/bridge-http/bridge-http-client';

/** The bridge does not give it, and says so. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  readonly status: number;

  constructor(status: number) {
    super(`the bridge answered ${status}`);
    this.status = status;
  }
}

export interface Wanted {
  readonly bridgeUrl: string;
  readonly path: string;
  readonly token: string;
  /** What is there already. */
  readonly offset: number;
  readonly size: number;
  /** Bytes a second at most. */
  readonly rate: number;
  readonly terms: BridgeHttpOptions & { readonly signal: AbortSignal };
}

const SILENCE_MS = 30_000;
const PARTIAL = 206;

const openDownload = ({ bridgeUrl, path, token, offset, size, terms }: Wanted): Promise<IncomingMessage> =>
  new BridgeHttpClient(bridgeUrl, terms).stream(
    path.replace(/^\//, ''),
    { method: 'GET', token, headers: { range: `bytes=${offset}-${size - 1}` } },
    SILENCE_MS,
  );

/** What is still missing of a release, no faster than allowed. Ends early when the line does. */
export async function* download(wanted: Wanted): AsyncGenerator<Buffer> {
  const answer = await openDownload(wanted);
  if (answer.statusCode !== PARTIAL) {
    answer.destroy();
    throw new DownloadError(answer.statusCode ?? 0);
  }
  const { rate, terms } = wanted;
  const begun = performance.now();
  let count = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    yield piece;
    count += piece.length;
    const early = (count / rate) * 1000 - (performance.now() - begun);
    if (early > 1) await sleep(early, undefined, { signal: terms.signal });
  }
}

import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bridgeAddress, lineTo, type PostTerms } from '@lintel/device-link/bridge-http/bridge-post';

/** The bridge does not give it, and says so. */
export class DownloadRefused extends Error {
  override readonly name = 'DownloadRefused';
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
  readonly terms: PostTerms & { readonly signal: AbortSignal };
}

const SILENCE_MS = 30_000;
const PARTIAL = 206;

const answerOf = async ({ bridgeUrl, path, token, offset, size, terms }: Wanted): Promise<IncomingMessage> => {
  const address = bridgeAddress(bridgeUrl, path.replace(/^\//, ''));
  const socket = await lineTo(address, terms);
  const headers = {
    host: address.host,
    authorization: `Bearer ${token}`,
    range: `bytes=${offset}-${size - 1}`,
    connection: 'close',
  };
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the bridge has gone silent')));
  const giveUp = (): void => void socket.destroy(new Error('no longer wanted'));
  terms.signal.addEventListener('abort', giveUp);
  socket.once('close', () => terms.signal.removeEventListener('abort', giveUp));
  return new Promise((resolve, reject) => {
    const sent = request({ path: address.pathname, headers, createConnection: () => socket }, resolve);
    sent.once('error', reject);
    sent.end();
  });
};

/** What is still missing of a release, no faster than allowed. Ends early when the line does. */
export async function* download(wanted: Wanted): AsyncGenerator<Buffer> {
  const answer = await answerOf(wanted);
  if (answer.statusCode !== PARTIAL) {
    answer.destroy();
    throw new DownloadRefused(answer.statusCode ?? 0);
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

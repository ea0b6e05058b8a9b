import { Agent, WebSocket } from 'undici';

/** Opens event streams that begin in the past, and opens each again after it has received everything. */
export interface StreamFloodSettings {
  /** `ws://…/v2/events/stream?since=…` */
  readonly url: string;
  /** One stream for each. */
  readonly tokens: readonly string[];
  /** Events of one stream before it is opened again. */
  readonly events: number;
}

export interface StreamFloodReport {
  readonly events: number;
  readonly refused: number;
}

const { url, tokens, events } = JSON.parse(process.argv[2] ?? '') as StreamFloodSettings;
const counts = { events: 0, refused: 0 };
const REOPEN_MS = 100;
/** Another network than the flood of requests, because the bridge limits the connections of one network. */
const dispatcher = new Agent({ localAddress: '127.0.0.2' });

const follow = (token: string): void => {
  const socket = new WebSocket(url, { dispatcher, headers: { authorization: `Bearer ${token}` } });
  let received = 0;
  let isOpen = false;
  socket.addEventListener('open', () => (isOpen = true));
  socket.addEventListener('message', ({ data }) => {
    if (!String(data).startsWith('{"type":"event"')) return;
    counts.events++;
    if (++received === events) socket.close();
  });
  socket.addEventListener('close', () => {
    if (!isOpen) counts.refused++;
    setTimeout(() => follow(token), REOPEN_MS);
  });
};

process.on('message', () => process.send?.({ ...counts } satisfies StreamFloodReport));
process.once('disconnect', () => process.exit(0));
for (const token of tokens) follow(token);
process.send?.('started');

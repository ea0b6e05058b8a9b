import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Commands of the parent process. */
export type ReceiverCommand = { readonly ask: 'arrivals' } | { readonly ask: 'forget' };

/** Event id and arrival time on the monotonic clock, in nanoseconds. */
export type ReceivedWebhook = readonly [id: string, at: string];

const ID = /"id":"(evt_[^"]+)"/;

let arrivals: ReceivedWebhook[] = [];

/** Responds at once, except to paths below `/hang`. Runs in a separate process, as receivers run on other machines. */
const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', chunk => (text += String(chunk)));
  request.on('end', () => {
    if (request.url?.startsWith('/hang') === true) return;
    arrivals.push([ID.exec(text)?.[1] ?? '', String(process.hrtime.bigint())]);
    response.writeHead(204).end();
  });
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', ({ ask }: ReceiverCommand) => {
  if (ask === 'arrivals') process.send?.({ arrivals });
  else {
    arrivals = [];
    process.send?.({ forgotten: true });
  }
});
process.on('disconnect', () => process.exit());

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the parent process asks for. */
export type Question = { readonly ask: 'arrivals' } | { readonly ask: 'forget' };

/** An event's id, and the machine's monotonic clock in nanoseconds when it had arrived. */
export type Arrival = readonly [id: string, at: string];

const ID = /"id":"(evt_[^"]+)"/;

let arrivals: Arrival[] = [];

/** Answers at once, but never at addresses below `/hang`. Runs in a process of its own: a receiver is another machine. */
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

process.on('message', ({ ask }: Question) => {
  if (ask === 'arrivals') process.send?.({ arrivals });
  else {
    arrivals = [];
    process.send?.({ forgotten: true });
  }
});
process.on('disconnect', () => process.exit());

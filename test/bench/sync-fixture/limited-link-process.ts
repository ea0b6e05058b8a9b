import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/* A TCP connection to a port of this machine with a limited bandwidth towards the client, in a separate process. */

const [target = 0, bytesPerSecond = 0] = process.argv.slice(2).map(Number);
const SLICE_BYTES = 16 * 1024;

/** Forwards a slice when the time that the link needs for it is over. */
const forwardAtLimitedRate = async (from: Socket, to: Socket): Promise<void> => {
  let freeAt = performance.now();
  for await (const data of from as AsyncIterable<Buffer>) {
    for (let at = 0; at < data.length; at += SLICE_BYTES) {
      const slice = data.subarray(at, at + SLICE_BYTES);
      freeAt = Math.max(freeAt, performance.now()) + (slice.length * 1000) / bytesPerSecond;
      to.write(slice);
      const wait = freeAt - performance.now();
      // Timers have a resolution of a millisecond.
      if (wait >= 1) await new Promise(resolve => setTimeout(resolve, wait));
    }
  }
  to.end();
};

const server = createServer({ noDelay: true }, client => {
  const remote = connect({ port: target, host: '127.0.0.1', noDelay: true });
  process.send?.({ connectedAt: String(process.hrtime.bigint()) });
  client.pipe(remote);
  forwardAtLimitedRate(remote, client).catch(() => client.destroy());
  for (const socket of [client, remote]) socket.on('error', () => [client, remote].forEach(each => each.destroy()));
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());

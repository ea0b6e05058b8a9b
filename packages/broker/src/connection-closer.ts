import type { Server, Socket } from 'node:net';

/** Returns a function that closes all connections of the server, including idle ones, which would keep it from stopping. */
export const createConnectionCloser = (server: Server): (() => void) => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
};

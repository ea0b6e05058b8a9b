import type { Server, Socket } from 'node:net';

/** Cuts whoever is connected, also those who have not said a word: a server that waits for them never stops. */
export const connectionCutter = (server: Server): (() => void) => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
};

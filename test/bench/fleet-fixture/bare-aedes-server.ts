import { createServer } from 'node:net';
import { Aedes } from 'aedes';

/** aedes without authentication. Sends its port to the parent process. */

const broker = await Aedes.createBroker();
const server = createServer({ noDelay: true }, socket => broker.handle(socket));
server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));

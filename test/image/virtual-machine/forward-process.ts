import { createConnection } from 'node:net';

/* Called by the virtual machine for each connection of the guest: HOST PORT. Its input and output are that connection. */

const [host, port] = process.argv.slice(2);
const line = createConnection(Number(port), host);
line.setNoDelay(true);
process.stdin.pipe(line).pipe(process.stdout);
line.on('close', () => process.exit());
line.on('error', () => process.exit(1));
process.stdin.on('error', () => process.exit(1));
process.stdout.on('error', () => process.exit(1));

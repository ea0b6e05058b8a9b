import { createConnection } from 'node:net';

/* QEMU starts it for each connection of the guest, with HOST PORT. Its stdin and stdout are that connection. */

const [host, port] = process.argv.slice(2);
const socket = createConnection(Number(port), host);
socket.setNoDelay(true);
process.stdin.pipe(socket).pipe(process.stdout);
socket.on('close', () => process.exit());
socket.on('error', () => process.exit(1));
process.stdin.on('error', () => process.exit(1));
process.stdout.on('error', () => process.exit(1));

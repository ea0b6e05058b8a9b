import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadOrCreateTechnicianPageCertificate } from '@lintel/crypto/tls/technician-page-certificate';
import { ConnectionLimit, limitConnections } from '@lintel/service/connections/connection-limit';
import { sendMalformedRequestError } from './request-bodies-and-errors.ts';

const clients: Socket[] = [];
const cleanup: Array<() => void> = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const clean of cleanup.splice(0)) clean();
});

describe('idle connections', () => {
  it('closes connections that never start TLS or use another protocol', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-connections-'));
    const { key, certificate: cert } = await loadOrCreateTechnicianPageCertificate(folder);
    rmSync(folder, { recursive: true });
    const page = createHttpsServer({ key, cert, handshakeTimeout: 50 });
    page.on('clientError', (error, socket) => sendMalformedRequestError(error, socket as Socket));
    cleanup.push(() => page.close());
    limitConnections(page, new ConnectionLimit({ open: 64, openPerNetwork: 16 }, () => 0));
    page.listen(0, '127.0.0.1');
    await once(page, 'listening');
    const openAtServer = (): Promise<number> =>
      new Promise((resolve, reject) => {
        page.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      });
    const { port } = page.address() as AddressInfo;
    for (let client = 0; client < 12; client++) {
      // Half open: the client does not close when the server ends its side.
      const silent = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      silent.on('error', () => undefined);
      clients.push(silent);
      if (client % 3 === 0) silent.write('GET / HTTP/1.1\r\n\r\n');
      await once(silent, 'connect');
    }
    await expect.poll(openAtServer).toBe(0);
  });
});

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runLintel } from '../../support/processes/lintel-command.ts';

describe('lintel bridge', () => {
  let folder: string;
  let other: Server;
  let taken: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-ports-'));
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    taken = String((other.address() as AddressInfo).port);
  });
  afterEach(() => {
    other.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['--http-port', '--mqtt-port'],
    ['--mqtt-port', '--http-port'],
  ])(
    'exits with a message when %s is in use',
    async (first, second) => {
      const ports = [first, taken, second, '0'];
      const { code, stdout, stderr } = await runLintel('bridge', '--data', folder, ...ports, '--log-level', 'error');
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trim()).toBe(`127.0.0.1:${taken} is in use by another process. Choose another port.`);
    },
    60_000,
  );
});

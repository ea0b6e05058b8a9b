import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadP256Signer } from '@lintel/crypto/p256';
import { loadOrCreateTechnicianPageCertificate } from '@lintel/crypto/tls/technician-page-certificate';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

const createPem = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'sec1', format: 'pem' }).toString();

describe('lintel rules --device with a technician pass', () => {
  let folder: string;
  let door: TechnicianApiFixture;

  const keyFile = (pem: string): string => {
    const file = join(folder, 'pass.key');
    writeFileSync(file, pem, { mode: 0o600 });
    return file;
  };
  const get = async (url: string, ...args: string[]) => {
    const { code, stderr } = await runLintel('rules', 'get', '--device', url, ...args);
    return [code, stderr];
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-rules-pass-'));
    door = await TechnicianApiFixture.create();
    door.claim();
    await door.serve();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await door.remove();
    rmSync(folder, { recursive: true });
  });

  it('signs in with the pass and its key file', async () => {
    const pem = createPem('P-256');
    vi.stubEnv('LINTEL_CODE', door.passOf({ public_key: loadP256Signer(pem).publicKey }));
    const { url, fingerprint } = door.technician;
    expect(await get(url, '--fingerprint', fingerprint, '--pass-key', keyFile(pem))).toEqual([0, '']);
    expect(await get(url, '--pass-key', keyFile(createPem('P-256')))).toEqual([
      1,
      expect.stringContaining('not by the key of the pass'),
    ]);
  });

  it('rejects a pass without a key file, and a file without a usable key', async () => {
    vi.stubEnv('LINTEL_CODE', door.passOf());
    const { url } = door.technician;
    expect(await get(url)).toEqual([2, expect.stringContaining('--pass-key is required')]);
    expect(await get(url, '--pass-key', join(folder, 'none'))).toEqual([
      1,
      expect.stringContaining('none: no such file or folder'),
    ]);
    expect(await get(url, '--pass-key', keyFile(createPem('P-384')))).toEqual([
      1,
      expect.stringContaining('is not a P-256 private key'),
    ]);
  });

  it('signs nothing for a server that relays the challenge of a controller', async () => {
    const { key, certificate } = await loadOrCreateTechnicianPageCertificate(join(folder, 'hostile'));
    const requests: string[] = [];
    const hostile = createServer({ key, cert: certificate }, (request, response) => {
      requests.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      void door.client.challenge().then(challenge => response.end(JSON.stringify(challenge)));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void hostile.close());
    await once(hostile, 'listening');
    const pem = createPem('P-256');
    vi.stubEnv('LINTEL_CODE', door.passOf({ public_key: loadP256Signer(pem).publicKey }));
    const url = `https://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    expect(await get(url, '--pass-key', keyFile(pem))).toEqual([
      1,
      expect.stringContaining('relays the challenge of another controller'),
    ]);
    expect(requests).toEqual(['/technician/v1/challenge']);
  });
});

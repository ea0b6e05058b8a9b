import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { createCertificateReloadTask } from './reload-certificate-files.ts';

const certificate = (name: string): KeyAndCertificate => ({ key: `key of ${name}`, certificate: name });

/** Runs the check once. Returns the certificates in use afterwards. */
const check = async (load: () => Promise<KeyAndCertificate>): Promise<string[]> => {
  const used: string[] = [];
  const logger = pino({ enabled: false });
  const task = createCertificateReloadTask(certificate('old'), load, next => used.push(next.certificate), logger);
  task.start();
  await task.stop();
  return used;
};

describe('createCertificateReloadTask', () => {
  it('uses changed certificate files', async () => {
    expect(await check(async () => certificate('new'))).toEqual(['new']);
  });

  it('keeps the certificate while the files are unchanged or cannot be used', async () => {
    expect(await check(async () => certificate('old'))).toEqual([]);
    expect(await check(() => Promise.reject(new Error('the key is missing')))).toEqual([]);
  });
});

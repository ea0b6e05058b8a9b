import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStorage } from '../../storage/open-storage.ts';
import { DownCounters } from './down-counters.ts';

const openCertificate = async () => {
  const storage = await openStorage({ dataDir: mkdtempSync(join(tmpdir(), 'lintel-counters-')), now: 0 });
  const row = {
    serial: '01',
    device_id: 'dev_1',
    organization_id: 'org_1',
    public_key: '',
    certificate: '',
    hardware_id: 'hw_1',
    claim_ticket_id: null,
    created_at: 0,
    expires_at: 1,
    revoked_at: null,
    down_counter: 0,
  };
  await storage.writer.insertInto('device_certificates').values(row).execute();
  return storage;
};

describe('DownCounters', () => {
  it('starts at 1, ascends and never issues a number twice, even to concurrent callers', async () => {
    const storage = await openCertificate();
    const counters = new DownCounters(storage);
    const taken = await Promise.all(Array.from({ length: 300 }, () => counters.take('01', 2)));
    expect(taken.toSorted((a, b) => a - b)[0]).toBe(1);
    const numbers = taken.flatMap(first => [first, first + 1]);
    expect(new Set(numbers).size).toBe(600);
    await storage.close();
  });

  it('continues above all issued numbers after a restart', async () => {
    const storage = await openCertificate();
    const before = await new DownCounters(storage).take('01', 5);
    expect(await new DownCounters(storage).take('01', 1)).toBeGreaterThan(before + 4);
    await storage.close();
  });

  it('continues above what a controller has seen, unless it claims too much', async () => {
    const storage = await openCertificate();
    const counters = new DownCounters(storage);
    const seen = async (number: number): Promise<void> => (await counters.prepare(storage.writer, '01', number))();
    const first = await counters.take('01', 1);
    await seen(5000);
    expect(await counters.take('01', 1)).toBe(5001);
    await seen(10);
    await seen(Number.MAX_SAFE_INTEGER);
    expect(await counters.take('01', 1)).toBe(5002);
    expect(first).toBe(1);
    await storage.close();
  });

  it('does not go back when numbers are issued while a hello is being recorded', async () => {
    const storage = await openCertificate();
    const counters = new DownCounters(storage);
    const committed = await counters.prepare(storage.writer, '01', 0);
    const meanwhile = await counters.take('01', 1);
    committed();
    expect(await counters.take('01', 1)).toBe(meanwhile + 1);
    await storage.close();
  });

  it('needs no further write for numbers that a hello has reserved', async () => {
    const storage = await openCertificate();
    const counters = new DownCounters(storage);
    (await counters.prepare(storage.writer, '01', 7))();
    await storage.close();
    expect(await counters.take('01', 3)).toBe(8);
  });

  it('rejects an unknown certificate', async () => {
    const storage = await openCertificate();
    await expect(new DownCounters(storage).take('02', 1)).rejects.toThrow('no certificate');
    await storage.close();
  });
});

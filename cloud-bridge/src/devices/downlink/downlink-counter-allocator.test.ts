import { describe, expect, it } from 'vitest';
import { openTestStorage } from '../../testing/sqlite-template.ts';
import { DownlinkCounterAllocator } from './downlink-counter-allocator.ts';

const openStorageWithCertificates = async (serials: readonly string[], onQuery?: (text: string) => void) => {
  const storage = await openTestStorage(onQuery === undefined ? {} : { onQuery });
  const row = {
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
  for (const serial of serials)
    await storage.writer
      .insertInto('device_certificates')
      .values({ ...row, serial })
      .execute();
  return storage;
};

const openStorageWithCertificate = () => openStorageWithCertificates(['01']);

describe('DownlinkCounterAllocator', () => {
  it('starts at 1, ascends and never issues a number twice, even to concurrent callers', async () => {
    const storage = await openStorageWithCertificate();
    const counters = new DownlinkCounterAllocator(storage);
    const allocated = await Promise.all(Array.from({ length: 300 }, () => counters.allocate('01', 2)));
    expect(allocated.toSorted((a, b) => a - b)[0]).toBe(1);
    const numbers = allocated.flatMap(first => [first, first + 1]);
    expect(new Set(numbers).size).toBe(600);
    await storage.close();
  });

  it('reserves the numbers of many devices in one statement', async () => {
    const statements: string[] = [];
    const storage = await openStorageWithCertificates(['01', '02', '03'], text => statements.push(text));
    const counters = new DownlinkCounterAllocator(storage);
    const allocated = await Promise.all(['01', '02', '03', '01'].map(serial => counters.allocate(serial, 1)));
    expect(allocated).toEqual([1, 1, 1, 2]);
    expect(statements.filter(text => text.startsWith('update device_certificates'))).toHaveLength(1);
    await storage.close();
  });

  it('continues above all issued numbers after a restart', async () => {
    const storage = await openStorageWithCertificate();
    const before = await new DownlinkCounterAllocator(storage).allocate('01', 5);
    expect(await new DownlinkCounterAllocator(storage).allocate('01', 1)).toBeGreaterThan(before + 4);
    await storage.close();
  });

  it('continues above what a controller has seen, unless it claims too much', async () => {
    const storage = await openStorageWithCertificate();
    const counters = new DownlinkCounterAllocator(storage);
    const reportSeen = async (number: number): Promise<void> =>
      (await counters.prepareForHellos(storage.writer, [{ serial: '01', seen: number }]))();
    const first = await counters.allocate('01', 1);
    await reportSeen(5000);
    expect(await counters.allocate('01', 1)).toBe(5001);
    await reportSeen(10);
    await reportSeen(Number.MAX_SAFE_INTEGER);
    expect(await counters.allocate('01', 1)).toBe(5002);
    expect(first).toBe(1);
    await storage.close();
  });

  it('tells whether a controller has seen more than was issued since a restart, and continues above it', async () => {
    const storage = await openStorageWithCertificate();
    await new DownlinkCounterAllocator(storage).allocate('01', 5);
    const restarted = new DownlinkCounterAllocator(storage);
    expect(await restarted.continueAbove('01', 5)).toBe(false);
    const first = await restarted.allocate('01', 1);
    expect(await restarted.continueAbove('01', first)).toBe(false);
    expect(await restarted.continueAbove('01', first + 1)).toBe(true);
    expect(await restarted.allocate('01', 1)).toBeGreaterThan(first + 1);
    await storage.close();
  });

  it('does not go back when numbers are issued while a hello is being recorded', async () => {
    const storage = await openStorageWithCertificate();
    const counters = new DownlinkCounterAllocator(storage);
    const onCommitted = await counters.prepareForHellos(storage.writer, [{ serial: '01', seen: 0 }]);
    const concurrent = await counters.allocate('01', 1);
    onCommitted();
    expect(await counters.allocate('01', 1)).toBe(concurrent + 1);
    await storage.close();
  });

  it('needs no further write for numbers that a hello has reserved', async () => {
    const storage = await openStorageWithCertificate();
    const counters = new DownlinkCounterAllocator(storage);
    (await counters.prepareForHellos(storage.writer, [{ serial: '01', seen: 7 }]))();
    await storage.close();
    expect(await counters.allocate('01', 3)).toBe(8);
  });

  it('rejects an unknown certificate', async () => {
    const storage = await openStorageWithCertificate();
    await expect(new DownlinkCounterAllocator(storage).allocate('02', 1)).rejects.toThrow('Unknown certificate');
    await storage.close();
  });
});

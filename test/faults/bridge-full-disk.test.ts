import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';
import { RecordingLogger } from '../support/processes/recording-logger.ts';

const TOKEN = 'token-for-the-metrics';

/** Metrics without labels. */
const readMetrics = async (bridge: TestBridge): Promise<Record<string, number>> => {
  const { payload } = await bridge.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
  const samples = payload.matchAll(/^(?<name>\w+) (?<value>\S+)$/gm);
  return Object.fromEntries([...samples].map(({ groups }) => [groups!['name']!, Number(groups!['value'])]));
};

describe('a bridge whose disk is full', () => {
  it('answers 503 to writes, still reads, and recovers when there is space', async context => {
    const disk = SmallDisk.mounted(context, 24);
    onTestFinished(() => disk.unmount());
    const dataDir = join(disk.folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const log = new RecordingLogger();
    const bridge = await TestBridge.open({ dataDir, logger: log, metricsToken: TOKEN });
    onTestFinished(() => bridge.bridge.close());
    const client = await bridge.newOrganization();
    const { id } = await client.callOk('POST', '/members', { name: 'before' });
    const write = () => client.call('POST', '/members', { name: 'Ann' });
    const ready = async () => {
      const { statusCode: status, payload } = await bridge.app.inject({ url: '/readyz' });
      return { status, message: (JSON.parse(payload) as { message?: string }).message };
    };
    const before = await readMetrics(bridge);
    expect(before).toMatchObject({ lintel_storage_full: 0, lintel_storage_full_errors_total: 0 });
    expect(before['lintel_data_size_bytes']).toBe(24 * 2 ** 20);
    disk.fill();
    await expect.poll(async () => (await write()).status).toBe(503);
    const refused = await write();
    expect(refused.body).toMatchObject({ type: 'insufficient_storage' });
    expect(refused.headers['retry-after']).toBe('60');
    expect((await client.get(`/members/${id}`)).status).toBe(200);
    expect(await ready()).toEqual({ status: 503, message: 'The disk of the database is full' });
    const full = await readMetrics(bridge);
    expect(full).toMatchObject({ lintel_storage_full: 1 });
    expect(full['lintel_storage_full_errors_total']).toBeGreaterThan(0);
    expect(full['lintel_data_free_bytes']).toBeLessThan(before['lintel_data_free_bytes']!);
    const lines = log.lines.filter(({ level }) => level === 'error').map(line => line['message']);
    expect(lines).toEqual(['Disk space of the database not available']);
    disk.free();
    expect(await ready()).toMatchObject({ status: 200 });
    expect(await readMetrics(bridge)).toMatchObject({ lintel_storage_full: 0 });
    expect((await write()).status).toBe(200);
  });
});

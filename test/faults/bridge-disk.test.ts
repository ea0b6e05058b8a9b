import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';
import { RecordingLogger } from '../support/processes/recording-logger.ts';

describe('a bridge whose disk is full', () => {
  it('answers 503 to writes, still reads, and recovers when there is space', async context => {
    const disk = SmallDisk.mounted(context, 24);
    onTestFinished(() => disk.unmount());
    const dataDir = join(disk.folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    const log = new RecordingLogger();
    const bridge = await TestBridge.open({ dataDir, logger: log });
    onTestFinished(() => bridge.bridge.close());
    const client = await bridge.newOrganization();
    const { id } = await client.callOk('POST', '/members', { name: 'before' });
    disk.fill();
    const write = () => client.call('POST', '/members', { name: 'Ann' });
    const isReady = async () => (await bridge.app.inject({ url: '/readyz' })).statusCode;
    await expect.poll(async () => (await write()).status).toBe(503);
    const refused = await write();
    expect(refused.body).toMatchObject({ type: 'insufficient_storage' });
    expect(refused.headers['retry-after']).toBe('60');
    expect((await client.get(`/members/${id}`)).status).toBe(200);
    expect(await isReady()).toBe(503);
    const lines = log.lines.filter(({ level }) => level === 'error').map(line => line['message']);
    expect(lines).toEqual(['Disk space of the database not available']);
    disk.free();
    expect(await isReady()).toBe(200);
    expect((await write()).status).toBe(200);
  });
});

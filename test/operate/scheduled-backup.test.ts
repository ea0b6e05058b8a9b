import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBridge } from '../support/processes/bridge-process.ts';

describe('lintel bridge --backup-dir', { tags: ['slow'] }, () => {
  it('writes a backup, reports it in /readyz and /metrics, and deletes the oldest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-scheduled-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const passphrase = join(folder, 'passphrase');
    const backups = join(folder, 'backups');
    writeFileSync(passphrase, 'correct horse battery\n');
    const options = ['--backup-dir', backups, '--backup-passphrase-file', passphrase, '--backup-keep', '1'];
    const bridge = await startBridge(join(folder, 'bridge'), ...options, '--metrics-port', '0');
    onTestFinished(() => bridge.stop().then(() => undefined));
    const readyz = async () => (await fetch(`${bridge.ready['http']}/readyz`)).json() as Promise<object>;
    await expect
      .poll(readyz, { timeout: 180_000 })
      .toMatchObject({ status: 'ok', backup: { last_success_at: expect.any(String), failures_since_start: 0 } });
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^lintel-\d{8}T\d{6}Z\.backup$/)]);
    const metrics = await (await fetch(bridge.ready['metrics']!)).text();
    expect(metrics).toMatch(/^lintel_backup_last_success_timestamp_seconds [1-9]\d{9}$/m);
    expect(metrics).toMatch(/^lintel_backup_failures_total 0$/m);
    await expect.poll(() => bridge.log()).toContain('Backup written');
  });
});

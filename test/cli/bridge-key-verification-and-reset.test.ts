import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newTestDatabase } from '../support/bridge/postgres.ts';
import { runLintel, spawnLintel } from '../support/processes/lintel-command.ts';

const seedFile = {
  organization: { key: 'org', name: 'Hotel' },
  members: [{ key: 'ann', name: 'Ann', pins: ['2580'], cards: [{ uid: '04A1B2C3' }] }],
};

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`key files of a bridge (${engine})`, { tags: engine === 'postgres' ? ['slow'] : [] }, () => {
    let dataDir: string;
    let organizationId: string;
    let databaseArgs: string[];
    let database: string | undefined;
    const file = (name: string) => join(dataDir, name);

    beforeEach(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'lintel-keys-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true }));
      database = engine === 'postgres' ? await newTestDatabase() : undefined;
      databaseArgs = database === undefined ? [] : ['--database', database];
      writeFileSync(file('seed.json'), JSON.stringify(seedFile), { mode: 0o600 });
      const seeded = await runLintel('seed', file('seed.json'), '--data', dataDir, '--json', ...databaseArgs);
      organizationId = (JSON.parse(seeded.stdout) as { ids: Record<string, string> }).ids['org']!;
    });

    const token = () =>
      runLintel(
        'token',
        '--data',
        dataDir,
        ...databaseArgs,
        '--organization',
        organizationId,
        '--scope',
        'full_read_only',
      );
    const keys = (...args: readonly string[]) => runLintel('keys', ...args, '--data', dataDir, ...databaseArgs);

    it('are verified by every command', async () => {
      expect((await token()).code).toBe(0);
      expect((await keys('rotate')).code).toBe(0);
      expect((await token()).code).toBe(0);
      expect((await keys('forget', '1')).code).toBe(0);
      expect((await token()).code).toBe(0);
    });

    it.each([
      ['missing', () => rmSync(file('master-keys.json')), 'is missing, but the database contains data'],
      ['empty', () => writeFileSync(file('master-keys.json'), ''), 'is empty'],
      [
        'of another bridge',
        () => writeFileSync(file('master-keys.json'), keyFile(1)),
        'contains another key 1 than the one that sealed the secrets',
      ],
      ['without the version in use', () => writeFileSync(file('master-keys.json'), keyFile(2)), 'lacks key 1'],
    ])('that are %s stop every command with one sentence about the file', async (_, damage, reason) => {
      damage();
      const before = existsSync(file('master-keys.json')) ? readFileSync(file('master-keys.json'), 'utf8') : null;
      const results = [
        await token(),
        await keys('list'),
        await runLintel('seed', file('seed.json'), '--data', dataDir, ...databaseArgs),
      ];
      for (const { code, stdout, stderr } of results) {
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toContain(`${file('master-keys.json')} ${reason}`);
        expect(stderr.trim().split('\n')).toHaveLength(1);
      }
      const after = existsSync(file('master-keys.json')) ? readFileSync(file('master-keys.json'), 'utf8') : null;
      expect(after).toBe(before);
    });

    it('refuse an empty database after they were used with another one', async () => {
      if (engine === 'sqlite')
        for (const suffix of ['', '-wal', '-shm']) rmSync(file(`bridge.sqlite${suffix}`), { force: true });
      else database = await newTestDatabase();
      const opening = openBridgeServices({ dataDir, database });
      await expect(opening).rejects.toThrow(
        /The database is empty, .* was used with an earlier one\. Restore the database/,
      );
      const services = await openBridgeServices({ dataDir, database, isNewDatabase: true });
      await services.close();
      await (await openBridgeServices({ dataDir, database })).close();
    });

    it('are verified by opening a secret in a database from before key checks', async () => {
      const forgetChecks = async () => {
        const services = await openBridgeServices({ dataDir, database });
        await services.storage.writer.deleteFrom('key_checks').execute();
        await services.close();
      };
      await forgetChecks();
      expect((await token()).code).toBe(0);
      await forgetChecks();
      copyFileSync(file('master-keys.json'), file('copy.json'));
      writeFileSync(file('master-keys.json'), keyFile(1));
      expect((await token()).stderr).toContain('contains another key than the one that sealed the secrets');
      rmSync(file('master-keys.json'));
      expect((await token()).stderr).toContain('is missing');
      copyFileSync(file('copy.json'), file('master-keys.json'));
      expect((await token()).code).toBe(0);
    });

    it('can be reset deliberately: PINs are deleted, members and cards stay', async () => {
      rmSync(file('master-keys.json'));
      const refused = await keys('reset');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--confirm')]);
      expect(existsSync(file('master-keys.json'))).toBe(false);
      expect(JSON.parse((await keys('reset', '--confirm', '--json')).stdout)).toEqual({ reset: ['master_keys'] });
      expect((await token()).code).toBe(0);
      const services = await openBridgeServices({ dataDir, database });
      const { reader } = services.storage;
      expect(await reader.selectFrom('members').select('is_deleted').execute()).toEqual([{ is_deleted: 0 }]);
      expect(await reader.selectFrom('member_pins').select('is_deleted').execute()).toEqual([{ is_deleted: 1 }]);
      expect(await reader.selectFrom('member_cards').select('is_deleted').execute()).toEqual([{ is_deleted: 0 }]);
      expect(await reader.selectFrom('pin_claims').selectAll().execute()).toEqual([]);
      await services.close();
      expect((await keys('rotate')).code).toBe(0);
      expect((await keys('reset', '--confirm')).stdout).toContain('Nothing to reset');
    });

    it('include the certificate authority, once it is in use', async () => {
      const open = () => createBridge({ dataDir, database, logger: false });
      const first = await open();
      await first.services.authority();
      await first.close();
      rmSync(file('ca-key.pem'));
      await expect(open()).rejects.toThrow(`${file('ca-key.pem')} missing`);
      expect(existsSync(file('ca-key.pem'))).toBe(false);
      writeFileSync(file('ca-key.pem'), '');
      await expect(open()).rejects.toThrow('ca-key.pem is empty, damaged or does not belong to');
      for (const name of ['ca.pem', 'ca-key.pem']) rmSync(file(name));
      await expect(open()).rejects.toThrow('missing');
      expect(JSON.parse((await keys('reset', '--confirm', '--json')).stdout)).toEqual({
        reset: ['certificate_authority'],
      });
      const second = await open();
      await second.services.authority();
      await second.close();
    });
  });

const keyFile = (version: number): string =>
  JSON.stringify({ current: version, keys: { [version]: Buffer.alloc(32, 7).toString('base64') } });

describe('lintel bridge', () => {
  it('refuses a data folder that other users can read', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lintel-modes-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const dataDir = join(home, 'open');
    mkdirSync(dataDir, { mode: 0o755 });
    writeFileSync(join(dataDir, 'master-keys.json'), keyFile(1));
    const { code, stdout, stderr } = await spawnLintel('bridge', `--data=${dataDir}`, '--http-port=0', '--mqtt-port=0');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Run: chmod 700 ${dataDir}`);
  });

  it.each([
    ['--mqtt-public-url', 'mqtts://user:hunter22@broker.test', '--mqtt-url', 'mqtts://broker.test'],
    ['--mqtt-url', 'https://user:hunter22@broker.test'],
    ['--database', 'mysql://user:hunter22@db.test'],
    ['--smtp-url', 'http://user:hunter22@mail.test', '--mail-from', 'a@example.test'],
  ])('rejects a wrong %s without repeating its password', async (...args) => {
    const { code, stderr } = await runLintel(
      'bridge',
      '--data=/nonexistent/bridge',
      '--http-port=0',
      '--mqtt-port=0',
      ...args,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(args[0]);
    expect(stderr).not.toContain('hunter22');
  });
});

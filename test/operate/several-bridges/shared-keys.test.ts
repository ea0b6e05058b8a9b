import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../../support/require-program.ts';
import { BridgeCluster } from '../../support/bridge/bridge-cluster.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { mosquitto } from '../../support/processes/mosquitto.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';

describe('keys of several bridges', { tags: ['slow'] }, () => {
  let cluster: BridgeCluster;
  let token: string;
  let memberId: string;

  beforeAll(async () => {
    if (!isPresent(mosquitto)) return;
    cluster = await BridgeCluster.open({ database: await newTestDatabase() });
    await Promise.all([cluster.start('first'), cluster.start('second')]);
    const seed = {
      organization: { key: 'org', name: 'Hotel' },
      members: [{ key: 'ann', name: 'Ann', pins: ['2580'] }],
    };
    const ids = await cluster.seed('first', seed);
    token = await cluster.token('second', ids['org']!);
    memberId = ids['ann']!;
  });

  afterAll(() => cluster?.close());

  const revealPins = async (bridge: string): Promise<unknown[]> => {
    const list = await cluster.call(bridge, token, 'GET', `/v2/members/${memberId}/pins`);
    const pins = list.body['data'] as { readonly id: string }[];
    const revealed = await Promise.all(
      pins.map(({ id }) => cluster.call(bridge, token, 'POST', `/v2/members/${memberId}/pins/${id}/reveal`, {})),
    );
    return revealed.map(({ status, body }) => [status, body['pin']]);
  };

  const startWith = (dataDir: string, ...args: readonly string[]) =>
    runLintel('bridge', '--data', dataDir, '--http-port', '0', '--mqtt-port', '0', ...args);

  it('come from the database, also for bridges that start together with an empty one', async context => {
    requireProgram(context, mosquitto);
    for (const file of ['master-keys.json', 'ca.pem', 'ca-key.pem']) {
      const copies = ['first', 'second'].map(name => readFileSync(join(cluster.dataDir(name), file), 'utf8'));
      expect(copies[0]).toBe(copies[1]);
    }
    expect([await revealPins('first'), await revealPins('second')]).toEqual([[[200, '2580']], [[200, '2580']]]);
  });

  it('reach running bridges when they are rotated', async context => {
    requireProgram(context, mosquitto);
    await cluster.run('third', 'keys', 'rotate');
    for (const bridge of ['first', 'second']) {
      expect(await revealPins(bridge)).toContainEqual([200, '2580']);
      const pin = bridge === 'first' ? '3691' : '4702';
      const created = await cluster.call(bridge, token, 'POST', `/v2/members/${memberId}/pins`, { pin });
      expect(created.status).toBe(200);
    }
    expect((await revealPins('first')).length).toBe(3);
    expect(JSON.parse(await cluster.run('first', 'keys', 'list', '--json'))).toMatchObject({ current: 2 });
  });

  it('stop a bridge with another secret, without the secret, or with keys of another database', async context => {
    requireProgram(context, mosquitto);
    const other = join(cluster.folder, 'other-secret');
    writeFileSync(other, 'another-secret-with-enough-characters');
    const database = ['--database', cluster.database];
    const foreign = cluster.dataDir('foreign');
    mkdirSync(foreign, { mode: 0o700 });
    const foreignKeys = JSON.stringify({ current: 1, keys: { 1: Buffer.alloc(32, 1).toString('base64') } });
    writeFileSync(join(foreign, 'master-keys.json'), foreignKeys, { mode: 0o600 });
    const results = await Promise.all([
      startWith(cluster.dataDir('a'), ...database, '--cluster-secret-file', other),
      startWith(cluster.dataDir('b'), ...database),
      startWith(foreign, ...database, '--cluster-secret-file', cluster.secretFile),
    ]);
    const reasons = [
      /^The cluster secret is not the one/,
      /^The keys of this database are sealed/,
      /does not belong to/,
    ];
    for (const [index, { code, stderr }] of results.entries()) {
      expect(code).toBe(1);
      expect(stderr).toMatch(reasons[index]!);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(readFileSync(join(foreign, 'master-keys.json'), 'utf8')).toBe(foreignKeys);
  });

  it('can be sealed by another secret', async context => {
    requireProgram(context, mosquitto);
    await Promise.all(['first', 'second'].map(name => cluster.stop(name)));
    writeFileSync(cluster.secretFile, 'a-new-secret-that-has-enough-characters');
    expect(JSON.parse(await cluster.run('first', 'keys', 'reset', '--confirm', '--json'))).toEqual({
      reset: ['cluster_secret'],
    });
    await cluster.start('fourth');
    expect((await revealPins('fourth')).length).toBe(3);
  });
});

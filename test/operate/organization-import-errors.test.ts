import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createQuickBackup,
  exportOrganizationQuickly,
  importOrganization,
  type OrganizationTransferManifest,
  rewriteOrganizationExport,
} from '@lintel/cloud-bridge/testing';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const passphrase = 'correct horse battery';

describe('lintel organization import', () => {
  let folder: string;
  let organizationId: string;
  let target: string;
  let targets = 0;
  const path = (name: string) => join(folder, name);
  const secret = () => ['--passphrase-file', path('passphrase')];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-import-'));
    writeFileSync(path('passphrase'), passphrase);
    writeFileSync(path('wrong'), 'wrong horse battery');
    const seeded = await runLintel('seed', join(root, 'docs/reference/hotel.json'), '--data', path('source'), '--json');
    organizationId = (JSON.parse(seeded.stdout) as { ids: Record<string, string> }).ids['hotel']!;
    const services = await openBridgeServices({ dataDir: path('source') });
    const options = { organizationId, hasEvents: false, passphrase };
    await exportOrganizationQuickly({ services, dataDir: path('source'), out: path('hotel.export'), ...options });
    await services.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    target = path(`target-${targets++}`);
  });

  const importing = (file = path('hotel.export'), ...args: readonly string[]) =>
    runLintel('organization', 'import', file, '--data', target, ...(args.length === 0 ? secret() : args));
  const inTarget = async <T>(
    work: (services: Awaited<ReturnType<typeof openBridgeServices>>) => Promise<T>,
  ): Promise<T> => {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    const services = await openBridgeServices({ dataDir: target });
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  };
  const countRows = () =>
    inTarget(async ({ storage }) => {
      const tables = ['organizations', 'users', 'members', 'oauth_applications'] as const;
      const rows = await Promise.all(tables.map(table => storage.reader.selectFrom(table).select('id').execute()));
      return rows.map(({ length }) => length);
    });

  /** Writes the export again, with changes. */
  const rewrite = (change: (manifest: OrganizationTransferManifest, work: string) => OrganizationTransferManifest) =>
    rewriteOrganizationExport({ file: path('hotel.export'), folder, passphrase }, change);

  it('reads the file of lintel organization export, and refuses an organization that exists', {
    tags: ['slow'],
  }, async () => {
    const file = path('command.export');
    const from = ['--data', path('source'), '--out', file, ...secret()];
    expect(await runLintel('organization', 'export', organizationId, ...from)).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\S+ written and verified: Hotel Sol, \d+ rows, 0\.0 MB\n$/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path('source')).filter(name => name.includes('work'))).toEqual([]);
    expect((await importing(file)).code).toBe(0);
    expect(await importing()).toEqual({ code: 1, stdout: '', stderr: `This bridge already has ${organizationId}.\n` });
  });

  it('refuses a wrong passphrase, a missing file and an existing one', async () => {
    const file = path('hotel.export');
    expect(await importing(file, '--passphrase-file', path('wrong'))).toMatchObject({
      code: 1,
      stderr: `Wrong passphrase for ${file}.\n`,
    });
    expect(await importing(path('none'))).toMatchObject({ code: 1, stderr: `${path('none')} does not exist.\n` });
    const out = ['--data', path('source'), '--out', file, ...secret()];
    expect(await runLintel('organization', 'export', organizationId, ...out)).toMatchObject({
      code: 1,
      stderr: `${file} already exists. Choose another file.\n`,
    });
    const unknown = ['--data', path('source'), '--out', path('unknown.export'), ...secret()];
    expect(await runLintel('organization', 'export', 'org_unknown', ...unknown)).toMatchObject({
      code: 1,
      stderr: 'The organization org_unknown does not exist.\n',
    });
  });

  it('refuses a damaged file, and a backup', async () => {
    const bytes = readFileSync(path('hotel.export'));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(path('damaged.export'), bytes);
    expect(await importing(path('damaged.export'))).toMatchObject({
      code: 1,
      stderr: `${path('damaged.export')} is damaged or incomplete. Export the organization again.\n`,
    });
    const backup = { database: undefined, passphrase, now: 0 };
    await createQuickBackup({ dataDir: path('source'), out: path('a.backup'), ...backup });
    expect(await importing(path('a.backup'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The file is not an export of an organization, .*\n$/),
    });
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('refuses other versions of the format and of the database', async () => {
    const errorOf = async (change: (manifest: OrganizationTransferManifest) => object) =>
      (await importing(await rewrite(manifest => change(manifest) as OrganizationTransferManifest))).stderr;
    expect(await errorOf(manifest => ({ ...manifest, version: 2 }))).toBe(
      'The file is an export of an organization of a newer version of this program. Update this program.\n',
    );
    expect(await errorOf(manifest => ({ ...manifest, migrations: [...manifest.migrations, '9999-later'] }))).toBe(
      'The organization was exported by a newer version. Update this program, then import.\n',
    );
    expect(await errorOf(manifest => ({ ...manifest, migrations: manifest.migrations.slice(1) }))).toBe(
      'The organization was exported by an older version. Update the other bridge, then export.\n',
    );
  });

  it('imports nothing if a part exists already', async () => {
    const clientId = await inTarget(async ({ storage, newId }) => {
      const client_id = `cli-${organizationId}`;
      const application = { id: newId('oauth_application'), organization_id: 'org_other', client_id, name: 'Other' };
      const rest = {
        client_secret_hash: null,
        redirect_uris: '[]',
        is_public: 1,
        is_deleted: 0,
        created_at: 0,
      } as const;
      await storage.writer
        .insertInto('oauth_applications')
        .values({ ...application, ...rest })
        .execute();
      return client_id;
    });
    const file = await rewrite((manifest, work) => {
      const table = join(work, 'tables/oauth_applications.jsonl');
      const [first = ''] = readFileSync(table, 'utf8').split('\n');
      writeFileSync(table, `${JSON.stringify({ ...(JSON.parse(first) as object), client_id: clientId })}\n`);
      return manifest;
    });
    expect((await importing(file)).stderr).toBe(
      `This bridge already has some of the oauth_applications of ${organizationId}.\n`,
    );
    expect(await countRows()).toEqual([0, 0, 0, 1]);
  });

  it('adds no rows to another organization', async () => {
    const file = await rewrite((manifest, work) => {
      const table = join(work, 'tables/members.jsonl');
      writeFileSync(table, readFileSync(table, 'utf8').replace(organizationId, 'org_other'));
      return manifest;
    });
    expect((await importing(file)).stderr).toBe(`The file contains members that do not belong to ${organizationId}.\n`);
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('refuses an archive without its organization, and leaves nothing behind', async () => {
    const empty = await rewrite((manifest, work) => {
      writeFileSync(join(work, 'tables/organizations.jsonl'), '');
      return manifest;
    });
    expect((await importing(empty)).stderr).toBe(
      `The file does not contain the organization ${organizationId}. Export it again.\n`,
    );
    const other = await rewrite(manifest => ({ ...manifest, organization: { id: 'org_x', name: 'x' } }));
    expect((await importing(other)).stderr).toBe('The file contains organizations that do not belong to org_x.\n');
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('refuses an archive that unpacks to far more than its size, and leaves nothing behind', {
    tags: ['slow'],
  }, async () => {
    const bomb = await rewrite((manifest, work) => {
      writeFileSync(join(work, 'tables/members.jsonl'), Buffer.alloc(64 * 2 ** 20));
      return manifest;
    });
    expect(statSync(bomb).size).toBeLessThan(100_000);
    expect((await importing(bomb)).stderr).toMatch(
      /^The file of \d+ bytes unpacks to 67\d+ bytes, more than 200 times/,
    );
    expect(readdirSync(target).filter(name => name.includes('work'))).toEqual([]);
    expect(await countRows()).toEqual([0, 0, 0, 0]);
  });

  it('refuses an archive for which the disk has no room', async () => {
    mkdirSync(target, { mode: 0o700 });
    const services = await openBridgeServices({ dataDir: target });
    try {
      const file = path('hotel.export');
      await expect(
        importOrganization({ services, dataDir: target, file, passphrase, freeBytes: () => 2 ** 26 }),
      ).rejects.toThrow(/has 64 MB free. The file unpacks to 1 MB, and 64 MB must stay free/);
      expect(readdirSync(target).filter(name => name.includes('work'))).toEqual([]);
    } finally {
      await services.close();
    }
  });

  it('uses the accounts that the bridge has, and ends claims of another certificate authority', async () => {
    await inTarget(({ storage, newId }) =>
      storage.writer
        .insertInto('users')
        .values({
          id: newId('user'),
          email: 'admin@example.com',
          name: 'Olivia',
          password_hash: 'unchanged',
          is_deleted: 0,
          created_at: 0,
          verified_at: 0,
        })
        .execute(),
    );
    const file = await rewrite((manifest, work) => {
      const certificate = {
        serial: '01',
        device_id: 'dev_1',
        organization_id: organizationId,
        public_key: '',
        certificate: '',
        hardware_id: 'hw_1',
        claim_ticket_id: null,
        created_at: 0,
        expires_at: 0,
        revoked_at: null,
        down_counter: 0,
      };
      writeFileSync(join(work, 'tables/device_certificates.jsonl'), `${JSON.stringify(certificate)}\n`);
      return { ...manifest, authority_fingerprint: 'AA:BB' };
    });
    const { code, stdout } = await importing(file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Claim 1 controllers and gateways again.')]);
    await inTarget(async ({ storage }) => {
      const users = await storage.reader.selectFrom('users').select(['id', 'email', 'password_hash']).execute();
      const admin = users.filter(({ email }) => email === 'admin@example.com');
      expect(admin).toMatchObject([{ password_hash: 'unchanged' }]);
      const roles = await storage.reader.selectFrom('organization_users').select(['user_id', 'role']).execute();
      expect(roles).toEqual(expect.arrayContaining([{ user_id: admin[0]!.id, role: 'owner' }]));
      const certificates = await storage.reader.selectFrom('device_certificates').select('revoked_at').execute();
      expect(certificates).toEqual([{ revoked_at: expect.any(Number) }]);
    });
  });

  it('keeps client secrets if the bridge has the master keys of the other one', async () => {
    mkdirSync(target, { mode: 0o700 });
    copyFileSync(join(path('source'), 'master-keys.json'), join(target, 'master-keys.json'));
    const { stdout } = await runLintel(
      'organization',
      'import',
      path('hotel.export'),
      '--data',
      target,
      '--json',
      ...secret(),
    );
    expect(JSON.parse(stdout)).toMatchObject({ applications_without_secret: [], has_events: false });
    await inTarget(async ({ storage }) => {
      expect(await storage.reader.selectFrom('events').select('id').execute()).toEqual([]);
    });
  });
});

import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, type TestContext } from 'vitest';
import { blocksOf, pages as allPages, readPage } from '../../docs/markdown.test-support.ts';
import { requirePackage } from '../../support/processes/build-and-unpack-debian-package.ts';
import { type Answer, OperatorMachine, requireMachine } from './machine.ts';

/** What a document promises about a command. */
interface Promised {
  /** What it prints, on either stream. */
  readonly prints?: RegExp;
  /** It runs until Ctrl-C. */
  readonly serves?: true;
  /** What it asks in a terminal. */
  readonly answers?: readonly Answer[];
  /** Runs before it, as root. */
  readonly before?: string;
  /** Default: 0. */
  readonly code?: number;
  /** On a machine with a clone. */
  readonly inClone?: true;
}

type Promises = Readonly<Record<string, Promised>>;

const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';

const isReady = { prints: /"status":"ok"|"ready":true|\{"status"/ };
const isDone: Promised = {};

/** The commands of each page. */
const pages: Readonly<Record<string, Promises>> = {
  'docs/operator/backup.md': {
    'openssl rand -base64 24 | sudo install -m 640 -g lintel-bridge /dev/stdin /etc/lintel/backup-passphrase': isDone,
    'sudo lintel-bridge backup --out /var/backups/lintel.backup --passphrase-file /etc/lintel/backup-passphrase': {
      prints: /written and verified: 1 organization, 1 member of SQLite/,
    },
    'sudo age -d /var/backups/lintel.backup | zstd -d | tar -x': isDone,
    'sudoedit /etc/lintel/bridge.toml': isDone,
    'sudo systemctl restart lintel-bridge': isDone,
    'curl http://127.0.0.1:8080/readyz': isReady,
    'pg_dump --format=custom --no-owner --file=lintel.dump postgres://lintel@db.example.com/lintel': isDone,
    'sudo systemctl stop lintel-bridge': isDone,
    'sudo mv /var/lib/lintel-bridge /var/lib/lintel-bridge-before': isDone,
    'sudo install -d -m 700 -o lintel-bridge -g lintel-bridge /var/lib/lintel-bridge': isDone,
    'sudo lintel-bridge restore /var/backups/lintel.backup --passphrase-file /etc/lintel/backup-passphrase': {
      prints: /1 organization, 1 member restored to \/var\/lib\/lintel-bridge\. Start the bridge\./,
    },
    'sudo systemctl start lintel-bridge': isDone,
    'sudo install -d -m 700 -o lintel-bridge -g lintel-bridge /var/tmp/lintel-practice': isDone,
    'sudo lintel-bridge restore /var/backups/lintel.backup --data /var/tmp/lintel-practice --passphrase-file /etc/lintel/backup-passphrase':
      { prints: /restored to \/var\/tmp\/lintel-practice/ },
    'sudo -u lintel-bridge lintel-bridge bridge --data /var/tmp/lintel-practice --http-port 0 --mqtt-port 0': {
      serves: true,
      prints: /^\{"ready":true,/,
    },
  },
  'docs/operator/tls.md': {
    'sudoedit /etc/lintel/bridge.toml': isDone,
    'sudo systemctl restart lintel-bridge': isDone,
  },
};

const commandsOf = (text: string): string[] =>
  text
    .replaceAll(/ *\\\n\s*/g, ' ')
    .split('\n')
    .map(line => line.replace(/\s+# .*$/, '').trim())
    .filter(line => line !== '');

const folder = mkdtempSync(join(tmpdir(), 'lintel-documents-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

/** The file that the text before the block names, for blocks that are files. */
const hotel = blocksOf(readPage('docs/operator/deploy-the-bridge.md')).find(({ language }) => language === 'json')!;
const cards = blocksOf(readPage('docs/operator/deploy-the-bridge.md')).find(({ language }) => language === 'csv')!;

describe('documents of the operator', { tags: ['slow'] }, () => {
  let machine: OperatorMachine | null = null;
  let ids: Record<string, string> = {};
  let place = '/home/eva';

  afterEach(async () => {
    await machine?.stop();
    machine = null;
    ids = {};
    place = '/home/eva';
  });

  const succeed = async (line: string, promised: Promised = {}, user = 'eva'): Promise<string> => {
    const { answers, inClone } = promised;
    const folder = user === 'root' ? '/' : inClone === true ? '/home/eva/lintel' : place;
    const options = { user, folder, ...(answers && { answers }) };
    const { code, stdout, stderr } = await (promised.serves === true
      ? machine!.serve(line, options)
      : machine!.run(line, options));
    const { code: expected = 0 } = promised;
    expect([line, code, code === expected ? '' : `${stdout}${stderr}`]).toEqual([line, expected, '']);
    const printed = `${stdout.replaceAll('\r', '')}${stderr}`;
    expect([line, printed]).toEqual([line, expect.stringMatching(promised.prints ?? /^/)]);
    expect([line, printed]).toEqual([line, expect.not.stringMatching(/\n +at .*:\d+:\d+/)]);
    return printed;
  };

  const asRoot = (line: string): Promise<string> => succeed(line, {}, 'root');

  const start = async (context: TestContext): Promise<void> => {
    requireMachine(context);
    const { file } = await requirePackage(context, { program: 'bridge', arch });
    // The documents name this one.
    copyFileSync(file, join(folder, basename(file).replace(arch, 'amd64')));
    machine = await OperatorMachine.start(folder);
    await succeed('cp /srv/packages/*.deb .; git clone REPOSITORY lintel');
    const names = "-subj /CN=doors.example.com -addext 'subjectAltName = DNS:doors.example.com'";
    await succeed(
      `openssl req -x509 -nodes -newkey rsa:2048 -keyout privkey.pem -out fullchain.pem -days 30 ${names} 2>&1`,
    );
    await succeed('chmod 600 privkey.pem; echo "a night at the sea" > password.txt');
    await machine.write('/home/eva/hotel.json', hotel.text);
    await machine.write('/home/eva/cards.csv', cards.text);
  };

  /** As after the document about the installation. */
  const installBridge = async (): Promise<void> => {
    await asRoot('apt install /home/eva/lintel-bridge_0.1.0_amd64.deb');
    await asRoot(`sed -i 's|^# public_url|public_url|' /etc/lintel/bridge.toml`);
    const seed = JSON.parse(hotel.text) as object;
    await machine!.write('/root/hotel.json', JSON.stringify({ ...seed, members: [{ key: 'ann', name: 'Ann' }] }));
    const printed = await asRoot('lintel-bridge seed /root/hotel.json --json 2> /dev/null');
    ids = (JSON.parse(printed) as { ids: Record<string, string> }).ids;
    await asRoot('systemctl start lintel-bridge');
  };

  const fillIn = async (line: string): Promise<string> => {
    if (line.includes('ORGANIZATION_ID') && ids['hotel'] === undefined) {
      const { organizations } = JSON.parse(await asRoot('lintel-bridge organization list --json 2> /dev/null')) as {
        organizations: ReadonlyArray<{ readonly id: string; readonly name: string }>;
      };
      ids['hotel'] = organizations.find(({ name }) => name === 'Hotel Sol')!.id;
    }
    return line.replaceAll(/ORGANIZATION_ID|org_…/g, ids['hotel'] ?? '').replaceAll('mem_…', ids['ann'] ?? '');
  };

  const walk = async (page: string): Promise<void> => {
    const promises = pages[page]!;
    const blocks = blocksOf(readPage(page)).filter(({ language }) => language === 'sh' || language === 'toml');
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== 'sh') continue;
      for (const line of commandsOf(text)) {
        const promised = promises[line];
        if (promised === undefined) throw new Error(`${page} shows a command that no test runs: ${line}`);
        if (promised.before !== undefined) await asRoot(promised.before);
        if (line.startsWith('sudoedit ')) await machine!.write('/run/typed', blocks[index + 1]!.text);
        await succeed(await fillIn(line), promised);
        if (line.startsWith('cd ')) place = `${place}/${line.slice(3)}`;
        if (line.endsWith('--lan')) place = '/home/eva';
      }
    }
  };

  it.for(Object.keys(pages))('%s does what it says', async (page, context) => {
    await start(context);
    await installBridge();
    await walk(page);
  });

  it('lets root and the service use the data, and tells others who may', async context => {
    await start(context);
    await installBridge();
    for (const command of ['user list', 'organization list', 'keys list', 'clock show', 'bridge --check']) {
      const line = `lintel-bridge ${command}`;
      await succeed(line, {}, 'root');
      await succeed(`sudo -u lintel-bridge ${line}`);
      const { code, stdout, stderr } = await machine!.run(line);
      expect([line, code, stdout]).toEqual([line, 1, '']);
      expect(stderr).toMatch(/^\S+: permission denied.* sudo.*\n$/);
    }
  });
});

/** Pages whose commands do not run on this machine, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/operator/data.md': 'organizations are moved and deleted in test/operate, members erased in test/cli',
  'docs/operator/deploy-the-bridge.md': 'test/docs/documented-commands-succeed.test.ts runs a part of its commands',
  'docs/operator/gateway.md': 'needs a claim code of a running bridge. Its commands: test/gateway, test/cli',
  'docs/operator/runbook.md': 'one request to the administration API: test/api/admin',
  'docs/operator/updates.md':
    'needs a controller that is switched by its launcher: test/updates, test/cli/update.test.ts',
};

const operatorPages = allPages.filter(page => page.startsWith('docs/operator/'));

describe('pages of the operator', () => {
  const shown = (page: string): string[] =>
    blocksOf(readPage(page))
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text }) => commandsOf(text));

  it('run their commands here, or the reason is known', () => {
    const shell = operatorPages.filter(page => shown(page).length > 0);
    expect(new Set(shell)).toEqual(new Set([...Object.keys(pages), ...Object.keys(elsewhere)]));
  });

  it.each(Object.entries(pages))('%s shows the commands that the test runs', (page, promises) => {
    expect(new Set(shown(page))).toEqual(new Set(Object.keys(promises)));
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openServices } from '@lintel/cloud-bridge/main';
import { seed } from '@lintel/cloud-bridge/seeding/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seeding/seed-file';
import { adminLogin, demoHotel, tryThis } from './demo-hotel.ts';

const home = join(import.meta.dirname, '../..');
const kept = join(home, '.lintel');
const lintel = join(home, 'lintel.ts');

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const outcome = new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false));
    server.once('listening', () => resolve(true));
  });
  server.listen(port, '127.0.0.1');
  const free = await outcome;
  if (free) {
    server.close();
    await once(server, 'close');
  }
  return free;
};

/** The usual port, or any free one, and then it is said. */
const portLike = async (usual: number, what: string): Promise<number> => {
  if (await isFree(usual)) return usual;
  process.stdout.write(`Port ${usual} is taken: ${what} gets a free one.\n`);
  return 0;
};

/** Kept from start to start: the same hotel again makes nothing twice. */
const plant = async (dataDir: string): Promise<Readonly<Record<string, string>>> => {
  const hotel = parseSeedFile(demoHotel(Date.now()));
  if (!hotel.ok) throw new Error(JSON.stringify(hotel.problems));
  const services = await openServices({ dataDir });
  try {
    return (await seed(services, hotel.value)).ids;
  } finally {
    await services.close();
  }
};

interface Ready {
  readonly http: string;
  readonly mqtt: string;
}

const readyLine = async (child: ChildProcess): Promise<Ready> => {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line) as Ready;
  throw new Error('the bridge ended before it was ready');
};

const welcome = ({ http, mqtt }: Ready, ids: Readonly<Record<string, string>>): string => `
Lintel is running.

  API             ${http}/v2      documentation ${http}/docs
  MQTT            ${mqtt}
  Administrator   ${adminLogin.email}, password ${adminLogin.password}
  Application     client id demo-pms, secret demo-pms-secret

  A guest's PIN   ${tryThis.pin} (front door and room 101)
  A card          ${tryThis.card} (manager, every door)

Ask it something, in another terminal:

  TOKEN=$(npx lintel token --data .lintel/bridge --organization ${ids['hotel']} --scope full_read_write)
  curl -H "Authorization: Bearer $TOKEN" "${http}/v2/members?expand=pins,group_associations.member_group"
  curl -H "Authorization: Bearer $TOKEN" -X POST ${http}/v2/gadgets/${ids['front-door']}/actions/open

Everything is kept in .lintel/ for the next start; \`npm start -- --fresh\` begins anew. Ctrl-C stops.
`;

const { values } = parseArgs({ options: { fresh: { type: 'boolean' } } });
if (values.fresh === true) rmSync(kept, { recursive: true, force: true });
const dataDir = join(kept, 'bridge');
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const ids = await plant(dataDir);
const ports = { http: await portLike(8080, 'the API'), mqtt: await portLike(1883, 'MQTT') };
const args = ['--data', dataDir, '--http-port', String(ports.http), '--mqtt-port', String(ports.mqtt)];
const bridge = spawn(process.execPath, [lintel, 'bridge', ...args, '--log-level', 'warn'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => bridge.kill('SIGTERM'));
process.stdout.write(welcome(await readyLine(bridge), ids));
const [code] = (await once(bridge, 'exit')) as [number | null];
process.exitCode = code ?? 1;

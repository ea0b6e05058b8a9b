import { UsageError } from '@lintel/device-link/command-line/command';
import { parseCall } from '@lintel/device-link/command-line/options';
import { openServices } from '../main.ts';
import { rotateMasterKey, sealedUnder } from '../resources/key-rotation.ts';
import type { Services } from '../services.ts';
import { bridgeCommand, folderOfBridge } from './options.ts';

const usage = `lintel keys list|rotate|forget VERSION --data DIR [--database URL] [--json]

The master keys seal PINs, magic links and webhook secrets. They are in DIR/master-keys.json, outside the database.

  list      the versions, the current one, and how much is sealed under each
  rotate    make a new key and seal everything anew under it; works beside a running bridge
  forget    drop an old key that nothing is sealed under any more

With several bridges on one database, copy master-keys.json to all of them right after a rotation.
`;

const say = (json: boolean, document: object, text: string): number => {
  process.stdout.write(`${json ? JSON.stringify(document) : text}\n`);
  return 0;
};

const list = async (services: Services, json: boolean): Promise<number> => {
  const { masterKeys } = services;
  const versions = [];
  for (const version of masterKeys.versions) versions.push({ version, sealed: await sealedUnder(services, version) });
  const lines = versions.map(({ version, sealed }) => {
    const mark = version === masterKeys.currentVersion ? ' (current)' : '';
    return `key ${version}${mark}: ${sealed} sealed`;
  });
  return say(json, { current: masterKeys.currentVersion, versions }, lines.join('\n'));
};

const rotate = async (services: Services, json: boolean): Promise<number> => {
  const rotation = await rotateMasterKey(services, (done, of) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} organizations`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  const { version, organizations, secrets } = rotation;
  return say(
    json,
    rotation,
    `key ${version} is current: ${secrets} secrets of ${organizations} organizations sealed anew`,
  );
};

const forget = async (services: Services, version: number, json: boolean): Promise<number> => {
  if (!services.masterKeys.versions.includes(version)) throw new UsageError(`there is no key ${version}`);
  const needed = await sealedUnder(services, version);
  if (needed > 0 || version === services.masterKeys.currentVersion) {
    process.stderr.write(`key ${version} is still needed: ${needed} sealed under it\n`);
    return 1;
  }
  services.masterKeys.removeVersion(version);
  return say(json, { forgotten: version }, `key ${version} is forgotten`);
};

const options = { data: { type: 'string' }, database: { type: 'string' }, json: { type: 'boolean' } } as const;

export const command = bridgeCommand(usage, async args => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [verb, version] = positionals;
  if (verb !== 'list' && verb !== 'rotate' && verb !== 'forget') throw new UsageError('list, rotate or forget?');
  if (verb === 'forget' && !/^\d+$/.test(version ?? '')) throw new UsageError('which version is to be forgotten?');
  const services = await openServices({
    dataDir: folderOfBridge(values.data, values.database),
    database: values.database,
  });
  const json = values.json === true;
  try {
    if (verb === 'list') return await list(services, json);
    return verb === 'rotate' ? await rotate(services, json) : await forget(services, Number(version), json);
  } finally {
    await services.close();
  }
});

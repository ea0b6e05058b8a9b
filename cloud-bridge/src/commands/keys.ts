import { type CommandStreams, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
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

interface Call {
  readonly services: Services;
  readonly streams: CommandStreams;
  readonly isJson: boolean;
}

const say = ({ streams, isJson }: Call, document: object, text: string): number => {
  streams.stdout.write(`${isJson ? JSON.stringify(document) : text}\n`);
  return 0;
};

const list = async (call: Call): Promise<number> => {
  const { services } = call;
  const { masterKeys } = services;
  const versions = [];
  for (const version of masterKeys.versions) versions.push({ version, sealed: await sealedUnder(services, version) });
  const lines = versions.map(({ version, sealed }) => {
    const mark = version === masterKeys.currentVersion ? ' (current)' : '';
    return `key ${version}${mark}: ${sealed} sealed`;
  });
  return say(call, { current: masterKeys.currentVersion, versions }, lines.join('\n'));
};

const rotate = async (call: Call): Promise<number> => {
  const { stderr } = call.streams;
  const rotation = await rotateMasterKey(call.services, (done, of) => {
    if (stderr.isTTY === true) stderr.write(`\r${done} of ${of} organizations`);
  });
  if (stderr.isTTY === true) stderr.write('\n');
  const { version, organizations, secrets } = rotation;
  return say(
    call,
    rotation,
    `key ${version} is current: ${secrets} secrets of ${organizations} organizations sealed anew`,
  );
};

const forget = async (call: Call, version: number): Promise<number> => {
  const { services } = call;
  if (!services.masterKeys.versions.includes(version)) throw new UsageError(`there is no key ${version}`);
  const needed = await sealedUnder(services, version);
  if (needed > 0 || version === services.masterKeys.currentVersion) {
    call.streams.stderr.write(`key ${version} is still needed: ${needed} sealed under it\n`);
    return 1;
  }
  services.masterKeys.removeVersion(version);
  return say(call, { forgotten: version }, `key ${version} is forgotten`);
};

const options = { data: { type: 'string' }, database: { type: 'string' }, json: { type: 'boolean' } } as const;

export const command = bridgeCommand(usage, async (args, streams) => {
  const { values, positionals } = parseCall({ args, options, allowPositionals: true });
  const [verb, version] = positionals;
  if (verb !== 'list' && verb !== 'rotate' && verb !== 'forget') throw new UsageError('list, rotate or forget?');
  if (verb === 'forget' && !/^\d+$/.test(version ?? '')) throw new UsageError('which version is to be forgotten?');
  const services = await openServices({
    dataDir: folderOfBridge(values.data, values.database),
    database: values.database,
  });
  const call = { services, streams, isJson: values.json === true };
  try {
    if (verb === 'list') return await list(call);
    return verb === 'rotate' ? await rotate(call) : await forget(call, Number(version));
  } finally {
    await services.close();
  }
});

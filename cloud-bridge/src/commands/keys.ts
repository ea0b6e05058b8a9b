import { type CommandStreams, UsageError } from '@lintel/service/command-line/cli-command';
import { parseCommandArguments } from '@lintel/service/command-line/options';
import { openBridgeServices } from '../main.ts';
import { rotateMasterKey, countSecretsUnderKey } from '../resources/key-rotation.ts';
import type { BridgeServices } from '../services.ts';
import { bridgeCommand, requireBridgeFolder } from './bridge-command.ts';

const usage = `lintel keys list|rotate|forget VERSION --data DIR [--database URL] [--json]

Manages the master keys, which seal PINs, magic links and webhook secrets. They are stored in DIR/master-keys.json, not
in the database.

  list      list the key versions, and how many secrets each one seals
  rotate    create a new key and re-seal all secrets with it; also while the bridge is running
  forget    delete an old key that no longer seals any secret

If several bridges share one database, copy master-keys.json to all of them right after a rotation.
`;

interface CommandCall {
  readonly services: BridgeServices;
  readonly streams: CommandStreams;
  readonly isJson: boolean;
}

const writeResult = ({ streams, isJson }: CommandCall, document: object, text: string): number => {
  streams.stdout.write(`${isJson ? JSON.stringify(document) : text}\n`);
  return 0;
};

const list = async (call: CommandCall): Promise<number> => {
  const { services } = call;
  const { masterKeys } = services;
  const versions = [];
  for (const version of masterKeys.versions)
    versions.push({ version, sealed: await countSecretsUnderKey(services, version) });
  const lines = versions.map(({ version, sealed }) => {
    const mark = version === masterKeys.currentVersion ? ' (current)' : '';
    return `Key ${version}${mark}: ${sealed} secrets`;
  });
  return writeResult(call, { current: masterKeys.currentVersion, versions }, lines.join('\n'));
};

const rotate = async (call: CommandCall): Promise<number> => {
  const { stderr } = call.streams;
  const rotation = await rotateMasterKey(call.services, (done, of) => {
    if (stderr.isTTY === true) stderr.write(`\r${done} of ${of} organizations`);
  });
  if (stderr.isTTY === true) stderr.write('\n');
  const { version, organizations, secrets } = rotation;
  return writeResult(
    call,
    rotation,
    `Key ${version} is now current. Re-sealed ${secrets} secrets of ${organizations} organizations`,
  );
};

const forget = async (call: CommandCall, version: number): Promise<number> => {
  const { services } = call;
  if (!services.masterKeys.versions.includes(version)) throw new UsageError(`Unknown key version: ${version}`);
  const needed = await countSecretsUnderKey(services, version);
  if (needed > 0 || version === services.masterKeys.currentVersion) {
    call.streams.stderr.write(`Key ${version} is still in use: it seals ${needed} secrets\n`);
    return 1;
  }
  services.masterKeys.removeVersion(version);
  return writeResult(call, { forgotten: version }, `Key ${version} deleted`);
};

const options = { data: { type: 'string' }, database: { type: 'string' }, json: { type: 'boolean' } } as const;

export const command = bridgeCommand(usage, async (args, streams) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  const [verb, version] = positionals;
  if (verb !== 'list' && verb !== 'rotate' && verb !== 'forget') throw new UsageError('Specify list, rotate or forget');
  if (verb === 'forget' && !/^\d+$/.test(version ?? ''))
    throw new UsageError('Specify the version of the key to forget');
  const services = await openBridgeServices({
    dataDir: requireBridgeFolder(values.data, values.database),
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

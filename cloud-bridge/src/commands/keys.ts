import { type CommandStreams, UsageError } from '@lintel/service/command-line/cli-command';
import { rejectExtraArguments } from '@lintel/service/command-line/command-arguments';
import { openKeyFilesAndCollectProblems, resetLostKeys } from '../key-material/reset-lost-keys.ts';
import { openBridgeServices, openKeyResetDependencies } from '../open-services.ts';
import { rotateMasterKey, countSecretsUnderKey } from '../resources/master-key-rotation.ts';
import { deleteMasterKeyCheckValue } from '../secrets/key-check-values.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { parseBridgeCommand, withBridgeData } from './bridge-location.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { BridgeCommandError } from './bridge-command-error.ts';

const usage = `lintel keys list|rotate|forget VERSION|reset --data DIR [--database URL] [--json]

Manages the master keys, which seal PINs, magic links and webhook secrets. They are stored in DIR/master-keys.json, not
in the database.

  list      list the key versions, and how many secrets each one seals
  rotate    create a new key and re-seal all secrets with it; also while the bridge is running
  forget    delete an old key that no longer seals any secret
  reset     if master-keys.json, ca.pem or ca-key.pem is lost: replace it, and delete what depends on it. Stop the
            bridge first. Without master-keys.json, all PINs, magic links, webhooks and client secrets of applications
            are deleted; without either file, every controller and gateway must be claimed again. Members, cards, groups
            and permissions stay. Requires --confirm

Several bridges with one database use --cluster-secret-file, which gives each the current keys. A bridge without it
needs a copy of master-keys.json right after a rotation. To change the cluster secret, stop the bridges and run reset
with the new file: the keys of DIR are sealed by it.
`;

interface Output {
  readonly streams: CommandStreams;
  readonly isJson: boolean;
}

interface CommandCall extends Output {
  readonly services: BridgeServices;
}

const writeResult = ({ streams, isJson }: Output, document: object, text: string): number => {
  streams.stdout.write(`${isJson ? JSON.stringify(document) : text}\n`);
  return 0;
};

const formatSecrets = (count: number): string => `${count} ${count === 1 ? 'secret' : 'secrets'}`;

const list = async (call: CommandCall): Promise<number> => {
  const { services } = call;
  const { masterKeys } = services;
  const versions = [];
  for (const version of masterKeys.versions)
    versions.push({ version, sealed: await countSecretsUnderKey(services, version) });
  const lines = versions.map(({ version, sealed }) => {
    const mark = version === masterKeys.currentVersion ? ' (current)' : '';
    return `Key ${version}${mark}: ${formatSecrets(sealed)}`;
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
    `Key ${version} is now current. Re-sealed ${formatSecrets(secrets)} of ${organizations} ${organizations === 1 ? 'organization' : 'organizations'}`,
  );
};

const forget = async (call: CommandCall, version: number): Promise<number> => {
  const { services } = call;
  if (!services.masterKeys.versions.includes(version))
    throw new BridgeCommandError(`Unknown key version: ${version}. See lintel keys list`);
  const needed = await countSecretsUnderKey(services, version);
  if (needed > 0 || version === services.masterKeys.currentVersion) {
    call.streams.stderr.write(`Key ${version} is still in use: it seals ${formatSecrets(needed)}\n`);
    return 1;
  }
  await deleteMasterKeyCheckValue(services.storage.writer, version);
  services.masterKeys.removeVersion(version);
  await services.publishKeys();
  return writeResult(call, { forgotten: version }, `Key ${version} deleted`);
};

const reset = async (
  output: Output,
  location: Parameters<typeof openKeyResetDependencies>[0],
  isConfirmed: boolean,
): Promise<number> => {
  const opened = await openKeyResetDependencies(location);
  try {
    const problems = await openKeyFilesAndCollectProblems(opened);
    const found = [problems.sharedKeys, problems.masterKeys, problems.authority].filter(problem => problem !== null);
    if (found.length === 0)
      return writeResult(output, { reset: [] }, 'The keys belong to the database. Nothing to reset');
    if (!isConfirmed) {
      output.streams.stderr.write(`${found.join('\n')}\nNothing was changed. Add --confirm to reset the keys\n`);
      return 1;
    }
    await resetLostKeys(opened, problems);
    const names = [
      ...(problems.sharedKeys === null ? [] : ['cluster_secret']),
      ...(problems.masterKeys === null ? [] : ['master_keys']),
      ...(problems.authority === null ? [] : ['certificate_authority']),
    ];
    const isReplaced = problems.masterKeys !== null || problems.authority !== null;
    const text = isReplaced
      ? 'Keys replaced. Claim every controller and gateway again'
      : 'Keys sealed by the new secret';
    return writeResult(output, { reset: names }, text);
  } finally {
    await opened.storage.close();
  }
};

const verbs = ['list', 'rotate', 'forget', 'reset'];

const options = {
  confirm: { type: 'boolean' },
} as const;

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, positionals, locate } = parseBridgeCommand(args, options);
  const [verb = '', version] = positionals;
  if (!verbs.includes(verb)) throw new UsageError('Specify list, rotate, forget or reset');
  if (verb === 'forget' && !/^\d+$/.test(version ?? ''))
    throw new UsageError('Specify the version of the key to forget');
  rejectExtraArguments(positionals, verb === 'forget' ? 2 : 1);
  const location = locate(streams);
  const output = { streams, isJson: values.json === true };
  return withBridgeData(location, 'existing', async () => {
    if (verb === 'reset') return reset(output, location, values.confirm === true);
    const services = await openBridgeServices(location);
    const call = { ...output, services };
    try {
      if (verb === 'list') return await list(call);
      return verb === 'rotate' ? await rotate(call) : await forget(call, Number(version));
    } finally {
      await services.close();
    }
  });
});

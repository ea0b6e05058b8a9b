import type { CommandStreams } from '@lintel/service/command-line/cli-command';
import { requireOption } from '@lintel/service/command-line/command-arguments';
import { Prompt } from '@lintel/service/command-line/prompt';
import { createNotFoundError } from '../http/api-error.ts';
import { deleteOrganization } from '../organization-deletion/delete-organization.ts';
import { countClaimedDevices } from '../resources/device-certificates.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { ReleaseStore } from '../updates/release-store.ts';
import { SharedReleaseFiles } from '../updates/shared-release-files.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import type { OperatorSubcommand } from './define-operator-command.ts';

const findName = async ({ storage }: BridgeServices, id: string): Promise<string> => {
  const row = await storage.reader.selectFrom('organizations').select('name').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw createNotFoundError('organization', id);
  return row.name;
};

const confirmByName = async (streams: CommandStreams, name: string): Promise<void> => {
  if (streams.stdin.isTTY !== true)
    throw new BridgeCommandError(`This deletes ${name} with all its data. Nothing was changed. Add --yes to delete it`);
  const prompt = new Prompt(streams);
  try {
    streams.stderr.write(`This deletes ${name} with all its data. It cannot be undone.\n`);
    await prompt.ask('Name of the organization', '', answer =>
      answer === name ? null : `Enter ${name}, or stop with Ctrl-C.`,
    );
  } finally {
    prompt.close();
  }
};

const refuseClaimedDevices = async ({ storage }: BridgeServices, id: string): Promise<void> => {
  const claimed = await countClaimedDevices(storage.reader, id);
  if (claimed === 0) return;
  throw new BridgeCommandError(
    `${claimed} controllers and gateways are claimed. Their doors keep opening with the access data that they have. ` +
      'Delete the devices first while they are online, or add --force',
  );
};

export const deleteOrganizationSubcommand: OperatorSubcommand = {
  options: ['yes', 'force'],
  run: async ({ services, values, argument, dataDir, streams, print }) => {
    const id = requireOption(argument, 'ID');
    const { storage, clock } = services;
    const name = await findName(services, id);
    if (values.force !== true) await refuseClaimedDevices(services, id);
    if (values.yes !== true) await confirmByName(streams, name);
    const shared = storage.engine === 'postgres' ? new SharedReleaseFiles(storage, clock) : null;
    const rows = await deleteOrganization(services, new ReleaseStore(dataDir, undefined, { clock, shared }), id);
    print({ organization_id: id, name, rows }, `${name} (${id}) deleted: ${rows} rows`);
  },
};

import { readFileSync } from 'node:fs';
import type { CommandWriter } from '@lintel/service/command-line/cli-command';
import { rejectExtraArguments, requireOption } from '@lintel/service/command-line/command-arguments';
import { describeJsonFileError } from '@lintel/service/command-line/describe-system-error';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { rejectForeignDataFolder } from '@lintel/service/data-folder/data-folder';
import { ApiError } from '../http/api-error.ts';
import { openBridgeServices } from '../open-services.ts';
import { seedOrganization } from '../seed/seed.ts';
import { parseSeedFile } from '../seed/seed-file.ts';
import { parseBridgeCommand, withBridgeData } from './bridge-location.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { BridgeCommandError } from './bridge-command-error.ts';

const usage = `lintel seed FILE --data DIR [--database URL] [--json]

Creates the objects in FILE: an organization with users, applications, sites, devices, gadgets, schedules, groups, members
with their credentials, triggers and tags. Objects refer to one another by key. Objects that already exist are not
changed. If one object is invalid, none is created. Works while the bridge is running.

  --json    print one JSON document: {"ids": {key: id}, "secrets": {key: {…}}}; secrets only of new objects

  npx lintel seed hotel.json --data .lintel/bridge
`;

const readFile = (file: string): unknown => {
  try {
    return JSON.parse(asCaller(() => readFileSync(file, 'utf8')));
  } catch (error) {
    // Not the cause, whose message has an excerpt of the file.
    throw new BridgeCommandError(describeJsonFileError(error, file));
  }
};

const writeProblem = (stderr: CommandWriter, file: string, place: string, message: string): number => {
  stderr.write(`${file}: ${message.startsWith(place) ? '' : `${place}: `}${message}\n`);
  return 1;
};

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, positionals, locate } = parseBridgeCommand(args, {});
  rejectExtraArguments(positionals, 1);
  const file = requireOption(positionals[0], 'FILE');
  const location = locate(streams);
  rejectForeignDataFolder(location.dataDir, 'bridge');
  const { stdout, stderr } = streams;
  const parsed = parseSeedFile(readFile(file));
  if (!parsed.ok) {
    for (const { path, message } of parsed.problems) writeProblem(stderr, file, path, message);
    return 1;
  }
  return withBridgeData(location, 'new', async () => {
    const services = await openBridgeServices(location);
    const seedWithProgress = async () => {
      using progress = openProgressLine({ stderr, isQuiet: values.json === true });
      return await seedOrganization(services, parsed.value, progress.report);
    };
    try {
      const seeded = await seedWithProgress();
      if (values.json === true) stdout.write(`${JSON.stringify(seeded)}\n`);
      else {
        for (const [key, id] of Object.entries(seeded.ids)) stdout.write(`${key}\t${id}\n`);
        for (const [key, secrets] of Object.entries(seeded.secrets)) {
          for (const [name, value] of Object.entries(secrets)) stdout.write(`${key}.${name}\t${value}\n`);
        }
      }
      return 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return writeProblem(stderr, file, error.args['field'] ?? 'file', error.message);
    } finally {
      await services.close();
    }
  });
});

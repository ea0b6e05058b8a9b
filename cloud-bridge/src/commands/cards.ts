import { readFileSync } from 'node:fs';
import { requireOption } from '@lintel/service/command-line/command-arguments';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { importStockCards } from '../resources/card-stock.ts';
import { parseValidCardStockCsv } from '../resources/card-stock-csv.ts';
import { requireOrganizationExists } from '../resources/organization.ts';
import { systemActor } from '../transactions/actor.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import { type OperatorCall, defineOperatorCommand } from './define-operator-command.ts';

const usage = `lintel cards import FILE.csv --organization ID --data DIR [--database URL] [--json]

Adds delivered cards to the stock of an organization, which can then assign them by their printed code. Works while the
bridge is running or stopped. Cards that are already known are skipped.

  FILE.csv                columns printed_code, uid and, optionally, name; the first line names them
  --organization ID       the organization that received the cards

  npx lintel cards import cards.csv --organization ORGANIZATION_ID --data .lintel/bridge
`;

const readCsv = (file: string): string => {
  try {
    return asCaller(() => readFileSync(file, 'utf8'));
  } catch (error) {
    throw new BridgeCommandError(describeSystemError(error, file), { cause: error });
  }
};

const importCards = async ({ services, values, argument, streams, print }: OperatorCall): Promise<void> => {
  const cards = parseValidCardStockCsv(readCsv(requireOption(argument, 'FILE.csv')));
  const id = requireOption(values.organization, 'organization');
  await requireOrganizationExists(services.storage.reader, id);
  const importWithProgress = async () => {
    using progress = openProgressLine({ stderr: streams.stderr, isQuiet: values.json === true });
    return await services.writer.write(id, systemActor, context => importStockCards(context, cards, progress.report));
  };
  const { imported, known } = await importWithProgress();
  print({ organization_id: id, imported, known }, `${imported} cards imported, ${known} already known`);
};

export const command = defineOperatorCommand(usage, { import: { options: ['organization'], run: importCards } });

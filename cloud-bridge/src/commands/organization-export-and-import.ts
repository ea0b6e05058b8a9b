import { requireOption } from '@lintel/service/command-line/command-arguments';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { exportOrganization } from '../organization-transfer/export-organization.ts';
import { type OrganizationImportResult, importOrganization } from '../organization-transfer/import-organization.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import type { OperatorSubcommand } from './define-operator-command.ts';
import { readExistingPassphrase, readNewPassphrase } from './read-passphrase.ts';

const describingSystemErrors = async <T>(work: Promise<T>, file: string): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new BridgeCommandError(describeSystemError(error, file), { cause: error });
  }
};

export const exportOrganizationSubcommand: OperatorSubcommand = {
  options: ['out', 'passphrase-file', 'with-events'],
  run: async ({ services, values, argument, dataDir, streams, print }) => {
    const organizationId = requireOption(argument, 'ID');
    const out = requireOption(values.out, 'out');
    const hasEvents = values['with-events'] === true;
    const passphrase = await readNewPassphrase(values, streams);
    const exporting = async () => {
      using progress = openProgressLine({ stderr: streams.stderr, isQuiet: values.json === true });
      const { report } = progress;
      return await exportOrganization({ services, dataDir, organizationId, out, hasEvents, passphrase, report });
    };
    const { size, rows, manifest } = await describingSystemErrors(exporting(), out);
    print(
      { file: out, size, rows, organization_id: organizationId, has_events: hasEvents },
      `${out} written and verified: ${manifest.organization.name}, ${rows} rows, ${(size / 1e6).toFixed(1)} MB`,
    );
  },
};

const nextSteps = ({
  claimedDevices,
  areClaimsKept,
  applicationsWithoutSecret,
  unknownApplicationIds,
}: OrganizationImportResult): string[] => [
  ...(claimedDevices === 0 || areClaimsKept
    ? []
    : [`This bridge has another certificate authority. Claim ${claimedDevices} controllers and gateways again.`]),
  ...applicationsWithoutSecret.map(({ id, name }) => `Create a new client secret for the application ${name} (${id}).`),
  ...unknownApplicationIds.map(id => `This bridge does not have the application ${id}. Its webhooks were left out.`),
];

export const importOrganizationSubcommand: OperatorSubcommand = {
  options: ['passphrase-file'],
  mayCreateFolder: true,
  run: async ({ services, values, argument, dataDir, streams, print }) => {
    const file = requireOption(argument, 'FILE');
    const passphrase = await readExistingPassphrase(values, streams);
    const importing = async () => {
      using progress = openProgressLine({ stderr: streams.stderr, isQuiet: values.json === true });
      return await importOrganization({ services, dataDir, file, passphrase, report: progress.report });
    };
    const imported = await describingSystemErrors(importing(), file);
    const { manifest, rows, reusedUsers, claimedDevices, areClaimsKept } = imported;
    const { id, name } = manifest.organization;
    print(
      {
        organization_id: id,
        rows,
        has_events: manifest.has_events,
        reused_users: reusedUsers,
        claimed_devices: claimedDevices,
        claims_kept: areClaimsKept,
        applications_without_secret: imported.applicationsWithoutSecret.map(application => application.id),
        unknown_applications: imported.unknownApplicationIds,
      },
      [`${name} (${id}) imported: ${rows} rows`, ...nextSteps(imported)].join('\n'),
    );
  },
};

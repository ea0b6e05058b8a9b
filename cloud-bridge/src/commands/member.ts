import { requireOption } from '@lintel/service/command-line/command-arguments';
import { requireOrganizationExists } from '../resources/organization.ts';
import { eraseMember } from '../personal-data/erase-member.ts';
import { exportMember } from '../personal-data/export-member.ts';
import { systemActor } from '../transactions/actor.ts';
import { type OperatorCall, defineOperatorCommand } from './define-operator-command.ts';

const usage = `lintel member export|erase ID --organization ID --data DIR [--database URL] [--json]

Answers requests of people about their data. Works while the bridge is running or stopped.

  export ID   print all data about the member as JSON: profile, credentials without secrets, groups, events, deliveries
  erase ID    delete the member and erase name, credentials, cards and other personal data. Events stay without them.
              This cannot be undone

  npx lintel member export mem_… --organization org_… --data .lintel/bridge
`;

const targetOf = async ({ services, values, argument }: OperatorCall) => {
  const memberId = requireOption(argument, 'ID');
  const organizationId = requireOption(values.organization, 'organization');
  await requireOrganizationExists(services.storage.reader, organizationId);
  return { memberId, organizationId };
};

const exportVerb = async (call: OperatorCall): Promise<void> => {
  const { memberId, organizationId } = await targetOf(call);
  const data = await exportMember(call.services, organizationId, memberId);
  call.print(data, JSON.stringify(data, null, 2));
};

const erase = async (call: OperatorCall): Promise<void> => {
  const { memberId, organizationId } = await targetOf(call);
  await eraseMember(call.services.writer, organizationId, systemActor, memberId);
  call.print({ member_id: memberId, is_erased: true }, `Erased ${memberId}`);
};

export const command = defineOperatorCommand(usage, {
  export: { options: ['organization'], run: exportVerb },
  erase: { options: ['organization'], run: erase },
});

import { UsageError } from '@lintel/service/command-line/cli-command';
import { requireOption } from '@lintel/service/command-line/command-arguments';
import { UnknownOrganizationOrApplicationError, issueScriptTokens } from '../accounts/issue-cli-oauth-tokens.ts';
import { openBridgeServices } from '../open-services.ts';
import { parseBridgeCommand, withBridgeData } from './bridge-location.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { BridgeCommandError } from './bridge-command-error.ts';

const usage = `lintel token --data DIR [--database URL] --organization ID --scope SCOPES [--application ID] [--json]

Issues tokens for a script. Works while the bridge is running or stopped.

  --scope         full_read_write or full_read_only; add "offline" for a refresh token
  --application   OAuth application that the tokens belong to (default: the built-in application "cli")

  TOKEN=$(npx lintel token --data DIR --organization org_… --scope full_read_only)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/v2/members
`;

const scopes = new Set(['full_read_write', 'full_read_only', 'offline']);

const parseScope = (text: string): string => {
  const requested = [...new Set(text.split(/\s+/).filter(scope => scope !== ''))];
  const unknown = requested.filter(scope => !scopes.has(scope));
  if (unknown.length > 0) throw new UsageError(`Unknown scope: ${unknown.join(' ')}. Use ${[...scopes].join(', ')}`);
  if (!requested.some(scope => scope !== 'offline'))
    throw new UsageError('--scope must contain full_read_write or full_read_only');
  return requested.join(' ');
};

const options = {
  organization: { type: 'string' },
  scope: { type: 'string' },
  application: { type: 'string' },
} as const;

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, locate } = parseBridgeCommand(args, options);
  const organizationId = requireOption(values.organization, 'organization');
  const scope = parseScope(requireOption(values.scope, 'scope'));
  const location = locate(streams);
  return withBridgeData(location, 'existing', async () => {
    const services = await openBridgeServices(location);
    try {
      const tokens = await issueScriptTokens(services, { organizationId, scope, applicationId: values.application });
      streams.stdout.write(`${values.json === true ? JSON.stringify(tokens) : tokens.access_token}\n`);
      return 0;
    } catch (error) {
      throw error instanceof UnknownOrganizationOrApplicationError ? new BridgeCommandError(error.message) : error;
    } finally {
      await services.close();
    }
  });
});

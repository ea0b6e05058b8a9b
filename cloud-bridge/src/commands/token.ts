import { UsageError } from '@lintel/service/command-line/command';
import { parseCall, required } from '@lintel/service/command-line/options';
import { NoSuchGrant, scriptTokens } from '../accounts/script-tokens.ts';
import { openServices } from '../main.ts';
import { bridgeCommand, folderOfBridge } from './options.ts';

const usage = `lintel token --data DIR [--database URL] --organization ID --scope SCOPES [--application ID] [--json]

Mints tokens for a script, beside a running bridge or without one.

  --scope         full_read_write or full_read_only; add "offline" for a refresh token
  --application   on behalf of this OAuth application; without it the organization's built-in "cli"

  TOKEN=$(npx lintel token --data DIR --organization org_… --scope full_read_only)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/v2/members
`;

const scopes = new Set(['full_read_write', 'full_read_only', 'offline']);

const checkedScope = (text: string): string => {
  const wanted = [...new Set(text.split(/\s+/).filter(scope => scope !== ''))];
  const unknown = wanted.filter(scope => !scopes.has(scope));
  if (unknown.length > 0)
    throw new UsageError(`unknown scope: ${unknown.join(' ')}; there are ${[...scopes].join(' ')}`);
  if (!wanted.some(scope => scope !== 'offline'))
    throw new UsageError('--scope needs full_read_write or full_read_only');
  return wanted.join(' ');
};

const options = {
  data: { type: 'string' },
  database: { type: 'string' },
  organization: { type: 'string' },
  scope: { type: 'string' },
  application: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const command = bridgeCommand(usage, async (args, { stdout }) => {
  const { values } = parseCall({ args, options, allowPositionals: true });
  const organizationId = required(values.organization, 'organization');
  const scope = checkedScope(required(values.scope, 'scope'));
  const services = await openServices({
    dataDir: folderOfBridge(values.data, values.database),
    database: values.database,
  });
  try {
    const tokens = await scriptTokens(services, { organizationId, scope, applicationId: values.application });
    stdout.write(`${values.json === true ? JSON.stringify(tokens) : tokens.access_token}\n`);
    return 0;
  } catch (error) {
    throw error instanceof NoSuchGrant ? new UsageError(error.message) : error;
  } finally {
    await services.close();
  }
});

import { randomUUID } from 'node:crypto';
import { cliApplication } from '../accounts/applications.ts';
import { issueTokens } from '../accounts/tokens.ts';
import { openServices } from '../main.ts';
import { commandOf, parseOptions, required, UsageError } from './options.ts';

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

export const command = commandOf(usage, async args => {
  const { values } = parseOptions(args, {
    data: { type: 'string' },
    database: { type: 'string' },
    organization: { type: 'string' },
    scope: { type: 'string' },
    application: { type: 'string' },
    json: { type: 'boolean' },
  });
  const organizationId = required(values.organization, 'organization');
  const scope = checkedScope(required(values.scope, 'scope'));
  const services = await openServices({
    dataDir: required(values.data, 'data'),
    database: values.database,
  });
  try {
    const { storage, clock, newId } = services;
    const db = storage.writer;
    const organization = await db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .executeTakeFirst();
    if (organization === undefined) throw new UsageError(`there is no organization ${organizationId}`);
    const applicationId = values.application ?? (await cliApplication(db, organizationId, { newId, now: clock() })).id;
    const application = await db
      .selectFrom('oauth_applications')
      .select('id')
      .where('id', '=', applicationId)
      .executeTakeFirst();
    if (application === undefined) throw new UsageError(`there is no application ${applicationId}`);
    await db
      .insertInto('oauth_grants')
      .values({
        organization_id: organizationId,
        oauth_application_id: applicationId,
        user_id: null,
        created_at: clock(),
      })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    const grant = { organizationId, applicationId, userId: null, scope, familyId: randomUUID() };
    const tokens = await issueTokens(db, grant, clock());
    process.stdout.write(`${values.json === true ? JSON.stringify(tokens) : tokens.access_token}\n`);
    return 0;
  } finally {
    await services.close();
  }
});

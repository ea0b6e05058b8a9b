import { sql } from 'kysely';
import { createIndex, createTable, type MigrationContext } from './table-builder.ts';

/** Access tokens for scripts have an id and a name, so that people can list and revoke them. */
const addScriptTokens = async (context: MigrationContext): Promise<void> => {
  const text = context.engine === 'sqlite' ? 'text' : 'text collate "C"';
  await sql.raw(`alter table oauth_tokens add column script_token_id ${text}`).execute(context.db);
  await sql.raw(`alter table oauth_tokens add column script_token_name ${text}`).execute(context.db);
  await createIndex(context, 'oauth_tokens_for_scripts', 'oauth_tokens (organization_id, script_token_id)', {
    where: 'script_token_id is not null',
  });
};

/** Alert rules, the alerts that last, and the messages to send. */
const createAlertTables = async (context: MigrationContext): Promise<void> => {
  await createTable(
    context,
    'alert_rules',
    {
      id: 'text',
      organization_id: 'text',
      name: 'text',
      kind: 'text',
      minutes: 'int?',
      count: 'int?',
      site_id: 'text?',
      emails: 'text',
      webhook_format: 'text?',
      webhook_host: 'text?',
      sealed_webhook: 'text?',
      is_enabled: 'flag',
      is_deleted: 'flag',
      created_at: 'int',
    },
    'id',
  );
  await createIndex(context, 'alert_rules_by_organization', 'alert_rules (organization_id, id)');
  await createTable(
    context,
    'active_alerts',
    {
      alert_rule_id: 'text',
      subject_id: 'text',
      organization_id: 'text',
      text: 'text',
      since: 'int',
      raised_at: 'int',
      details: 'text',
    },
    'alert_rule_id, subject_id',
  );
  await createIndex(context, 'active_alerts_by_organization', 'active_alerts (organization_id)');
  await createTable(
    context,
    'alert_messages',
    {
      id: 'text',
      organization_id: 'text',
      alert_rule_id: 'text',
      channel: 'text',
      email: 'text?',
      content: 'text',
      status: 'text',
      attempts: 'int',
      created_at: 'int',
      next_attempt_at: 'int?',
      sent_at: 'int?',
      error: 'text?',
    },
    'id',
  );
  await createIndex(context, 'alert_messages_due', 'alert_messages (next_attempt_at)', {
    where: "status = 'pending'",
  });
  await createIndex(context, 'alert_messages_by_rule', 'alert_messages (alert_rule_id, id)');
};

export const createAlertAndScriptTokenTables = async (context: MigrationContext): Promise<void> => {
  await addScriptTokens(context);
  await createAlertTables(context);
};

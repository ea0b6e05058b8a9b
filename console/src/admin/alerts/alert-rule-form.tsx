import { alertKinds } from '@lintel/access-core/alerts/alert-kinds';
import type { AlertRuleResponse, AlertRuleWrittenResponse } from '@lintel/wire-protocol/admin/alert-rules-and-alerts';
import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useInstallation, useReloadObjects, useSites } from '../api/resource-hooks.ts';
import { useObjectEdit } from '../api/use-object-edit.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { SelectField, TextField } from '../components/form-fields.tsx';
import { languageNames, languages, useLanguage } from '../messages/language.ts';

interface RuleFormProps {
  /** Null for a new rule. */
  readonly rule: AlertRuleResponse | null;
  readonly onSaved: (rule: AlertRuleWrittenResponse) => void;
  readonly onClose: () => void;
}

type WebhookChoice = 'none' | 'keep' | 'slack' | 'json';

const toAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(address => address !== '');

/** Kind, limits and receivers of an alert rule. */
export const AlertRuleForm = ({ rule, onSaved, onClose }: RuleFormProps) => {
  const { code, messages } = useLanguage();
  const { alerts, developers, general } = messages;
  const { client } = useCurrentOrganization();
  const { data: sites = [] } = useSites();
  const { data: installation } = useInstallation();
  const reload = useReloadObjects('alert');
  const edit = useObjectEdit(rule);
  const [kind, setKind] = useState<string>(rule?.kind ?? 'door_forced');
  const [name, setName] = useState(rule?.name ?? '');
  const [minutes, setMinutes] = useState(String(rule?.minutes ?? 5));
  const [count, setCount] = useState(String(rule?.count ?? 5));
  const [siteId, setSiteId] = useState<string>(rule?.site_id ?? '');
  const [emails, setEmails] = useState(rule?.emails.join(', ') ?? '');
  const [language, setLanguage] = useState<string>(rule?.language ?? code);
  const [webhook, setWebhook] = useState<WebhookChoice>(rule?.webhook == null ? 'none' : 'keep');
  const [url, setUrl] = useState('https://');
  const hasAddress = webhook === 'slack' || webhook === 'json';
  const shownName = name.trim() || (alerts.kinds[kind] ?? kind);
  const save = async (): Promise<void> => {
    const body = {
      name: shownName,
      minutes: Number(minutes),
      count: Number(count),
      site_id: siteId === '' ? null : siteId,
      emails: toAddresses(emails),
      language,
      ...(webhook === 'keep' ? {} : { webhook: hasAddress ? { url: url.trim(), format: webhook } : null }),
    };
    onSaved(
      rule === null
        ? await client.post<AlertRuleWrittenResponse>('/alert_rules', { ...body, kind })
        : await edit<AlertRuleWrittenResponse>(`/alert_rules/${rule.id}`, body),
    );
    await reload();
  };
  const hasReceiver = webhook !== 'none' || toAddresses(emails).length > 0;
  const webhookOptions = [
    ...(rule?.webhook == null ? [] : [{ value: 'keep' as const, label: alerts.keepWebhook(rule.webhook.host) }]),
    { value: 'none' as const, label: general.none },
    { value: 'slack' as const, label: alerts.slack },
    { value: 'json' as const, label: alerts.json },
  ];
  return (
    <FormDialog
      title={rule === null ? alerts.newRule : alerts.editRule}
      submitLabel={rule === null ? developers.create : general.save}
      isDisabled={!hasReceiver || (hasAddress && !URL.canParse(url.trim()))}
      fieldLabels={{
        name: developers.name,
        emails: alerts.emails,
        minutes: alerts.offlineMinutes,
        count: alerts.denials,
      }}
      onSubmit={save}
      onClose={onClose}
    >
      {rule === null ? (
        <SelectField
          id="alert-kind"
          label={alerts.when}
          value={kind}
          options={alertKinds.map(value => ({
            value: value as string,
            label: alerts.kinds[value] ?? value,
          }))}
          onChange={setKind}
        />
      ) : null}
      {kind === 'device_offline' || kind === 'many_denials' ? (
        <TextField
          id="alert-minutes"
          inputMode="numeric"
          label={kind === 'device_offline' ? alerts.offlineMinutes : alerts.denialMinutes}
          value={minutes}
          onChange={setMinutes}
        />
      ) : null}
      {kind === 'many_denials' ? (
        <TextField id="alert-count" inputMode="numeric" label={alerts.denials} value={count} onChange={setCount} />
      ) : null}
      <SelectField
        id="alert-site"
        label={alerts.site}
        value={siteId}
        options={[
          { value: '', label: alerts.allSites },
          ...sites.map(site => ({ value: site.id as string, label: site.name })),
        ]}
        onChange={setSiteId}
      />
      <TextField id="alert-name" label={developers.name} hint={alerts.nameHint} value={name} onChange={setName} />
      {installation?.sends_email === true ? (
        <TextField
          id="alert-emails"
          inputMode="email"
          label={alerts.emails}
          hint={alerts.emailsHint}
          value={emails}
          onChange={setEmails}
        />
      ) : (
        <p class="quiet small">{alerts.noEmail}</p>
      )}
      <SelectField
        id="alert-webhook"
        label={alerts.webhook}
        value={webhook}
        options={webhookOptions}
        onChange={setWebhook}
      />
      {hasAddress ? (
        <TextField
          id="alert-url"
          inputMode="url"
          label={alerts.webhookUrl}
          hint={webhook === 'slack' ? alerts.slackHint : alerts.jsonHint}
          value={url}
          onChange={setUrl}
        />
      ) : null}
      <SelectField
        id="alert-language"
        label={alerts.language}
        value={language}
        options={languages.map(value => ({ value: value as string, label: languageNames[value] }))}
        onChange={setLanguage}
      />
    </FormDialog>
  );
};

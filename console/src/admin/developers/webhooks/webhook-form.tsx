import type { WebhookFilterRule } from '@lintel/wire-protocol/rest/webhook-filter';
import type { WebhookCreatedResponse, WebhookResponse } from '@lintel/wire-protocol/rest/webhook';
import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useReloadObjects } from '../../api/resource-hooks.ts';
import { useObjectEdit } from '../../api/use-object-edit.ts';
import { CheckboxList } from '../../components/checkbox-list.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { useMessages } from '../../messages/language.ts';
import { WebhookFilterBuilder } from './filter-builder.tsx';
import { webhookExpandNames, webhookFilterPresets } from './filter-rule-choices.ts';

interface WebhookFormProps {
  readonly applicationId: string;
  /** Null for a new webhook. */
  readonly webhook: WebhookResponse | null;
  readonly onCreated?: (webhook: WebhookCreatedResponse) => void;
  readonly onClose: () => void;
}

/** `https://https://…` is a valid address of a server called `https`, but never meant. */
const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/^https?:\/\/https?:/i.test(text);

/** Address, filter and expands of a webhook. */
export const WebhookForm = ({ applicationId, webhook, onCreated, onClose }: WebhookFormProps) => {
  const { webhooks, developers, general } = useMessages();
  const { client } = useCurrentOrganization();
  const reload = useReloadObjects('webhook');
  const edit = useObjectEdit(webhook);
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [filter, setFilter] = useState<readonly WebhookFilterRule[]>(webhook?.filter ?? webhookFilterPresets.doors);
  const [expand, setExpand] = useState<readonly string[]>(webhook?.expand ?? []);
  const names = [...new Set([...webhookExpandNames, ...(webhook?.expand ?? [])])];
  // Not while the beginning of an address is typed.
  const hasUrlError = !/^h?t{0,2}p?s?:?\/{0,2}$/i.test(url.trim()) && !isWebAddress(url.trim());
  const save = async (): Promise<void> => {
    const path = `/applications/${applicationId}/webhooks`;
    const body = { url: url.trim(), filter, expand };
    if (webhook === null) onCreated?.(await client.post<WebhookCreatedResponse>(path, body));
    else await edit(`${path}/${webhook.id}`, body);
    await reload();
  };
  return (
    <FormDialog
      title={webhook === null ? webhooks.newWebhook : webhooks.editWebhook}
      submitLabel={webhook === null ? developers.create : general.save}
      isDisabled={!isWebAddress(url.trim()) || filter.length === 0}
      fieldLabels={{ url: webhooks.url, filter: webhooks.filter, expand: webhooks.expand }}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        id="webhook-url"
        inputMode="url"
        label={webhooks.url}
        placeholder="https://example.com/events"
        hint={webhooks.urlHint}
        error={hasUrlError ? webhooks.urlError : null}
        value={url}
        onChange={setUrl}
      />
      <WebhookFilterBuilder rules={filter} onChange={setFilter} />
      <CheckboxList
        label={webhooks.expand}
        options={names.map(id => ({ id, name: webhooks.expandNames[id] ?? id }))}
        selected={expand}
        onChange={setExpand}
      />
    </FormDialog>
  );
};

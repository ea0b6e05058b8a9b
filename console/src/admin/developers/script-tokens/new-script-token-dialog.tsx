import type { ScriptTokenCreatedResponse } from '@lintel/wire-protocol/admin/script-token';
import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useReloadObjects } from '../../api/resource-hooks.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { useMessages } from '../../messages/language.ts';

const DAY_SECONDS = 86_400;
const lifetimes = [7, 30, 90, 365];

interface NewTokenDialogProps {
  readonly onCreated: (token: ScriptTokenCreatedResponse) => void;
  readonly onClose: () => void;
}

export const NewScriptTokenDialog = ({ onCreated, onClose }: NewTokenDialogProps) => {
  const { developers } = useMessages();
  const { client } = useCurrentOrganization();
  const reload = useReloadObjects('oauth_application');
  const [name, setName] = useState('');
  const [scope, setScope] = useState('full_read_only');
  const [days, setDays] = useState('90');
  const create = async (): Promise<void> => {
    const body = { name: name.trim(), scope, expires_in: Number(days) * DAY_SECONDS };
    onCreated(await client.post<ScriptTokenCreatedResponse>('/tokens', body));
    await reload();
  };
  return (
    <FormDialog
      title={developers.newToken}
      submitLabel={developers.create}
      isDisabled={name.trim() === ''}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField
        id="token-name"
        label={developers.name}
        hint={developers.tokenNameHint}
        value={name}
        onChange={setName}
      />
      <SelectField
        id="token-scope"
        label={developers.scope}
        hint={developers.scopeHints[scope] ?? ''}
        value={scope}
        options={['full_read_only', 'full_read_write'].map(value => ({
          value,
          label: developers.scopes[value] ?? value,
        }))}
        onChange={setScope}
      />
      <SelectField
        id="token-lifetime"
        label={developers.lifetime}
        value={days}
        options={lifetimes.map(count => ({ value: String(count), label: developers.days(count) }))}
        onChange={setDays}
      />
    </FormDialog>
  );
};

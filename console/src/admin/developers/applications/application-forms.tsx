import type { ManagedOAuthApplicationResponse } from '@lintel/wire-protocol/admin/oauth-application';
import { useState } from 'preact/hooks';
import { FormField } from '../../../components/form-field.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { useReloadObjects } from '../../api/resource-hooks.ts';
import { useObjectEdit } from '../../api/use-object-edit.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/form-fields.tsx';
import { useMessages } from '../../messages/language.ts';

export interface OAuthApplicationWithSecret extends ManagedOAuthApplicationResponse {
  readonly client_secret: string | null;
}

interface RedirectUrisFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const RedirectUrisField = ({ value, onChange }: RedirectUrisFieldProps) => {
  const { developers } = useMessages();
  return (
    <FormField id="application-redirects" label={developers.redirectUris} hint={developers.redirectUrisHint}>
      {field => (
        <textarea
          {...field}
          rows={3}
          value={value}
          spellcheck={false}
          onInput={event => onChange(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
};

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

interface NewApplicationDialogProps {
  readonly onCreated: (application: OAuthApplicationWithSecret) => void;
  readonly onClose: () => void;
}

export const NewOAuthApplicationDialog = ({ onCreated, onClose }: NewApplicationDialogProps) => {
  const { developers } = useMessages();
  const { client } = useCurrentOrganization();
  const reload = useReloadObjects('oauth_application');
  const [name, setName] = useState('');
  const [redirects, setRedirects] = useState('');
  const [isPublic, setPublic] = useState(false);
  const create = async (): Promise<void> => {
    const body = { name: name.trim(), redirect_uris: toLines(redirects), is_public: isPublic };
    onCreated(await client.post<OAuthApplicationWithSecret>('/applications', body));
    await reload();
  };
  return (
    <FormDialog
      title={developers.newApplication}
      submitLabel={developers.create}
      isDisabled={name.trim() === ''}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField id="application-name" label={developers.name} value={name} onChange={setName} />
      <RedirectUrisField value={redirects} onChange={setRedirects} />
      <label class="choice">
        <input type="checkbox" checked={isPublic} onChange={event => setPublic(event.currentTarget.checked)} />
        <span>
          {developers.isPublic}
          <small class="quiet">{developers.isPublicHint}</small>
        </span>
      </label>
    </FormDialog>
  );
};

interface EditApplicationDialogProps {
  readonly application: ManagedOAuthApplicationResponse;
  readonly onClose: () => void;
}

export const EditOAuthApplicationDialog = ({ application, onClose }: EditApplicationDialogProps) => {
  const { developers, general } = useMessages();
  const edit = useObjectEdit(application);
  const reload = useReloadObjects('oauth_application');
  const [name, setName] = useState(application.name);
  const [redirects, setRedirects] = useState(application.redirect_uris.join('\n'));
  const save = async (): Promise<void> => {
    await edit(`/applications/${application.id}`, { name: name.trim(), redirect_uris: toLines(redirects) });
    await reload();
  };
  return (
    <FormDialog
      title={developers.editApplication}
      submitLabel={general.save}
      isDisabled={name.trim() === ''}
      fieldLabels={{ name: developers.name, redirect_uris: developers.redirectUris }}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField id="application-name" label={developers.name} value={name} onChange={setName} />
      <RedirectUrisField value={redirects} onChange={setRedirects} />
    </FormDialog>
  );
};

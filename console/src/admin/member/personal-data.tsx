import type { PersonalDataResponse } from '@lintel/wire-protocol/admin/member-personal-data-export';
import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { deleteIcon, downloadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { saveAsDownload } from '../csv/format-and-save-csv.ts';
import { useMessages } from '../messages/language.ts';
import { type ExpandedMember, useReloadMembers } from './member-hooks.ts';

interface ErasePersonalDataProps {
  readonly member: ExpandedMember;
  /** What the user must type to confirm. */
  readonly name: string;
  readonly onClose: () => void;
}

const ErasePersonalData = ({ member, name, onClose }: ErasePersonalDataProps) => {
  const { member: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const reload = useReloadMembers();
  const [typed, setTyped] = useState('');
  const erase = async (): Promise<void> => {
    await client.post(`/members/${member.id}/erase`);
    await reload();
    notices.show(texts.erased);
  };
  return (
    <ConfirmDialog
      title={texts.eraseTitle(name)}
      confirmLabel={texts.erase}
      isDangerous
      isDisabled={typed.trim() !== name.trim()}
      onConfirm={erase}
      onClose={onClose}
    >
      <p>{texts.eraseText}</p>
      <FormField id="erase-name" label={texts.eraseConfirm(name)}>
        {field => (
          <input
            {...field}
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={event => setTyped(event.currentTarget.value)}
          />
        )}
      </FormField>
    </ConfirmDialog>
  );
};

/** Requests of a person about their data: a copy of all of it, or its erasure. */
export const PersonalDataPanel = ({ member }: { readonly member: ExpandedMember }) => {
  const { member: texts, members } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const { run } = useNotifiedAction();
  const [isErasing, setErasing] = useState(false);
  if (!allows('members.erase')) return null;
  const exportData = (): Promise<void> =>
    run(async () => {
      const data = await client.get<PersonalDataResponse>(`/members/${member.id}/personal_data`);
      saveAsDownload(`personal-data-${member.id}.json`, 'application/json', JSON.stringify(data, null, 2));
    });
  return (
    <section class="card panel" aria-labelledby="personal-data">
      <h2 id="personal-data">{texts.personalData}</h2>
      <div class="personal-data-buttons">
        <Button icon={downloadIcon} onPress={() => void exportData()}>
          {texts.exportData}
        </Button>
        <Button icon={deleteIcon} variant="danger" onPress={() => setErasing(true)}>
          {texts.erase}
        </Button>
      </div>
      {isErasing ? (
        <ErasePersonalData
          member={member}
          name={member.name === '' ? members.unnamed : member.name}
          onClose={() => setErasing(false)}
        />
      ) : null}
    </section>
  );
};

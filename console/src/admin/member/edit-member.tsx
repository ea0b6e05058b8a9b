import { useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { useObjectEdit } from '../api/use-object-edit.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useValidityInput, ValidityFields } from '../components/validity-fields.tsx';
import { useMessages } from '../messages/language.ts';
import { type ExpandedMember, useMemberClockSite, useReloadMembers } from './member-hooks.ts';

interface EditMemberProps {
  readonly member: ExpandedMember;
  readonly onClose: () => void;
}

/** Name, start and end; extending a stay is changing its end. */
export const EditMemberDialog = ({ member, onClose }: EditMemberProps) => {
  const { stay, member: texts } = useMessages();
  const edit = useObjectEdit(member);
  const reload = useReloadMembers();
  const [name, setName] = useState(member.name);
  const dates = useValidityInput(member, useMemberClockSite(member.id));
  const save = async (): Promise<void> => {
    await edit(`/members/${member.id}`, { name: name.trim(), ...dates.validity });
    await reload();
  };
  return (
    <FormDialog
      title={texts.editTitle}
      isDisabled={dates.isEndWrong}
      fieldLabels={{ name: stay.name, starts_at: stay.from, ends_at: stay.until }}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField id="edit-name" label={stay.name}>
        {field => <input {...field} value={name} onInput={event => setName(event.currentTarget.value)} />}
      </FormField>
      <ValidityFields idPrefix="edit" input={dates} />
    </FormDialog>
  );
};

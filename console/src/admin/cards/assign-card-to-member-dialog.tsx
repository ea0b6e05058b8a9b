import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { MemberPicker } from '../components/member-picker.tsx';
import { useMessages } from '../messages/language.ts';

interface AssignCardProps {
  /** Identifies the card: `card_id`, `printed_code` or `uid`. */
  readonly body: object;
  readonly label: string;
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
}

export const AssignCardToMemberDialog = ({ body, label, onChanged, onClose }: AssignCardProps) => {
  const { cards: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const [member, setMember] = useState<MemberResponse | null>(null);
  const assign = async (): Promise<void> => {
    await client.post(`/members/${member!.id}/cards`, body);
    await onChanged();
  };
  return (
    <FormDialog
      title={texts.assignTitle(label)}
      submitLabel={texts.assign}
      isDisabled={member === null}
      onSubmit={assign}
      onClose={onClose}
    >
      <MemberPicker selected={member} onSelect={setMember} />
    </FormDialog>
  );
};

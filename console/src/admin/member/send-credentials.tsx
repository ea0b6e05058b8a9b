import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { mailIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useInstallation } from '../api/resource-hooks.ts';
import { CheckboxList } from '../components/checkbox-list.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { GroupedSelectField } from '../components/grouped-select-field.tsx';
import { useMessages } from '../messages/language.ts';
import type { ExpandedMember } from './member-hooks.ts';

interface SendDialogProps {
  readonly member: ExpandedMember;
  readonly onClose: () => void;
}

const SendDialog = ({ member, onClose }: SendDialogProps) => {
  const { member: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const options = [
    ...member.pins.map(({ id, length }) => ({ id: id as string, name: texts.pin(length) })),
    ...member.magic_links.map(({ id }) => ({ id: id as string, name: texts.magicLink })),
  ];
  const [selected, setSelected] = useState<readonly string[]>(options.map(({ id }) => id));
  const [emailId, setEmailId] = useState<string>(member.emails[0]?.id ?? '');
  const send = async (): Promise<void> => {
    const selectedOf = (credentials: readonly { readonly id: string }[]): readonly string[] =>
      credentials.map(({ id }) => id).filter(id => selected.includes(id));
    await client.post(`/members/${member.id}/emails/${emailId}/send`, {
      member_pin_ids: selectedOf(member.pins),
      member_magic_link_ids: selectedOf(member.magic_links),
    });
    notices.show(texts.sent(member.emails.find(({ id }) => id === emailId)?.email ?? ''));
  };
  return (
    <FormDialog
      title={texts.sendByEmail}
      submitLabel={texts.send}
      isDisabled={selected.length === 0}
      onSubmit={send}
      onClose={onClose}
    >
      <GroupedSelectField
        id="send-email"
        label={texts.emailAddress}
        value={emailId}
        options={member.emails.map(({ id, email }) => ({ id, name: email }))}
        onChange={setEmailId}
      />
      <CheckboxList label={texts.credentials} options={options} selected={selected} onChange={setSelected} />
      <p class="quiet small">{texts.sendText}</p>
    </FormDialog>
  );
};

/** Sends PINs and magic links to an address of the member, if there are any and the bridge can send mail. */
export const SendCredentialsButton = ({ member }: { readonly member: ExpandedMember }) => {
  const { member: texts } = useMessages();
  const { data: installation } = useInstallation();
  const [isOpen, setOpen] = useState(false);
  const hasSecret = member.pins.length + member.magic_links.length > 0;
  if (installation?.sends_email !== true || !hasSecret || member.emails.length === 0) return null;
  return (
    <>
      <Button icon={mailIcon} onPress={() => setOpen(true)}>
        {texts.sendByEmail}
      </Button>
      {isOpen ? <SendDialog member={member} onClose={() => setOpen(false)} /> : null}
    </>
  );
};

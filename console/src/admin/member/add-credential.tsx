import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { cardIcon, keypadIcon, linkIcon, mailIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { TextInputDialog } from '../components/text-input-dialog.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { CardInput } from '../credentials/card-input.tsx';
import { useMessages } from '../messages/language.ts';
import { AddPinDialog } from './add-pin.tsx';
import { useReloadMembers } from './member-hooks.ts';

interface AddCredentialProps {
  readonly memberId: string;
  /** A PIN or link that was just created; null after it was taken back. */
  readonly onSecret: (label: string | null, value: string) => void;
}

export const AddCredentialButtons = ({ memberId, onSecret }: AddCredentialProps) => {
  const { member: texts, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const { run } = useNotifiedAction();
  const reload = useReloadMembers();
  const [dialog, setDialog] = useState<'pin' | 'card' | 'email' | null>(null);
  const [card, setCard] = useState<object | null>(null);
  const create = async <T,>(kind: string, body: object = {}): Promise<T> => {
    const created = await client.post<T>(`/members/${memberId}/${kind}`, body);
    await reload();
    return created;
  };
  const addLink = async (): Promise<void> => {
    const { id, link } = await create<MemberMagicLinkRevealedResponse>('magic_links');
    onSecret(stay.linkLabel, link);
    notices.showUndo(texts.magicLinkAdded, async () => {
      await client.delete(`/members/${memberId}/magic_links/${id}`);
      onSecret(null, '');
      await reload();
    });
  };
  return (
    <div class="bar">
      <Button icon={keypadIcon} onPress={() => setDialog('pin')}>
        {texts.addPin}
      </Button>
      <Button icon={linkIcon} onPress={() => void run(addLink)}>
        {texts.addMagicLink}
      </Button>
      <Button
        icon={cardIcon}
        onPress={() => {
          setCard(null);
          setDialog('card');
        }}
      >
        {texts.addCard}
      </Button>
      <Button icon={mailIcon} onPress={() => setDialog('email')}>
        {texts.addEmail}
      </Button>
      {dialog === 'pin' ? (
        <AddPinDialog
          create={body => create('pins', body)}
          onCreated={pin => onSecret(stay.pinLabel, pin)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'card' ? (
        <FormDialog
          title={texts.addCard}
          isDisabled={card === null}
          onSubmit={() => create('cards', card ?? {})}
          onClose={() => setDialog(null)}
        >
          <CardInput onChange={setCard} />
        </FormDialog>
      ) : null}
      {dialog === 'email' ? (
        <TextInputDialog
          title={texts.addEmail}
          label={texts.emailAddress}
          inputMode="email"
          onSubmit={email => create('emails', { email })}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </div>
  );
};

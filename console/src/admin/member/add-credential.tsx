import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberPinRevealedResponse } from '@lintel/wire-protocol/rest/member-pin';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { cardIcon, keypadIcon, linkIcon, mailIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { TextInputDialog } from '../components/text-input-dialog.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { CardInput } from '../credentials/card-input.tsx';
import { useMessages } from '../messages/language.ts';
import { useReloadMembers } from './member-hooks.ts';

const PIN_LENGTH = 6;

interface AddCredentialProps {
  readonly memberId: string;
  /** A PIN or link that was just created. */
  readonly onSecret: (label: string, value: string) => void;
}

export const AddCredentialButtons = ({ memberId, onSecret }: AddCredentialProps) => {
  const { member: texts, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const { run } = useNotifiedAction();
  const reload = useReloadMembers();
  const [dialog, setDialog] = useState<'card' | 'email' | null>(null);
  const [card, setCard] = useState<object | null>(null);
  const create = async <T,>(kind: string, body: object = {}): Promise<T> => {
    const created = await client.post<T>(`/members/${memberId}/${kind}`, body);
    await reload();
    return created;
  };
  const addPin = async (): Promise<void> =>
    onSecret(stay.pinLabel, (await create<MemberPinRevealedResponse>('pins', { length: PIN_LENGTH })).pin);
  const addLink = async (): Promise<void> =>
    onSecret(stay.linkLabel, (await create<MemberMagicLinkRevealedResponse>('magic_links')).link);
  return (
    <div class="bar">
      <Button icon={keypadIcon} onPress={() => void run(addPin)}>
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

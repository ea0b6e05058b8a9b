import type { MemberMagicLinkRevealedResponse } from '@lintel/wire-protocol/rest/member-magic-link';
import type { MemberPinRevealedResponse } from '@lintel/wire-protocol/rest/member-pin';
import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { FormField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Button } from '../../design/controls.tsx';
import { cardIcon, keypadIcon, linkIcon, mailIcon } from '../../design/icons.ts';
import { useOrganization } from '../api/organization.ts';
import { describeError } from '../components/describe-error.ts';
import { useNotices } from '../components/notices.tsx';
import { useMessages } from '../messages/language.ts';
import { toCardBody } from '../stay/create-stay.ts';
import { useReloadMember } from './member-data.ts';

interface TextDialogProps {
  readonly title: string;
  readonly label: string;
  readonly inputMode: 'text' | 'email';
  readonly onSubmit: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

const TextDialog = ({ title, label, inputMode, onSubmit, onClose }: TextDialogProps) => {
  const messages = useMessages();
  const [text, setText] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const submit = async (): Promise<void> => {
    try {
      await onSubmit(text.trim());
      onClose();
    } catch (problem) {
      setError(problem as Error);
    }
  };
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <Form isDisabled={text.trim() === ''} onSubmit={() => void submit()} submitLabel={messages.general.save}>
        <FormField id="credential-text" label={label} error={error === null ? null : describeError(messages, error)}>
          {field => (
            <input
              {...field}
              inputMode={inputMode}
              value={text}
              autocomplete="off"
              onInput={event => setText(event.currentTarget.value)}
            />
          )}
        </FormField>
      </Form>
      <Button onPress={onClose}>{messages.general.cancel}</Button>
    </Dialog>
  );
};

const PIN_LENGTH = 6;

interface AddCredentialProps {
  readonly memberId: string;
  /** A PIN or link that was just created. */
  readonly onSecret: (label: string, value: string) => void;
}

export const AddCredential = ({ memberId, onSecret }: AddCredentialProps) => {
  const { member: texts, stay } = useMessages();
  const { client } = useOrganization();
  const notices = useNotices();
  const reload = useReloadMember();
  const [dialog, setDialog] = useState<'card' | 'email' | null>(null);
  const create = async <T,>(kind: string, body: object = {}): Promise<T> => {
    const created = await client.post<T>(`/members/${memberId}/${kind}`, body);
    await reload();
    return created;
  };
  const createSecret = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notices.showError(error as Error);
    }
  };
  const addPin = async (): Promise<void> =>
    onSecret(stay.pinLabel, (await create<MemberPinRevealedResponse>('pins', { length: PIN_LENGTH })).pin);
  const addLink = async (): Promise<void> =>
    onSecret(stay.linkLabel, (await create<MemberMagicLinkRevealedResponse>('magic_links')).link);
  return (
    <div class="bar">
      <Button icon={keypadIcon} onPress={() => void createSecret(addPin)}>
        {texts.addPin}
      </Button>
      <Button icon={linkIcon} onPress={() => void createSecret(addLink)}>
        {texts.addMagicLink}
      </Button>
      <Button icon={cardIcon} onPress={() => setDialog('card')}>
        {texts.addCard}
      </Button>
      <Button icon={mailIcon} onPress={() => setDialog('email')}>
        {texts.addEmail}
      </Button>
      {dialog === null ? null : (
        <TextDialog
          title={dialog === 'card' ? texts.addCard : texts.addEmail}
          label={dialog === 'card' ? texts.cardNumber : texts.emailAddress}
          inputMode={dialog === 'card' ? 'text' : 'email'}
          onSubmit={text => (dialog === 'card' ? create('cards', toCardBody(text)) : create('emails', { email: text }))}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
};

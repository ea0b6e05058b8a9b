import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import type { MemberCardResponse } from '@lintel/wire-protocol/rest/member-card';
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiObject } from '../api/resource-hooks.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMessages } from '../messages/language.ts';
import { CardInput } from './card-input.tsx';
import { CredentialControllersStatus } from './credential-controllers-status.tsx';
import { CredentialRemovalCheck } from './deleted-credential-status.tsx';

interface ReplaceCardProps {
  readonly memberId: string;
  readonly memberCardId: string;
  readonly label: string;
  /** Reloads what shows the cards. */
  readonly onChanged: () => Promise<unknown>;
  readonly onClose: () => void;
}

interface ReplacedProps extends Pick<ReplaceCardProps, 'memberId' | 'memberCardId' | 'onClose'> {
  readonly created: MemberCardResponse;
}

/** Where the new card already works, and where the old one still has to be removed. */
const Replaced = ({ memberId, memberCardId, created, onClose }: ReplacedProps) => {
  const { cards: texts, member, general } = useMessages();
  const { data: owner } = useApiObject<MemberResponse>('member', `/members/${memberId}`);
  return (
    <Dialog label={texts.replaced} onClose={onClose}>
      <h2>{texts.replaced}</h2>
      <ul class="checks">
        <li class="check">
          <CredentialRemovalCheck memberId={memberId} credentialId={memberCardId} label={texts.oldCard} />
        </li>
        <li class="check">
          <StatusIcon level="ok" />
          <div>
            {member.cardNamed(created.name || created.printed_code || created.uid || '')}
            {owner === undefined ? null : (
              <CredentialControllersStatus member={owner} credential={{ id: created.id, kind: 'member_card' }} />
            )}
          </div>
        </li>
      </ul>
      <Button variant="primary" onPress={onClose}>
        {general.close}
      </Button>
    </Dialog>
  );
};

/** Gives the member another card, then removes the lost one. A refused new card leaves the old one in place. */
export const ReplaceCardDialog = ({ memberId, memberCardId, label, onChanged, onClose }: ReplaceCardProps) => {
  const { cards: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const [card, setCard] = useState<object | null>(null);
  const [created, setCreated] = useState<MemberCardResponse | null>(null);
  // A second attempt after a failed removal finds the new card created already.
  const newCard = useRef<MemberCardResponse | null>(null);
  const replace = async (): Promise<void> => {
    const path = `/members/${memberId}/cards`;
    newCard.current ??= await client.post<MemberCardResponse>(path, card ?? {});
    await client.delete(`${path}/${memberCardId}`);
    setCreated(newCard.current);
  };
  const close = (): void => {
    onClose();
    void onChanged();
  };
  if (created !== null)
    return <Replaced memberId={memberId} memberCardId={memberCardId} created={created} onClose={close} />;
  return (
    <FormDialog
      title={texts.replaceTitle(label)}
      submitLabel={texts.replace}
      isDisabled={card === null}
      closesOnSuccess={false}
      onSubmit={replace}
      onClose={close}
    >
      <p>{texts.replaceText}</p>
      <CardInput onChange={setCard} />
    </FormDialog>
  );
};

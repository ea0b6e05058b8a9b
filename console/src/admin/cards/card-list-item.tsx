import type { InventoryCardResponse } from '@lintel/wire-protocol/admin/card-stock';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { personIcon, redoIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { AssignCardToMemberDialog } from './assign-card-to-member-dialog.tsx';

interface CardRowProps {
  readonly card: InventoryCardResponse;
  readonly onReplace: (card: InventoryCardResponse) => void;
  readonly onDelete: (card: InventoryCardResponse) => void;
  readonly onChanged: () => Promise<unknown>;
}

export const formatCardLabel = ({ id, name, printed_code, uid }: InventoryCardResponse): string =>
  name || printed_code || uid || id;

/** A card with its owner; assigning, replacing and deleting it. */
export const CardListItem = ({ card, onReplace, onDelete, onChanged }: CardRowProps) => {
  const { cards: texts, members } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const linkTo = useLinkTo();
  const [dialog, setDialog] = useState<'assign' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const { id, uid, printed_code, is_stock, member_id, member_name } = card;
  const label = formatCardLabel(card);
  const details = [
    ...(printed_code === null || printed_code === label ? [] : [printed_code]),
    ...(uid === null || uid === label ? [] : [`UID ${uid}`]),
  ];
  return (
    <div class="card-row">
      <span>
        <strong>{label}</strong>
        <small class="quiet">{details.join(' · ')}</small>
      </span>
      <span class="card-owner">
        {member_id === null ? (
          <StatusBadge level="neutral" text={is_stock ? texts.inStock : texts.unassigned} />
        ) : (
          <a href={linkTo(`/members/${member_id}`)}>{member_name === '' ? members.unnamed : member_name}</a>
        )}
      </span>
      <span class="bar">
        {allows('members.write') ? (
          member_id === null ? (
            <Button
              icon={personIcon}
              variant="plain"
              label={`${texts.assign}: ${label}`}
              onPress={() => setDialog('assign')}
            >
              {texts.assign}
            </Button>
          ) : (
            <Button
              icon={redoIcon}
              variant="plain"
              label={`${texts.replace}: ${label}`}
              onPress={() => onReplace(card)}
            >
              {texts.replace}
            </Button>
          )
        ) : null}
        {allows('cards.write') && !is_stock ? <DeleteButton name={label} onPress={() => setDialog('delete')} /> : null}
      </span>
      {dialog === 'assign' ? (
        <AssignCardToMemberDialog
          body={is_stock ? { printed_code } : { card_id: id }}
          label={label}
          onChanged={onChanged}
          onClose={close}
        />
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          title={texts.deleteTitle(label)}
          text={texts.deleteText}
          onConfirm={async () => {
            await client.delete(`/cards/${id}`);
            onDelete(card);
            await onChanged();
          }}
          onClose={close}
        />
      ) : null}
    </div>
  );
};

import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { Icon } from '../../design/icon.tsx';
import { eyeIcon, redoIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { DeleteButton } from '../components/delete-button.tsx';
import { DeleteDialog } from '../components/delete-dialog.tsx';
import { useNotices } from '../components/notices.tsx';
import { SecretValue } from '../components/secret-value.tsx';
import { CredentialControllersStatus } from '../credentials/credential-controllers-status.tsx';
import { CredentialRemovedDialog, RecentlyDeletedCredentials } from '../credentials/deleted-credential-status.tsx';
import { ReplaceCardDialog } from '../credentials/replace-card.tsx';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { AddCredentialButtons } from './add-credential.tsx';
import { type MemberCredentialSummary, listMemberCredentials } from './list-member-credentials.ts';
import { type ExpandedMember, useMemberClockSite, useReloadMembers } from './member-hooks.ts';
import { SendCredentialsButton } from './send-credentials.tsx';

interface Revealed {
  readonly label: string;
  readonly value: string;
}

interface CredentialItemProps {
  readonly credential: MemberCredentialSummary;
  readonly member: ExpandedMember;
  readonly onReveal: (revealed: Revealed) => void;
  readonly onReplace: (credential: MemberCredentialSummary) => void;
  readonly onDelete: (credential: MemberCredentialSummary) => void;
  readonly isEditable: boolean;
}

const CredentialItem = ({ credential, member, onReveal, onReplace, onDelete, isEditable }: CredentialItemProps) => {
  const texts = useMessages().member;
  const { cards } = useMessages();
  const { client, allows } = useCurrentOrganization();
  const notices = useNotices();
  const reload = useReloadMembers();
  const [dialog, setDialog] = useState<'reveal' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  const { label, icon, path, revealedField } = credential;
  const reveal = async (): Promise<void> => {
    const response = await client.post<Readonly<Record<string, string>>>(`${path}/reveal`);
    onReveal({ label, value: response[revealedField ?? ''] ?? '' });
  };
  const remove = async (): Promise<void> => {
    await client.delete(path);
    onDelete(credential);
    if (credential.kind === 'member_magic_link') notices.show(texts.linkRefused);
    await reload();
  };
  return (
    <li>
      <Icon shape={icon} />
      <span>
        {label}
        <CredentialControllersStatus member={member} credential={credential} />
      </span>
      {isEditable && revealedField !== null && allows('credentials.reveal') ? (
        <Button
          icon={eyeIcon}
          variant="plain"
          label={`${texts.reveal}: ${label}`}
          onPress={() => setDialog('reveal')}
        />
      ) : null}
      {isEditable && allows('members.write') && credential.kind === 'member_card' ? (
        <Button icon={redoIcon} label={`${cards.replace}: ${label}`} onPress={() => onReplace(credential)}>
          {cards.replace}
        </Button>
      ) : null}
      {isEditable && allows('members.write') ? <DeleteButton name={label} onPress={() => setDialog('delete')} /> : null}
      {dialog === 'reveal' ? (
        <ConfirmDialog title={texts.revealTitle(label)} confirmLabel={texts.reveal} onConfirm={reveal} onClose={close}>
          <p>{texts.revealText}</p>
        </ConfirmDialog>
      ) : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          title={texts.removeCredentialTitle(label)}
          text={texts.removeCredentialText}
          onConfirm={remove}
          onClose={close}
        />
      ) : null}
    </li>
  );
};

/** The bridge checks emails and magic links itself, so they end at once. */
const isCachedByControllers = ({ kind }: MemberCredentialSummary): boolean =>
  kind !== 'member_email' && kind !== 'member_magic_link';

/** The credentials of the member: which exist, where they work, and adding, showing and deleting them. */
export const MemberCredentialsPanel = ({ member }: { readonly member: ExpandedMember }) => {
  const messages = useMessages();
  const texts = messages.member;
  const { allows } = useCurrentOrganization();
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const reload = useReloadMembers();
  // Not part of the item, which disappears as soon as the credential is deleted.
  const [deleted, setDeleted] = useState<MemberCredentialSummary | null>(null);
  const [replaced, setReplaced] = useState<MemberCredentialSummary | null>(null);
  const { formatWithin } = useSiteTimeFormats(useMemberClockSite(member.id));
  const credentials = listMemberCredentials(member, messages, formatWithin);
  return (
    <section class="card panel" aria-labelledby="member-credentials">
      <h2 id="member-credentials">{texts.credentials}</h2>
      {credentials.length === 0 ? <p class="quiet">{texts.noCredentials}</p> : null}
      {revealed === null ? null : (
        <SecretValue label={revealed.label} value={revealed.value} hasQrCode={/^https?:/.test(revealed.value)} />
      )}
      <ul class="entry-list">
        {credentials.map(credential => (
          <CredentialItem
            key={credential.id}
            credential={credential}
            member={member}
            isEditable={!member.is_deleted}
            onReveal={setRevealed}
            onReplace={setReplaced}
            onDelete={setDeleted}
          />
        ))}
      </ul>
      {allows('members.write') && !member.is_deleted ? (
        <>
          <SendCredentialsButton member={member} />
          <AddCredentialButtons
            memberId={member.id}
            onSecret={(label, value) => setRevealed(label === null ? null : { label, value })}
          />
        </>
      ) : null}
      <RecentlyDeletedCredentials memberId={member.id} />
      {deleted === null || !isCachedByControllers(deleted) ? null : (
        <CredentialRemovedDialog
          memberId={member.id}
          credentialId={deleted.id}
          label={deleted.label}
          onClose={() => setDeleted(null)}
        />
      )}
      {replaced === null ? null : (
        <ReplaceCardDialog
          memberId={member.id}
          memberCardId={replaced.id}
          label={replaced.label}
          onChanged={reload}
          onClose={() => setReplaced(null)}
        />
      )}
    </section>
  );
};

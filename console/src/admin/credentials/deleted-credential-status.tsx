import type { MemberCredentialDeliveryResponse } from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import type { GadgetResponse } from '@lintel/wire-protocol/rest/gadget';
import { Dialog } from '../../components/dialog.tsx';
import { StatusIcon } from '../../components/status-icon.tsx';
import { useGadgets } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';
import { useSiteTimeFormats } from '../time/use-site-time-formats.ts';
import { useMemberCredentialDelivery } from './use-member-credential-delivery.ts';
import { DialogButtons } from '../components/dialog-buttons.tsx';

type DeliveredCredential = MemberCredentialDeliveryResponse['credentials'][number];
type Controller = DeliveredCredential['controllers'][number];

/** The doors of the controllers; a controller without a door counts by its own name. */
const listDoorNames = (controllers: readonly Controller[], doors: readonly GadgetResponse[]): readonly string[] =>
  controllers.flatMap(({ device_id, name }) => {
    const own = doors.filter(door => door.device_id === device_id);
    return own.length === 0 ? [name] : own.map(door => door.name);
  });

interface CredentialRemovalTextProps {
  /** Undefined until the deletion is in the loaded data. */
  readonly deleted: DeliveredCredential | undefined;
  /** For a deletion of this minute: later, controllers report the time of a later change. */
  readonly hasTime?: boolean;
}

/** Whether doors still accept the deleted credential. */
const CredentialRemovalText = ({ deleted, hasTime = false }: CredentialRemovalTextProps) => {
  const { member: texts } = useMessages();
  const { data: doors = [] } = useGadgets();
  const { formatTime } = useSiteTimeFormats(deleted?.controllers[0]?.site_id);
  if (deleted === undefined) return <>{texts.checkingDoors}</>;
  const waiting = deleted.controllers.filter(({ status }) => status === 'leaving');
  const confirmed = deleted.controllers.flatMap(({ served_at }) => served_at ?? []).toSorted();
  const offline = listDoorNames(
    waiting.filter(({ online }) => !online),
    doors,
  );
  if (offline.length > 0) return <>{texts.stillAccepted(offline.length, offline.join(', '))}</>;
  if (waiting.length > 0) return <>{texts.notRemovedYet(listDoorNames(waiting, doors).join(', '))}</>;
  if (deleted.controllers.length === 0) return <>{texts.acceptedNowhere}</>;
  const removed = texts.removedFromDoors(listDoorNames(deleted.controllers, doors).length);
  const time = confirmed.at(-1);
  return <>{hasTime && time !== undefined ? `${removed}, ${formatTime(time)}` : removed}</>;
};

interface CredentialRemovalProps {
  readonly memberId: string;
  readonly credentialId: string;
}

interface CredentialRemovalCheckProps extends CredentialRemovalProps {
  /** Names the credential if the surrounding text does not. */
  readonly label?: string;
}

/** Shows whether doors still accept a credential that has just been deleted. */
export const CredentialRemovalCheck = ({ memberId, credentialId, label }: CredentialRemovalCheckProps) => {
  const { data } = useMemberCredentialDelivery(memberId);
  const deleted = data?.credentials.find(({ id, is_deleted }) => is_deleted && id === credentialId);
  const isDone = deleted !== undefined && deleted.controllers.every(({ status }) => status === 'removed');
  return (
    <>
      <StatusIcon level={isDone ? 'ok' : 'warning'} />
      <div>
        {label}
        <span role="status">
          <CredentialRemovalText deleted={deleted} hasTime />
        </span>
      </div>
    </>
  );
};

interface CredentialRemovedDialogProps extends CredentialRemovalProps {
  readonly label: string;
  readonly onClose: () => void;
}

export const CredentialRemovedDialog = ({ label, onClose, ...credential }: CredentialRemovedDialogProps) => {
  const { member: texts } = useMessages();
  return (
    <Dialog label={texts.deletedTitle(label)} onClose={onClose}>
      <h2>{texts.deletedTitle(label)}</h2>
      <div class="check">
        <CredentialRemovalCheck {...credential} />
      </div>
      <DialogButtons label="close" onClose={onClose} />
    </Dialog>
  );
};

const SHOWN_MS = 86_400_000;

/** The credentials that doors still accept after their deletion, and those deleted within a day. */
export const RecentlyDeletedCredentials = ({ memberId }: { readonly memberId: string }) => {
  const { member: texts } = useMessages();
  const { data } = useMemberCredentialDelivery(memberId);
  const { formatWithin } = useSiteTimeFormats();
  const deleted = (data?.credentials ?? []).filter(
    ({ is_deleted, deleted_at, controllers }) =>
      is_deleted &&
      (controllers.some(({ status }) => status === 'leaving') || Date.parse(deleted_at ?? '') > Date.now() - SHOWN_MS),
  );
  if (deleted.length === 0) return null;
  const labelOf = ({ type, name }: DeliveredCredential): string => {
    if (type === 'member_card') return texts.cardNamed(name ?? '');
    return type === 'member_pin' ? (texts.methods['pin'] ?? '') : texts.token;
  };
  return (
    <>
      <h3 id="deleted-credentials">{texts.recentlyDeleted}</h3>
      <ul class="checks" aria-labelledby="deleted-credentials">
        {deleted.map(credential => (
          <li key={credential.id} class="check">
            <StatusIcon level={credential.controllers.some(({ status }) => status === 'leaving') ? 'warning' : 'ok'} />
            <div>
              {texts.deletedAt(labelOf(credential), formatWithin(credential.deleted_at ?? ''))}
              <small class="quiet">
                <CredentialRemovalText deleted={credential} />
              </small>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
};

import type {
  MemberCredentialDeliveryResponse,
  PinDeliveryResponse,
} from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { MemberPinRow } from '../storage/schema.ts';
import { loadMembersWithCredentials, type MemberWithCredentials } from './access-snapshot/members-with-credentials.ts';
import { isMemberInGroups, wasMemberEverInGroups } from './access-snapshot/is-member-in-groups.ts';
import { type ControllerDeliveryState, loadControllerDeliveryStates } from './controller-credential-delivery-states.ts';
import { type CachedCredential, loadCachedCredentials } from './member-credentials-cached-by-controllers.ts';

type DeliveryServices = Pick<BridgeServices, 'storage' | 'masterKeys'>;
type Controller = PinDeliveryResponse['doors'][number];

/** Null if the controller neither needs the credential nor had it. */
const statusAt = (
  member: MemberWithCredentials,
  { is_deleted, revision }: CachedCredential,
  { requiredGroups, servedGroups, served_revision }: ControllerDeliveryState,
): Controller['status'] | null => {
  const isUpToDate = (served_revision ?? -1) >= revision;
  if (!is_deleted && isMemberInGroups(member, requiredGroups))
    return isUpToDate && isMemberInGroups(member, servedGroups) ? 'served' : 'pending';
  if (!wasMemberEverInGroups(member, servedGroups)) return null;
  if (!isUpToDate) return 'leaving';
  return is_deleted ? 'removed' : null;
};

const deliveryOf = (
  member: MemberWithCredentials | undefined,
  credential: CachedCredential,
  controllers: readonly ControllerDeliveryState[],
): Controller[] =>
  controllers.flatMap(controller => {
    const status = member === undefined ? null : statusAt(member, credential, controller);
    if (status === null) return [];
    const { requiredGroups: _, servedGroups: __, targets: ___, ...description } = controller;
    return [{ ...description, status }];
  });

const loadMember = async ({ storage, masterKeys }: DeliveryServices, organizationId: string, memberId: string) => {
  const { reader: db, engine } = storage;
  const source = { db, engine, masterKeys, organizationId, onUnreadable: () => undefined };
  return (await loadMembersWithCredentials(source, [memberId])).get(memberId);
};

/** Determines which controllers have the credentials of the member, from the revisions that they report to serve. */
export const loadMemberCredentialDelivery = async (
  services: DeliveryServices,
  organizationId: string,
  memberId: string,
  isVisible: (siteId: string) => boolean,
): Promise<Omit<MemberCredentialDeliveryResponse, 'lockout'>> => {
  const member = await loadMember(services, organizationId, memberId);
  const controllers = await loadControllerDeliveryStates(services, organizationId, isVisible);
  const credentials = await loadCachedCredentials(services.storage.reader, organizationId, memberId);
  return {
    member_id: memberId as MemberCredentialDeliveryResponse['member_id'],
    credentials: credentials.map(credential => ({
      ...credential,
      controllers: deliveryOf(member, credential, controllers),
    })),
  };
};

/** The same for one PIN. */
export const loadPinDelivery = async (
  services: DeliveryServices,
  { id, organization_id, member_id }: Pick<MemberPinRow, 'id' | 'organization_id' | 'member_id'>,
  isVisible: (siteId: string) => boolean,
): Promise<PinDeliveryResponse> => {
  const { credentials } = await loadMemberCredentialDelivery(services, organization_id, member_id, isVisible);
  return {
    member_pin_id: id as PinDeliveryResponse['member_pin_id'],
    member_id: member_id as PinDeliveryResponse['member_id'],
    doors: credentials.find(credential => credential.id === id)?.controllers ?? [],
  };
};

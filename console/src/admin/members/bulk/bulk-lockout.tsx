import type {
  MemberCredentialDeliveryResponse,
  MemberLockout,
} from '@lintel/wire-protocol/admin/credential-delivery-to-controllers';
import { LockoutTexts } from '../../access/lockout-status.tsx';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import { buildOrganizationQueryKey } from '../../api/resource-hooks.ts';
import { useQuery } from '../../api/use-query.ts';
import { useMessages } from '../../messages/language.ts';

/** More would be a request each. Their pages show the same. */
const MOST_MEMBERS = 50;
const RELOAD_MS = 3_000;

/** A door that still opens for one of the members still opens for all that the text is about. */
const mergeLockouts = (lockouts: readonly MemberLockout[]): MemberLockout => {
  const doors = new Map<string, MemberLockout['doors'][number]>();
  for (const door of lockouts.flatMap(lockout => lockout.doors)) {
    const known = doors.get(door.gadget_id);
    const isLater = (door.locked_out_at ?? '') > (known?.locked_out_at ?? '');
    if (known === undefined || (known.status === 'locked_out' && (door.status === 'still_opens' || isLater)))
      doors.set(door.gadget_id, door);
  }
  return { opens_other_doors: false, doors: [...doors.values()] };
};

/** Where the members whose access was taken away are locked out, together. */
export const BulkLockout = ({ memberIds }: { readonly memberIds: readonly string[] }) => {
  const { bulk: texts } = useMessages();
  const { id, client } = useCurrentOrganization();
  const shown = memberIds.slice(0, MOST_MEMBERS);
  const { data } = useQuery({
    queryKey: buildOrganizationQueryKey(id, 'member', 'lockouts', shown.join(' ')),
    queryFn: async () => {
      const lockouts: MemberLockout[] = [];
      for (const memberId of shown) {
        const { lockout } = await client.get<MemberCredentialDeliveryResponse>(`/members/${memberId}/delivery`);
        if (lockout !== null) lockouts.push(lockout);
      }
      return mergeLockouts(lockouts);
    },
    refetchInterval: RELOAD_MS,
  });
  if (data === undefined || data.doors.length === 0) return null;
  return (
    <div role="status">
      <LockoutTexts lockout={data} />
      {memberIds.length > MOST_MEMBERS ? <p class="quiet small">{texts.lockoutOf(MOST_MEMBERS)}</p> : null}
    </div>
  );
};

import type { MemberResponse } from '@lintel/wire-protocol/rest/member';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { usePagedApiList } from '../api/resource-hooks.ts';
import { useMessages } from '../messages/language.ts';

const FIRST_COUNT = 5;
const PAGE_SIZE = 100;

interface MemberNamesProps {
  readonly groupId: string;
  readonly memberCount: number;
}

/** The first members of the group by name, and the others on request. */
const Names = ({ groupId, memberCount }: MemberNamesProps) => {
  const { groups: texts, members } = useMessages();
  const [isWhole, setWhole] = useState(false);
  const limit = isWhole ? PAGE_SIZE : FIRST_COUNT;
  const list = usePagedApiList<MemberResponse>('member', '/members', { member_group_id: groupId, limit });
  const rest = memberCount - list.items.length;
  const showMore = (): void => {
    if (isWhole) void list.fetchNextPage();
    else setWhole(true);
  };
  if (list.items.length === 0) return null;
  return (
    <p class="small">
      {list.items.map(({ name }) => (name === '' ? members.unnamed : name)).join(', ')}{' '}
      {list.hasNextPage && rest > 0 ? (
        <Button variant="plain" onPress={showMore}>
          {texts.andMore(rest)}
        </Button>
      ) : null}
    </p>
  );
};

export const MemberNameList = (props: MemberNamesProps) =>
  useCurrentOrganization().allows('members.read') ? <Names {...props} /> : null;

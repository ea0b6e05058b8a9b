import type { MemberGroupResponse } from '@lintel/wire-protocol/rest/member-group';
import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import { addIcon, keyIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import { useApiList } from '../api/resource-hooks.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { matchesSearch } from '../components/matches-search.ts';
import { SearchField } from '../components/search-field.tsx';
import { TextInputDialog } from '../components/text-input-dialog.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { VirtualizedList } from '../components/virtualized-list.tsx';
import { useLanguage, useMessages } from '../messages/language.ts';
import { useLinkTo } from '../router/links-and-query-parameters.ts';
import { describePermissionRule } from '../access/describe-permission-rule.ts';
import type { PermissionRuleObjects } from '../access/member-group-access.ts';
import {
  usePermissionRuleObjects,
  useMemberGroups,
  useMemberGroupSizes,
  useReloadMemberGroups,
} from './member-group-hooks.ts';
import { mergeNeighboringPermissionRules } from '../access/permission-rule-draft.ts';

const ROW_HEIGHT = 64;

interface GroupRowProps {
  readonly group: MemberGroupResponse;
  readonly memberCount: number | null;
  readonly objects: PermissionRuleObjects;
}

const GroupRow = ({ group, memberCount, objects }: GroupRowProps) => {
  const { messages, locale } = useLanguage();
  const { groups: texts, members } = messages;
  const [first, ...others] = mergeNeighboringPermissionRules(group.permissions);
  return (
    <a class="list-row" href={useLinkTo()(`/groups/${group.id}`)}>
      <span class="member-name">{group.name === '' ? members.unnamed : group.name}</span>
      <span class="quiet small">{memberCount === null ? '' : texts.memberCount(memberCount)}</span>
      <span class="list-row-more quiet small">
        {first === undefined
          ? texts.noRules
          : describePermissionRule(first.draft, { messages, locale, objects }).sentence}
        {others.length === 0 ? '' : ` · ${texts.andMoreRules(others.length)}`}
      </span>
    </a>
  );
};

const NewGroup = () => {
  const { groups: texts, stay } = useMessages();
  const { client } = useCurrentOrganization();
  const { route } = useLocation();
  const linkTo = useLinkTo();
  const reload = useReloadMemberGroups();
  const [isOpen, setOpen] = useState(false);
  const create = async (name: string): Promise<void> => {
    const { id } = await client.post<MemberGroupResponse>('/member_groups', { name });
    await reload();
    route(linkTo(`/groups/${id}`));
  };
  return (
    <>
      <Button variant="primary" icon={addIcon} onPress={() => setOpen(true)}>
        {texts.newGroup}
      </Button>
      {isOpen ? (
        <TextInputDialog title={texts.newGroup} label={stay.name} onSubmit={create} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
};

/** Their pages say which doors still open for the members. */
const DeletedGroups = () => {
  const { groups: texts, members } = useMessages();
  const linkTo = useLinkTo();
  const { data = [] } = useApiList<MemberGroupResponse>('member_group', '/member_groups', { is_deleted: 'true' });
  if (data.length === 0) return null;
  return (
    <details class="card panel">
      <summary>{texts.deletedGroups(data.length)}</summary>
      <ul class="entry-list">
        {data.map(({ id, name }) => (
          <li key={id}>
            <a href={linkTo(`/groups/${id}`)}>{name === '' ? members.unnamed : name}</a>
          </li>
        ))}
      </ul>
    </details>
  );
};

export const MemberGroupsScreen = () => {
  const { groups: texts, shell } = useMessages();
  const { allows } = useCurrentOrganization();
  const list = useMemberGroups();
  const sizes = useMemberGroupSizes();
  const objects = usePermissionRuleObjects();
  const [search, setSearch] = useState('');
  const canCreate = allows('member_groups.write');
  return (
    <>
      <PageHeader title={shell.groups} subtitle={texts.subtitle}>
        {canCreate ? <NewGroup /> : null}
      </PageHeader>
      <QueryContent query={list}>
        {all => {
          if (all.length === 0) return <EmptyState icon={keyIcon} title={texts.emptyTitle} text={texts.emptyText} />;
          const shown = all
            .filter(({ name }) => matchesSearch(name, search))
            .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
          return (
            <>
              <SearchField label={texts.search} value={search} onChange={setSearch} />
              {shown.length === 0 ? (
                <EmptyState icon={keyIcon} title={texts.noMatch} text={texts.noMatchText} />
              ) : (
                <VirtualizedList
                  label={shell.groups}
                  items={shown}
                  keyOf={({ id }) => id}
                  estimatedHeight={ROW_HEIGHT}
                  onEndReached={() => undefined}
                >
                  {group => (
                    <GroupRow
                      group={group}
                      memberCount={sizes === null ? null : (sizes.get(group.id) ?? 0)}
                      objects={objects}
                    />
                  )}
                </VirtualizedList>
              )}
            </>
          );
        }}
      </QueryContent>
      <DeletedGroups />
    </>
  );
};

import { Button } from '../../../design/controls.tsx';
import { downloadIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import type { QueryParameters } from '../../api/send-request.ts';
import { useNotices } from '../../components/notices.tsx';
import { useNotifiedAction } from '../../components/use-notified-action.ts';
import { saveAsDownload, formatCsv } from '../../csv/format-and-save-csv.ts';
import { useMessages } from '../../messages/language.ts';
import type { MemberWithGroupAssociations } from '../member-list-item.tsx';

interface ExportedMember extends MemberWithGroupAssociations {
  readonly emails?: readonly { readonly email: string }[];
  readonly tags?: readonly { readonly name: string }[];
}

const COLUMNS = ['id', 'name', 'starts_at', 'ends_at', 'emails', 'groups', 'tags'];

/** One line per member, with the field names of the API. */
const formatMembersAsCsv = (members: readonly ExportedMember[]): string =>
  formatCsv([
    COLUMNS,
    ...members.map(({ id, name, starts_at, ends_at, emails = [], group_associations = [], tags = [] }) => [
      id,
      name,
      starts_at ?? '',
      ends_at ?? '',
      emails.map(({ email }) => email).join('; '),
      group_associations.flatMap(({ member_group }) => member_group?.name ?? []).join('; '),
      tags.map(tag => tag.name).join('; '),
    ]),
  ]);

/** Saves all members that match the filters as CSV. Secrets are not part of it. */
export const ExportMembersButton = ({ query }: { readonly query: QueryParameters }) => {
  const { bulk: texts } = useMessages();
  const { client } = useCurrentOrganization();
  const notices = useNotices();
  const { isBusy, run } = useNotifiedAction();
  const save = (): Promise<void> =>
    run(async () => {
      const expand = 'emails,group_associations.member_group,tags';
      const all = await client.listAll<MemberWithGroupAssociations>('/members', { ...query, expand, limit: 100 });
      saveAsDownload('members.csv', 'text/csv', formatMembersAsCsv(all));
      notices.show(texts.exported(all.length));
    });
  return (
    <Button icon={downloadIcon} isDisabled={isBusy} onPress={() => void save()}>
      {texts.exportCsv}
    </Button>
  );
};

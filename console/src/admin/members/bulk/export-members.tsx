import { Button } from '../../../design/controls.tsx';
import { downloadIcon } from '../../../design/icons.ts';
import { useCurrentOrganization } from '../../api/current-organization.ts';
import type { QueryParameters } from '../../api/send-request.ts';
import { useNotices } from '../../components/notices.tsx';
import { useNotifiedAction } from '../../components/use-notified-action.ts';
import { saveAsDownload } from '../../csv/format-and-save-csv.ts';
import { useMessages } from '../../messages/language.ts';
import type { MemberWithGroupAssociations } from '../member-list-item.tsx';
import { formatMembersAsCsv } from './format-members-as-csv.ts';

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

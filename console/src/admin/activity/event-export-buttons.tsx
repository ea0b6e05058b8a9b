import { Button } from '../../design/controls.tsx';
import { downloadIcon } from '../../design/icons.ts';
import { useCurrentOrganization } from '../api/current-organization.ts';
import type { QueryParameters } from '../api/send-request.ts';
import { useNotices } from '../components/notices.tsx';
import { useNotifiedAction } from '../components/use-notified-action.ts';
import { useMessages } from '../messages/language.ts';
import { saveAsDownload } from '../csv/format-and-save-csv.ts';
import { useTimesOfSites } from '../time/use-site-time-formats.ts';
import { fetchEventsForExport, formatEventsAsCsv } from './export-events.ts';

/** Exports the events that match the filters. */
export const EventExportButtons = ({ query }: { readonly query: QueryParameters }) => {
  const messages = useMessages();
  const { activity } = messages;
  const { client } = useCurrentOrganization();
  const timesOf = useTimesOfSites();
  const notices = useNotices();
  const { isBusy, run } = useNotifiedAction();
  const exportAs = (format: 'csv' | 'json'): Promise<void> =>
    run(async () => {
      const { events, isLimited } = await fetchEventsForExport(client, query);
      const content = format === 'csv' ? formatEventsAsCsv(events, messages, timesOf) : JSON.stringify(events, null, 2);
      saveAsDownload(`activity.${format}`, format === 'csv' ? 'text/csv' : 'application/json', content);
      notices.show(isLimited ? activity.exportLimited(events.length) : activity.exported(events.length));
    });
  return (
    <>
      <Button icon={downloadIcon} isDisabled={isBusy} onPress={() => void exportAs('csv')}>
        {isBusy ? activity.exporting : activity.exportCsv}
      </Button>
      <Button icon={downloadIcon} isDisabled={isBusy} onPress={() => void exportAs('json')}>
        {activity.exportJson}
      </Button>
    </>
  );
};

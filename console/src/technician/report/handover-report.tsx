import type { HandoverReportResponse } from '@lintel/wire-protocol/technician/handover-report';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { buildTechnicianScreenUrl } from '../shell/screen-ids-and-urls.ts';
import { controllerSession, useControllerResource } from '../api/controller-hooks.ts';
import { countTestedParts, listTestableParts } from '../hardware-tests/testable-parts.ts';
import * as shellMessages from '../messages/english/shell.ts';
import * as reportMessages from '../messages/english/handover-report.ts';
import { HandoverReportSheet } from './handover-report-sheet.tsx';

/** Missing and failed tests. */
const TestSummary = ({ report }: { readonly report: HandoverReportResponse }) => {
  const { tests } = useSharedControllerData();
  const parts = listTestableParts(report.status, controllerSession.endpoint.isRemote);
  const open = parts.length - countTestedParts(parts, tests.value?.data ?? report.tests);
  const failed = report.tests.filter(({ result }) => result === 'failed').length;
  return (
    <>
      <p class={open > 0 ? 'mark' : 'good'}>
        {open > 0 ? reportMessages.unfinishedTestCountText(open) : reportMessages.allTestsDoneText}{' '}
        {open > 0 ? <a href={buildTechnicianScreenUrl('tests')}>{reportMessages.goToTestsButton}</a> : null}
      </p>
      {failed > 0 ? <p class="wrong">{reportMessages.failedTestCountText(failed)}</p> : null}
    </>
  );
};

export const HandoverReportScreen = () => {
  const { value } = useControllerResource<HandoverReportResponse>('/report');
  if (value === null) return <p class="quiet">{shellMessages.loadingInProgressText}</p>;
  return (
    <>
      <section class="card panel no-print" aria-labelledby="report">
        <h1 id="report">{reportMessages.reportHeading}</h1>
        <p class="quiet">{reportMessages.reportIntroText}</p>
        <TestSummary report={value} />
        <div class="bar">
          <Button variant="primary" icon={icons.printIcon} onPress={() => print()}>
            {reportMessages.printButton}
          </Button>
        </div>
      </section>
      <HandoverReportSheet report={value} />
    </>
  );
};

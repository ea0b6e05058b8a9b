import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { useWhatIsKnown } from '../frame/known.ts';
import { addressOf } from '../frame/screens.ts';
import { useReading } from '../link/use-visit.ts';
import { judgedCount, testableParts } from '../tests/testable-parts.ts';
import * as frameWords from '../words/english/frame-words.ts';
import * as reportWords from '../words/english/report-words.ts';
import { ReportSheet } from './report-sheet.tsx';

/** What the report would be short of. */
const Readiness = ({ report }: { readonly report: TechnicianReport }) => {
  const { tests } = useWhatIsKnown();
  const parts = testableParts(report.status);
  const open = parts.length - judgedCount(parts, tests.value?.data ?? report.tests);
  const failed = report.tests.filter(({ result }) => result === 'failed').length;
  return (
    <>
      <p class={open > 0 ? 'mark' : 'good'}>
        {open > 0 ? reportWords.open(open) : reportWords.ready}{' '}
        {open > 0 ? <a href={addressOf('tests')}>{reportWords.openLink}</a> : null}
      </p>
      {failed > 0 ? <p class="wrong">{reportWords.failedTests(failed)}</p> : null}
    </>
  );
};

export const Report = () => {
  const { value } = useReading<TechnicianReport>('/report');
  if (value === null) return <p class="quiet">{frameWords.loading}</p>;
  return (
    <>
      <section class="card panel no-print" aria-labelledby="report">
        <h1 id="report">{reportWords.heading}</h1>
        <p class="quiet">{reportWords.intro}</p>
        <Readiness report={value} />
        <div class="bar">
          <Press look="primary" icon={shapes.print} press={() => print()}>
            {reportWords.print}
          </Press>
        </div>
      </section>
      <ReportSheet report={value} />
    </>
  );
};

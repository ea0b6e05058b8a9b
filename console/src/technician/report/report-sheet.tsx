import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { ComponentChildren } from 'preact';
import { groupsOf } from '../coming-in/fingerprint.tsx';
import { type Fact, Facts } from '../frame/facts.tsx';
import { type Names, namesOf } from '../frame/names.ts';
import { deedOf } from '../rules/rule-sentence.ts';
import { resultWords } from '../tests/judge.tsx';
import { testTitle } from '../tests/test-title.ts';
import { momentWords } from '../words/times.ts';
import * as overviewWords from '../words/english/overview-words.ts';
import * as reportWords from '../words/english/report-words.ts';
import * as ruleWords from '../words/english/rule-words.ts';
import * as testWords from '../words/english/test-words.ts';
import { reportedRule } from './report-rule.ts';

const technicianWords = ({ user_id, pass_id }: TechnicianReport['by']): string => {
  if (user_id !== null) return reportWords.user(user_id);
  return pass_id === null ? reportWords.bySetupCode : reportWords.pass(pass_id);
};

const placeWords = ({ id, name }: TechnicianReport['site']): string =>
  [name, id].filter(one => one !== null).join(', ') || '–';

const factsOf = (report: TechnicianReport): readonly Fact[] => {
  const { status, product, certificates, last_sync } = report;
  return [
    [reportWords.device, placeWords(report.device)],
    [reportWords.site, placeWords(report.site)],
    [reportWords.organization, placeWords(report.organization)],
    [reportWords.product, [product.name, product.id, product.revision].filter(one => one !== null).join(', ')],
    [reportWords.firmware, status.firmware],
    [reportWords.address, `${status.name}.local`],
    [reportWords.lastSync, last_sync === null ? reportWords.never : momentWords(last_sync)],
    [
      reportWords.time,
      `${momentWords(status.clock.time)}, ${status.clock.trusted ? overviewWords.trusted(status.clock.source) : overviewWords.untrusted}`,
    ],
    [reportWords.waiting, String(status.waiting_events)],
    [reportWords.fingerprint, groupsOf(certificates.technician).join('  ')],
    ...(certificates.device_fingerprint === null
      ? []
      : [
          [
            reportWords.certificate,
            `${certificates.device_serial ?? ''}${
              certificates.device_expires_at === null
                ? ''
                : `, ${reportWords.until(momentWords(certificates.device_expires_at))}`
            }`,
          ] as const,
        ]),
    [reportWords.made, momentWords(report.made_at)],
    [reportWords.by, technicianWords(report.by)],
  ];
};

const Table = ({ heads, children }: { readonly heads: readonly string[]; readonly children: ComponentChildren }) => (
  <table>
    <thead>
      <tr>
        {heads.map(head => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

const reportNames = ({ rules, without_rules, status }: TechnicianReport): Names =>
  namesOf([
    ...[...rules, ...(without_rules === null ? [] : [without_rules])].map(
      ({ gadget_id, gadget_name, action_id, action_name }) => ({
        gadget_id,
        name: gadget_name ?? ruleWords.gone,
        actions: [{ id: action_id, name: action_name ?? action_id }],
      }),
    ),
    ...status.gadgets,
  ]);

const RulesPart = ({ report, names }: { readonly report: TechnicianReport; readonly names: Names }) => (
  <section>
    <h3>{reportWords.rules}</h3>
    {report.rules_pending ? <p>{reportWords.rulesPending}</p> : null}
    {report.rules.length === 0 ? (
      <p>
        {ruleWords.none}
        {report.without_rules === null ? '' : `: ${ruleWords.spoken('', deedOf(report.without_rules, names))}`}
      </p>
    ) : null}
    <ol class="sheet-rules">
      {report.rules.map(rule => (
        <li key={`${rule.code} ${rule.gadget_id}`}>{reportedRule(rule, names)}</li>
      ))}
    </ol>
  </section>
);

const checkTitle = ({ health }: TechnicianReport, id: string): string | undefined =>
  health.checks.find(check => `health:${check.id}` === id)?.title;

const TestsPart = ({ report, names }: { readonly report: TechnicianReport; readonly names: Names }) => (
  <section>
    <h3>{reportWords.tests}</h3>
    {report.tests.length === 0 ? <p>{reportWords.noTests}</p> : null}
    {report.tests.length === 0 ? null : (
      <Table heads={[reportWords.test, reportWords.result, reportWords.when, reportWords.note]}>
        {report.tests.map(entry => (
          <tr key={entry.id}>
            <td>{checkTitle(report, entry.id) ?? testTitle(entry.id, names)}</td>
            <td data-result={entry.result ?? undefined}>{resultWords(entry)}</td>
            <td>
              {momentWords(entry.at)}
              {entry.time_trusted ? '' : `, ${reportWords.clockUntrusted}`}
            </td>
            <td>
              {[
                entry.note,
                entry.seen === null ? null : testWords.seen(entry.seen.what),
                technicianWords(entry.by),
                entry.is_remote ? reportWords.remote : null,
              ]
                .filter(one => one !== null)
                .join('; ')}
            </td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);

const WiringPart = ({ wiring }: Pick<TechnicianReport, 'wiring'>) => (
  <section>
    <h3>{reportWords.wiring}</h3>
    {wiring.length === 0 ? <p>{reportWords.noWiring}</p> : null}
    {wiring.map(({ title, board, wires }) => (
      <div key={title} class="wires">
        <h4>{board === null || title.includes(board) ? title : `${title} (${board})`}</h4>
        <Table heads={[reportWords.wireFrom, reportWords.wireTo, reportWords.wireName]}>
          {wires.map((wire, index) => (
            <tr key={index}>
              <td>{wire.from}</td>
              <td>{wire.to}</td>
              <td>{wire.name}</td>
            </tr>
          ))}
        </Table>
      </div>
    ))}
  </section>
);

/** The page that is handed over: on paper, or as the PDF that the browser makes of it. */
export const ReportSheet = ({ report }: { readonly report: TechnicianReport }) => {
  const names = reportNames(report);
  return (
    <article class="card sheet-of-paper" aria-label={reportWords.heading}>
      <h2>{reportWords.title}</h2>
      <p class="quiet">{placeWords({ ...report.device, id: null })}</p>
      <Facts facts={factsOf(report)} />
      <RulesPart report={report} names={names} />
      <TestsPart report={report} names={names} />
      <section>
        <h3>{reportWords.health}</h3>
        <Table heads={[reportWords.check, reportWords.state, reportWords.found]}>
          {report.health.checks.map(({ id, title, state, found }) => (
            <tr key={id}>
              <td>{title}</td>
              <td data-state={state}>{overviewWords.state[state]}</td>
              <td>{found}</td>
            </tr>
          ))}
        </Table>
      </section>
      <WiringPart wiring={report.wiring} />
      <div class="signatures">
        <p>{reportWords.signature}</p>
        <p>{reportWords.takenOver}</p>
      </div>
    </article>
  );
};

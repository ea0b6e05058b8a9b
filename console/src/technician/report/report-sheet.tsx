import type { TechnicianReport } from '@lintel/wire-protocol/technician/report';
import type { ComponentChildren } from 'preact';
import { groupFingerprint } from '../login/certificate-help.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { type GadgetNames, createGadgetNames } from '../state/gadget-names.ts';
import { describeRuleAction } from '../rules/describe-rule.ts';
import { resultLabel } from '../hardware-tests/test-card.tsx';
import { testTitle } from '../hardware-tests/test-title.ts';
import { formatDateTime } from '../messages/format-time.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as reportMessages from '../messages/english/report.ts';
import * as ruleMessages from '../messages/english/rules.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { describeReportRule } from './describe-report-rule.ts';

const describeTechnician = ({ user_id, pass_id }: TechnicianReport['by']): string => {
  if (user_id !== null) return reportMessages.user(user_id);
  return pass_id === null ? reportMessages.bySetupCode : reportMessages.pass(pass_id);
};

const nameAndId = ({ id, name }: TechnicianReport['site']): string =>
  [name, id].filter(one => one !== null).join(', ') || '–';

const factsOf = (report: TechnicianReport): readonly Fact[] => {
  const { status, product, certificates, last_sync } = report;
  return [
    [reportMessages.device, nameAndId(report.device)],
    [reportMessages.site, nameAndId(report.site)],
    [reportMessages.organization, nameAndId(report.organization)],
    [reportMessages.product, [product.name, product.id, product.revision].filter(one => one !== null).join(', ')],
    [reportMessages.firmware, status.firmware],
    [reportMessages.address, `${status.name}.local`],
    [reportMessages.lastSync, last_sync === null ? reportMessages.never : formatDateTime(last_sync)],
    [
      reportMessages.time,
      `${formatDateTime(status.clock.time)}, ${status.clock.trusted ? overviewMessages.trusted(status.clock.source) : overviewMessages.untrusted}`,
    ],
    [reportMessages.waiting, String(status.waiting_events)],
    [reportMessages.fingerprint, groupFingerprint(certificates.technician).join('  ')],
    ...(certificates.device_fingerprint === null
      ? []
      : [
          [
            reportMessages.certificate,
            `${certificates.device_serial ?? ''}${
              certificates.device_expires_at === null
                ? ''
                : `, ${reportMessages.until(formatDateTime(certificates.device_expires_at))}`
            }`,
          ] as const,
        ]),
    [reportMessages.created, formatDateTime(report.made_at)],
    [reportMessages.by, describeTechnician(report.by)],
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

const reportNames = ({ rules, without_rules, status }: TechnicianReport): GadgetNames =>
  createGadgetNames([
    ...[...rules, ...(without_rules === null ? [] : [without_rules])].map(
      ({ gadget_id, gadget_name, action_id, action_name }) => ({
        gadget_id,
        name: gadget_name ?? ruleMessages.unknownGadget,
        actions: [{ id: action_id, name: action_name ?? action_id }],
      }),
    ),
    ...status.gadgets,
  ]);

const RulesSection = ({ report, names }: { readonly report: TechnicianReport; readonly names: GadgetNames }) => (
  <section>
    <h3>{reportMessages.rules}</h3>
    {report.rules_pending ? <p>{reportMessages.rulesPending}</p> : null}
    {report.rules.length === 0 ? (
      <p>
        {ruleMessages.none}
        {report.without_rules === null
          ? ''
          : `: ${ruleMessages.sentence('', describeRuleAction(report.without_rules, names))}`}
      </p>
    ) : null}
    <ol class="sheet-rules">
      {report.rules.map(rule => (
        <li key={`${rule.code} ${rule.gadget_id}`}>{describeReportRule(rule, names)}</li>
      ))}
    </ol>
  </section>
);

const checkTitle = ({ health }: TechnicianReport, id: string): string | undefined =>
  health.checks.find(check => `health:${check.id}` === id)?.title;

const TestsSection = ({ report, names }: { readonly report: TechnicianReport; readonly names: GadgetNames }) => (
  <section>
    <h3>{reportMessages.tests}</h3>
    {report.tests.length === 0 ? <p>{reportMessages.noTests}</p> : null}
    {report.tests.length === 0 ? null : (
      <Table heads={[reportMessages.test, reportMessages.result, reportMessages.when, reportMessages.note]}>
        {report.tests.map(entry => (
          <tr key={entry.id}>
            <td>{checkTitle(report, entry.id) ?? testTitle(entry.id, names)}</td>
            <td data-result={entry.result ?? undefined}>{resultLabel(entry)}</td>
            <td>
              {formatDateTime(entry.at)}
              {entry.time_trusted ? '' : `, ${reportMessages.clockUntrusted}`}
            </td>
            <td>
              {[
                entry.note,
                entry.seen === null ? null : testMessages.observed(entry.seen.what),
                reportMessages.recordedBy(describeTechnician(entry.by)),
                entry.is_remote ? reportMessages.remote : null,
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

const WiringSection = ({ wiring }: Pick<TechnicianReport, 'wiring'>) => (
  <section>
    <h3>{reportMessages.wiring}</h3>
    {wiring.length === 0 ? <p>{reportMessages.noWiring}</p> : null}
    {wiring.map(({ title, board, wires }) => (
      <div key={title} class="wires">
        <h4>{board === null || title.includes(board) ? title : `${title} (${board})`}</h4>
        <Table heads={[reportMessages.wireFrom, reportMessages.wireTo, reportMessages.wireName]}>
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

/** The printable report. */
export const ReportSheet = ({ report }: { readonly report: TechnicianReport }) => {
  const names = reportNames(report);
  return (
    <article class="card report-sheet" aria-label={reportMessages.heading}>
      <h2>{reportMessages.title}</h2>
      <p class="quiet">{nameAndId({ ...report.device, id: null })}</p>
      <Facts facts={factsOf(report)} />
      <RulesSection report={report} names={names} />
      <TestsSection report={report} names={names} />
      <section>
        <h3>{reportMessages.health}</h3>
        <Table heads={[reportMessages.check, reportMessages.state, reportMessages.found]}>
          {report.health.checks.map(({ id, title, state, found }) => (
            <tr key={id}>
              <td>{title}</td>
              <td data-state={state}>{overviewMessages.state[state]}</td>
              <td>{found}</td>
            </tr>
          ))}
        </Table>
      </section>
      <WiringSection wiring={report.wiring} />
      <div class="signatures">
        <p>{reportMessages.installer}</p>
        <p>{reportMessages.customer}</p>
      </div>
    </article>
  );
};

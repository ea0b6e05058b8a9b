import type { HandoverReportResponse } from '@lintel/wire-protocol/technician/handover-report';
import type { ComponentChildren } from 'preact';
import { splitFingerprintForDisplay } from '../login/certificate-help.tsx';
import { type LabeledValueEntry, LabeledValueList } from '../../components/labeled-value-list.tsx';
import {
  type GadgetAndActionNames,
  createGadgetAndActionNames,
} from '../../components/input-rules-editor/gadget-and-action-names.ts';
import { describeInputRuleAction } from '../../components/input-rules-editor/describe-input-rule.ts';
import { formatHardwareTestResult } from '../hardware-tests/hardware-test-panel.tsx';
import { formatHardwareTestTitle } from '../hardware-tests/format-hardware-test-title.ts';
import { formatDateTime, formatTimesInText } from '../messages/format-time.ts';
import * as overviewMessages from '../messages/english/overview.ts';
import * as reportMessages from '../messages/english/handover-report.ts';
import * as ruleMessages from '../../components/input-rules-editor/texts/en/input-rules-editor.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { describeHandoverReportInputRule } from './describe-handover-report-rule.ts';

const describeTechnician = ({ user_id, pass_id, user_name }: HandoverReportResponse['by']): string => {
  if (user_name != null && user_name !== '') return user_name;
  if (user_id === null && pass_id === null) return reportMessages.createdBySetupCodeText;
  return reportMessages.createdByTechnicianText;
};

const nameOf = ({ name }: HandoverReportResponse['site']): string => name ?? '–';

const factsOf = (report: HandoverReportResponse): readonly LabeledValueEntry[] => {
  const { status, product, certificates, last_sync } = report;
  return [
    [reportMessages.deviceLabel, nameOf(report.device)],
    [reportMessages.siteLabel, nameOf(report.site)],
    ...(report.organization.name === null
      ? []
      : [[reportMessages.organizationLabel, report.organization.name] as const]),
    [
      reportMessages.productLabel,
      [product.name ?? product.id, product.revision].filter(one => one !== null).join(', '),
    ],
    [reportMessages.firmwareLabel, status.firmware],
    [reportMessages.networkNameLabel, `${status.name}.local`],
    [reportMessages.lastSyncLabel, last_sync === null ? reportMessages.neverSyncedText : formatDateTime(last_sync)],
    [
      reportMessages.clockLabel,
      `${formatDateTime(status.clock.time)}, ${status.clock.trusted ? overviewMessages.clockTrustedText(status.clock.source) : overviewMessages.clockNotTrustedText}`,
    ],
    [reportMessages.waitingEventsLabel, String(status.waiting_events)],
    [reportMessages.pageCertificateLabel, splitFingerprintForDisplay(certificates.technician).join('  ')],
    ...(certificates.device_fingerprint === null
      ? []
      : [
          [
            reportMessages.deviceCertificateLabel,
            `${certificates.device_serial ?? ''}${
              certificates.device_expires_at === null
                ? ''
                : `, ${reportMessages.certificateValidUntilText(formatDateTime(certificates.device_expires_at))}`
            }`,
          ] as const,
        ]),
    [reportMessages.createdAtLabel, formatDateTime(report.made_at)],
    [reportMessages.createdByLabel, describeTechnician(report.by)],
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

const reportNames = ({ rules, without_rules, status }: HandoverReportResponse): GadgetAndActionNames =>
  createGadgetAndActionNames([
    ...[...rules, ...(without_rules === null ? [] : [without_rules])].map(
      ({ gadget_id, gadget_name, action_id, action_name }) => ({
        gadget_id,
        name: gadget_name ?? ruleMessages.unknownGadgetNameText,
        actions: [{ id: action_id, name: action_name ?? action_id }],
      }),
    ),
    ...status.gadgets,
  ]);

const RulesSection = ({
  report,
  names,
}: {
  readonly report: HandoverReportResponse;
  readonly names: GadgetAndActionNames;
}) => (
  <section>
    <h3>{reportMessages.inputRulesHeading}</h3>
    {report.rules_pending ? <p>{reportMessages.inputRulesNotSyncedToBridgeText}</p> : null}
    {report.rules.length === 0 ? (
      <p>
        {ruleMessages.noInputRulesText}
        {report.without_rules === null
          ? ''
          : `: ${ruleMessages.inputRuleSentenceText('', describeInputRuleAction(report.without_rules, names))}`}
      </p>
    ) : null}
    <ol class="sheet-rules">
      {report.rules.map(rule => (
        <li key={`${rule.code} ${rule.gadget_id}`}>{describeHandoverReportInputRule(rule, names)}</li>
      ))}
    </ol>
  </section>
);

/** The health section has the checks of the self-test. */
const partTests = ({ tests }: HandoverReportResponse): HandoverReportResponse['tests'] =>
  tests.filter(({ id }) => !id.startsWith('health:'));

const TestsSection = ({
  report,
  names,
}: {
  readonly report: HandoverReportResponse;
  readonly names: GadgetAndActionNames;
}) => (
  <section>
    <h3>{reportMessages.testsHeading}</h3>
    {partTests(report).length === 0 ? (
      <p>{reportMessages.noTestsDoneText}</p>
    ) : (
      <Table
        heads={[
          reportMessages.testColumn,
          reportMessages.resultColumn,
          reportMessages.testedByColumn,
          reportMessages.timeColumn,
          reportMessages.noteColumn,
        ]}
      >
        {partTests(report).map(entry => (
          <tr key={entry.id}>
            <td>{formatHardwareTestTitle(entry.id, names)}</td>
            <td data-result={entry.result ?? undefined}>{formatHardwareTestResult(entry)}</td>
            <td>{describeTechnician(entry.by)}</td>
            <td>
              {formatDateTime(entry.at)}
              {entry.time_trusted ? '' : `, ${reportMessages.testedWithUntrustedClockText}`}
            </td>
            <td>
              {[
                entry.note,
                entry.seen === null ? null : testMessages.controllerObservationText(entry.seen.what),
                entry.result === 'passed' && entry.seen === null ? reportMessages.notObservedText : null,
                entry.is_remote ? reportMessages.testedRemotelyText : null,
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

const WiringSection = ({ wiring }: Pick<HandoverReportResponse, 'wiring'>) => (
  <section>
    <h3>{reportMessages.wiringHeading}</h3>
    {wiring.length === 0 ? <p>{reportMessages.noWiringInProfileText}</p> : null}
    {wiring.map(({ title, board, wires }) => (
      <div key={title} class="wires">
        <h4>{board === null || title.includes(board) ? title : `${title} (${board})`}</h4>
        <Table heads={[reportMessages.wireFromColumn, reportMessages.wireToColumn, reportMessages.wirePurposeColumn]}>
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
export const HandoverReportSheet = ({ report }: { readonly report: HandoverReportResponse }) => {
  const names = reportNames(report);
  return (
    <article class="card report-sheet" aria-label={reportMessages.reportHeading}>
      <h2>{reportMessages.reportTitle}</h2>
      <p class="quiet">{nameOf({ ...report.device, id: null })}</p>
      <LabeledValueList facts={factsOf(report)} />
      <RulesSection report={report} names={names} />
      <TestsSection report={report} names={names} />
      <section>
        <h3>{reportMessages.healthHeading}</h3>
        <Table heads={[reportMessages.checkColumn, reportMessages.statusColumn, reportMessages.findingColumn]}>
          {report.health.checks.map(({ id, title, state, found }) => (
            <tr key={id}>
              <td>{title}</td>
              <td data-state={state}>{overviewMessages.healthStateNames[state]}</td>
              <td>{formatTimesInText(found)}</td>
            </tr>
          ))}
        </Table>
      </section>
      <WiringSection wiring={report.wiring} />
      <div class="signatures">
        <p>{reportMessages.installerSignatureLabel}</p>
        <p>{reportMessages.customerSignatureLabel}</p>
      </div>
    </article>
  );
};

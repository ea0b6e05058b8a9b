import type {
  TechnicianHardwareTestsResponse,
  HardwareTestRecord,
} from '@lintel/wire-protocol/technician/hardware-tests';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { FormField } from '../../components/form-field.tsx';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { type StatusLevel, StatusIcon } from '../../components/status-icon.tsx';
import { useApiAction } from '../state/use-api-action.ts';
import { formatDateTime } from '../messages/format-time.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';

type Result = 'passed' | 'failed' | 'skipped';

const levels: Readonly<Record<string, StatusLevel>> = { passed: 'ok', failed: 'error', skipped: 'warning' };

export const formatHardwareTestResult = (entry: HardwareTestRecord | undefined): string => {
  if (entry === undefined) return testMessages.testNotRunText;
  return entry.result === null ? testMessages.testAwaitsResultText : entry.result;
};

const useTestResult = (id: string) => {
  const { tests } = useSharedControllerData();
  const { run, isBusy } = useApiAction();
  const entry = tests.value?.data.find(one => one.id === id);
  const record = async (result: Result, note: string): Promise<void> => {
    const body = { id, result, ...(note.trim() === '' ? {} : { note: note.trim() }) };
    const response = await run<TechnicianHardwareTestsResponse>({ method: 'POST', path: '/tests', body });
    if (response !== null) await tests.reload();
  };
  return { entry, record, isBusy };
};

/** In the guided sequence, the next test appears after each result. */
export const GuidedTestContext = createContext(false);

interface TestCardProps {
  readonly id: string;
  readonly title: string;
  /** The page has seen that the part was used. Default: what the controller recorded. */
  readonly isUsed?: boolean;
  readonly children: ComponentChildren;
}

/** One test with its result. A failed test can have a note. */
export const HardwareTestPanel = ({ id, title, isUsed = false, children }: TestCardProps) => {
  const { entry, record, isBusy } = useTestResult(id);
  const [note, setNote] = useState<string | null>(null);
  const isGuided = useContext(GuidedTestContext);
  const result = entry?.result ?? null;
  const canPass = isUsed || entry?.seen?.ok === true;
  const resultButton = (value: Result, label: string) => (
    <button
      type="button"
      class="button result"
      data-result={value}
      aria-label={`${title}: ${label}`}
      aria-pressed={result === value}
      aria-disabled={isBusy || (value === 'passed' && !canPass)}
      aria-describedby={value === 'passed' && !canPass ? `run-${id}` : undefined}
      onClick={() => {
        if (value !== 'passed' || canPass) void record(value, note ?? entry?.note ?? '');
      }}
    >
      {label}
    </button>
  );
  return (
    <li class="test" data-result={result ?? undefined}>
      <div class="test-title">
        <StatusIcon level={result === null ? 'neutral' : (levels[result] ?? 'neutral')} />
        <div>
          <h3>{title}</h3>
          <p class="quiet small">
            {formatHardwareTestResult(entry)}
            {entry === undefined ? '' : `, ${formatDateTime(entry.at)}`}
          </p>
          {entry?.seen == null || entry.seen.ok ? null : (
            <p class="wrong small">{testMessages.controllerObservationText(entry.seen.what)}</p>
          )}
        </div>
      </div>
      {children}
      {canPass ? null : (
        <p id={`run-${id}`} class="quiet small">
          {testMessages.runTestFirstText}
        </p>
      )}
      <div class="results">
        {resultButton(
          'passed',
          isGuided ? testMessages.markTestPassedAndContinueButton : testMessages.markTestPassedButton,
        )}
        {resultButton('failed', testMessages.markTestFailedButton)}
        {resultButton('skipped', testMessages.markTestSkippedButton)}
      </div>
      {result === 'failed' ? (
        <FormField id={`note-${id}`} label={testMessages.testNoteLabel(title)}>
          {described => (
            <input
              {...described}
              value={note ?? entry?.note ?? ''}
              maxlength={500}
              onInput={event => setNote(event.currentTarget.value)}
              onChange={() => void record('failed', note ?? '')}
            />
          )}
        </FormField>
      ) : null}
    </li>
  );
};

import type { TechnicianHealthResponse } from '@lintel/wire-protocol/technician/health';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useControllerResource, controllerSession } from '../api/controller-hooks.ts';
import { HealthCheckList } from '../health/health-check-list.tsx';
import * as shellMessages from '../messages/english/shell.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { PartTestPanel } from './part-test.tsx';
import { OsdpReaderReplacementPanel } from './osdp-reader-replacement.tsx';
import { PcscReaderAssignmentPanel } from './pcsc-reader-assignment.tsx';
import { SelfTestPanel } from './self-test.tsx';
import { GuidedTestContext } from './hardware-test-panel.tsx';
import { countTestedParts, listCompletedTestIds, type TestablePart, listTestableParts } from './testable-parts.ts';

const HEALTH_POLL_MS = 8_000;

const groups: readonly { readonly title: string; readonly kinds: readonly TestablePart['kind'][] }[] = [
  { title: testMessages.hardwareTestGroupNames.doors, kinds: ['gadget'] },
  { title: testMessages.hardwareTestGroupNames.stations, kinds: ['keypad', 'reader', 'feedback'] },
  { title: testMessages.hardwareTestGroupNames.inputs, kinds: ['input'] },
  { title: testMessages.hardwareTestGroupNames.outputs, kinds: ['output'] },
  { title: testMessages.hardwareTestGroupNames.power, kinds: ['power'] },
];

/** The first part without a result. A failed part stays for its note until the technician continues. */
const GuidedTest = ({ parts, done }: { readonly parts: readonly TestablePart[]; readonly done: number }) => {
  const { tests } = useSharedControllerData();
  const shown = useRef<string | null>(null);
  const [finished, finish] = useState<string | null>(null);
  const entries = tests.value?.data ?? [];
  const completed = listCompletedTestIds(entries);
  const isFailed = ({ id }: TestablePart): boolean =>
    id === shown.current && id !== finished && entries.some(entry => entry.id === id && entry.result === 'failed');
  const part = parts.find(isFailed) ?? parts.find(({ id }) => !completed.has(id));
  shown.current = part?.id ?? null;
  if (tests.value === null) return null;
  if (part === undefined) return <p class="good">{testMessages.allTestsDoneText}</p>;
  const heading = testMessages.testPositionHeading(completed.has(part.id) ? done : done + 1, parts.length);
  return (
    <section class="card panel" aria-label={heading}>
      <h2>{heading}</h2>
      <GuidedTestContext.Provider value={true}>
        <ul class="tests">
          <PartTestPanel key={part.id} part={part} />
        </ul>
      </GuidedTestContext.Provider>
      {completed.has(part.id) ? (
        <Button variant="primary" icon={icons.nextArrowIcon} onPress={() => finish(part.id)}>
          {testMessages.nextTestButton}
        </Button>
      ) : null}
    </section>
  );
};

export const HardwareTestsScreen = () => {
  const { status, tests } = useSharedControllerData();
  const [isShowingAll, showAll] = useState(false);
  const health = useControllerResource<TechnicianHealthResponse>('/health', HEALTH_POLL_MS);
  if (status.value === null) return <p class="quiet">{shellMessages.loadingInProgressText}</p>;
  const parts = listTestableParts(status.value, controllerSession.endpoint.isRemote);
  const done = countTestedParts(parts, tests.value?.data ?? []);
  return (
    <>
      <div class="screen-title">
        <h1>{testMessages.hardwareTestsHeading}</h1>
        <p class="quiet">{testMessages.hardwareTestsIntroText}</p>
        <p>
          <strong>{testMessages.testProgressText(done, parts.length)}</strong>
        </p>
        <progress
          value={done}
          max={Math.max(1, parts.length)}
          aria-label={testMessages.testProgressText(done, parts.length)}
        />
      </div>
      <div class="bar">
        <Button icon={icons.listIcon} onPress={() => showAll(!isShowingAll)}>
          {isShowingAll ? testMessages.showGuidedTestsButton : testMessages.showAllTestsButton}
        </Button>
      </div>
      {controllerSession.endpoint.isRemote ? null : (
        <>
          <PcscReaderAssignmentPanel />
          <OsdpReaderReplacementPanel />
        </>
      )}
      {isShowingAll ? null : <GuidedTest parts={parts} done={done} />}
      <div class="columns flowing">
        {groups.map(({ title, kinds }) => {
          const members = parts.filter(({ kind }) => kinds.includes(kind));
          return members.length === 0 || !isShowingAll ? null : (
            <section key={title} class="card panel" aria-label={title}>
              <h2>{title}</h2>
              <ul class="tests">
                {members.map(part => (
                  <PartTestPanel key={part.id} part={part} />
                ))}
              </ul>
            </section>
          );
        })}
        {health.value === null ? null : (
          <section class="card panel" aria-label={testMessages.hardwareTestGroupNames.health}>
            <h2>{testMessages.hardwareTestGroupNames.health}</h2>
            <HealthCheckList checks={health.value.checks} />
            <SelfTestPanel />
          </section>
        )}
      </div>
    </>
  );
};

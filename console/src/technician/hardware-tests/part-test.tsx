import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useLiveEvents } from '../api/use-session.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { useControllerData } from '../state/shared-controller-resources.ts';
import { FeedbackTestCard, KeypadTestCard, ReaderTestCard } from './reader-unit-tests.tsx';
import { TestCard } from './test-card.tsx';
import type { TestablePart } from './testable-parts.ts';
import { useTestAction } from './use-test-action.tsx';

const PULSE_MS = 500;

type Part<K extends TestablePart['kind']> = Extract<TestablePart, { kind: K }>;

const GadgetTest = ({ part }: { readonly part: Part<'gadget'> }) => {
  const { execute, isBusy, message } = useTestAction();
  const path = `/gadgets/${part.gadget_id}/actions/${part.action_id}`;
  return (
    <TestCard id={part.id} title={`${part.name}: ${part.action}`}>
      <Button
        icon={icons.playIcon}
        isDisabled={isBusy}
        label={`${part.name}: ${part.action}`}
        onPress={() => void execute(path, {}, testMessages.actionExecuted)}
      >
        {part.action}
      </Button>
      {message}
    </TestCard>
  );
};

const OutputTest = ({ part }: { readonly part: Part<'output'> }) => {
  const { execute, isBusy, message } = useTestAction();
  const title = testMessages.outputTestName(part.output, part.role);
  const path = `/outputs/${encodeURIComponent(part.output)}/pulse`;
  return (
    <TestCard id={part.id} title={title}>
      <Button
        icon={icons.lightningIcon}
        isDisabled={isBusy}
        label={`${title}: ${testMessages.pulseButton}`}
        onPress={() => void execute(path, { ms: PULSE_MS }, testMessages.outputWasPulsed)}
      >
        {testMessages.pulseButton}
      </Button>
      {message}
    </TestCard>
  );
};

const InputTest = ({ part }: { readonly part: Part<'input'> }) => {
  const [changes, setChanges] = useState(0);
  const [newLevel, setNewLevel] = useState<string | null>(null);
  useLiveEvents(event => {
    if (event.type !== 'input' || event.input !== part.input) return;
    setNewLevel(event.level);
    setChanges(count => count + 1);
  });
  const level = newLevel ?? part.level;
  return (
    <TestCard id={part.id} title={testMessages.inputTestName(part.input, part.role)}>
      <p role="status">
        <span class="level" data-level={level}>
          {testMessages.currentInputLevel(level)}
        </span>
        {changes === 0 ? '' : `, ${testMessages.inputChangeCount(changes)}`}
      </p>
      <p class="quiet small">{testMessages.inputTestHint}</p>
    </TestCard>
  );
};

const presenceText = (isPresent: boolean | null | undefined): string => {
  if (isPresent == null) return testMessages.powerNotMonitored;
  return isPresent ? testMessages.powerPresent : testMessages.powerAbsent;
};

const PowerTest = ({ part }: { readonly part: Part<'power'> }) => {
  const { status } = useControllerData();
  const power = status.value?.power;
  const charge = [
    power?.battery_charging === true ? testMessages.batteryCharging : null,
    power?.battery_percent == null ? null : testMessages.batteryPercent(power.battery_percent),
  ].filter(text => text !== null);
  return (
    <TestCard id={part.id} title={testMessages.testGroupNames.power}>
      <p role="status">
        {testMessages.powerStateSummary(presenceText(power?.mains_present), presenceText(power?.battery_present))}
        {charge.length === 0 ? '' : ` (${charge.join(', ')})`}
      </p>
      <p class="quiet small">{testMessages.powerTestHint}</p>
    </TestCard>
  );
};

export const PartTestCard = ({ part }: { readonly part: TestablePart }) => {
  switch (part.kind) {
    case 'gadget':
      return <GadgetTest part={part} />;
    case 'output':
      return <OutputTest part={part} />;
    case 'feedback':
      return <FeedbackTestCard part={part} />;
    case 'reader':
      return <ReaderTestCard part={part} />;
    case 'keypad':
      return <KeypadTestCard part={part} />;
    case 'input':
      return <InputTest part={part} />;
    case 'power':
      return <PowerTest part={part} />;
  }
};

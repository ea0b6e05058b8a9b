import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { useLiveMessages } from '../api/controller-hooks.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { FeedbackTestPanel, KeypadTestPanel, ReaderTestPanel } from './reader-unit-tests.tsx';
import { HardwareTestPanel } from './hardware-test-panel.tsx';
import type { TestablePart } from './testable-parts.ts';
import { useTestAction } from './use-test-action.tsx';

const PULSE_MS = 500;

type Part<K extends TestablePart['kind']> = Extract<TestablePart, { kind: K }>;

const GadgetTest = ({ part }: { readonly part: Part<'gadget'> }) => {
  const { execute, isBusy, message } = useTestAction();
  const path = `/gadgets/${part.gadget_id}/actions/${part.action_id}`;
  return (
    <HardwareTestPanel id={part.id} title={`${part.name}: ${part.action}`}>
      <Button
        icon={icons.playIcon}
        isDisabled={isBusy}
        label={`${part.name}: ${part.action}`}
        onPress={() => void execute(path, {}, testMessages.actionExecutedText)}
      >
        {part.action}
      </Button>
      {message}
    </HardwareTestPanel>
  );
};

const OutputTest = ({ part }: { readonly part: Part<'output'> }) => {
  const { execute, isBusy, message } = useTestAction();
  const title = testMessages.outputTestTitle(part.output, part.role);
  const path = `/outputs/${encodeURIComponent(part.output)}/pulse`;
  return (
    <HardwareTestPanel id={part.id} title={title}>
      <Button
        icon={icons.lightningIcon}
        isDisabled={isBusy}
        label={`${title}: ${testMessages.pulseOutputButton}`}
        onPress={() => void execute(path, { ms: PULSE_MS }, testMessages.outputWasPulsedText)}
      >
        {testMessages.pulseOutputButton}
      </Button>
      {message}
    </HardwareTestPanel>
  );
};

const InputTest = ({ part }: { readonly part: Part<'input'> }) => {
  const [changes, setChanges] = useState(0);
  const [newLevel, setNewLevel] = useState<string | null>(null);
  useLiveMessages(event => {
    if (event.type !== 'input' || event.input !== part.input || event.level === 'unknown') return;
    setNewLevel(event.level);
    setChanges(count => count + 1);
  });
  const level = newLevel ?? part.level;
  return (
    <HardwareTestPanel id={part.id} title={testMessages.inputTestTitle(part.input, part.role)} isUsed={changes > 0}>
      <p role="status">
        <span class="level" data-level={level}>
          {testMessages.currentInputLevelText(level)}
        </span>
        {changes === 0 ? '' : `, ${testMessages.inputChangeCountText(changes)}`}
      </p>
      <p class="quiet small">{testMessages.inputTestHint}</p>
    </HardwareTestPanel>
  );
};

const presenceText = (isPresent: boolean | null | undefined): string => {
  if (isPresent == null) return testMessages.powerNotMonitoredText;
  return isPresent ? testMessages.powerPresentText : testMessages.powerAbsentText;
};

const PowerTest = ({ part }: { readonly part: Part<'power'> }) => {
  const { status } = useSharedControllerData();
  const [isChanged, setChanged] = useState(false);
  useLiveMessages(event => {
    if (event.type === 'input') setChanged(true);
  });
  const power = status.value?.power;
  const charge = [
    power?.battery_charging === true ? testMessages.batteryChargingText : null,
    power?.battery_percent == null ? null : testMessages.batteryPercentText(power.battery_percent),
  ].filter(text => text !== null);
  return (
    <HardwareTestPanel
      id={part.id}
      title={testMessages.hardwareTestGroupNames.power}
      isUsed={isChanged || power?.battery_present === true}
    >
      <p role="status">
        {testMessages.powerStateSummaryText(presenceText(power?.mains_present), presenceText(power?.battery_present))}
        {charge.length === 0 ? '' : ` (${charge.join(', ')})`}
      </p>
      <p class="quiet small">{testMessages.powerTestHint}</p>
    </HardwareTestPanel>
  );
};

export const PartTestPanel = ({ part }: { readonly part: TestablePart }) => {
  switch (part.kind) {
    case 'gadget':
      return <GadgetTest part={part} />;
    case 'output':
      return <OutputTest part={part} />;
    case 'feedback':
      return <FeedbackTestPanel part={part} />;
    case 'reader':
      return <ReaderTestPanel part={part} />;
    case 'keypad':
      return <KeypadTestPanel part={part} />;
    case 'input':
      return <InputTest part={part} />;
    case 'power':
      return <PowerTest part={part} />;
  }
};

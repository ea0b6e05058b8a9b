import type { TechnicianHealthResponse } from '@lintel/wire-protocol/technician/health';
import type { HardwareTestResultRequest } from '@lintel/wire-protocol/technician/hardware-tests';
import { useState } from 'preact/hooks';
import { Button } from '../../design/controls.tsx';
import * as icons from '../../design/icons.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import * as testMessages from '../messages/english/hardware-tests.ts';
import { useSharedControllerData } from '../state/shared-controller-data.ts';
import { useApiAction } from '../state/use-api-action.ts';
import { toHardwareTestResultRequest } from './health-check-to-test-result-request.ts';

/** Records all health checks as test results. */
export const SelfTestPanel = () => {
  const { tests } = useSharedControllerData();
  const { run } = useApiAction();
  const [isRunning, setRunning] = useState(false);
  const [summary, setSummary] = useState('');
  const runSelfTest = async (): Promise<void> => {
    setRunning(true);
    const health = await run<TechnicianHealthResponse>({ method: 'GET', path: '/health' });
    const checks = health?.checks ?? [];
    const results = checks.map(toHardwareTestResultRequest).filter(result => result !== null);
    for (const body of results) await controllerSession.request({ method: 'POST', path: '/tests', body });
    await tests.reload();
    setRunning(false);
    const count = (result: HardwareTestResultRequest['result']): number =>
      results.filter(one => one.result === result).length;
    if (health !== null)
      setSummary(testMessages.selfTestSummaryText(count('passed'), count('failed'), checks.length - results.length));
  };
  return (
    <>
      <Button variant="primary" icon={icons.checkMarkIcon} isDisabled={isRunning} onPress={() => void runSelfTest()}>
        {testMessages.selfTestButton}
      </Button>
      <p role="status">{summary}</p>
    </>
  );
};

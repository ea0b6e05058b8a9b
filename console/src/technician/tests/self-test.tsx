import type { TechnicianHealth } from '@lintel/wire-protocol/technician/health';
import type { TestJudgement } from '@lintel/wire-protocol/technician/tests';
import { useState } from 'preact/hooks';
import { Press } from '../../design/controls.tsx';
import * as shapes from '../../design/shapes.ts';
import { useWhatIsKnown } from '../frame/known.ts';
import { useOrder } from '../frame/use-order.ts';
import { visit } from '../link/use-visit.ts';
import * as testWords from '../words/english/test-words.ts';
import { judgementOf } from './health-judgement.ts';

/** Everything that the controller can judge without a person, with the time for the report. */
export const SelfTest = () => {
  const { tests } = useWhatIsKnown();
  const { order } = useOrder();
  const [isRunning, setRunning] = useState(false);
  const [said, say] = useState('');
  const run = async (): Promise<void> => {
    setRunning(true);
    const health = await order<TechnicianHealth>({ method: 'GET', path: '/health' });
    const judged = (health?.checks ?? []).map(judgementOf);
    for (const body of judged) await visit.ask({ method: 'POST', path: '/tests', body });
    await tests.reload();
    setRunning(false);
    const count = (result: TestJudgement['result']): number => judged.filter(one => one.result === result).length;
    if (health !== null) say(testWords.selfTested(count('passed'), count('failed')));
  };
  return (
    <>
      <Press look="primary" icon={shapes.check} isOff={isRunning} press={() => void run()}>
        {testWords.selfTest}
      </Press>
      <p role="status">{said}</p>
    </>
  );
};

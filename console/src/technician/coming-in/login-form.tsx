import { useEffect, useRef, useState } from 'preact/hooks';
import { Segments } from '../../design/controls.tsx';
import { failureWords } from '../frame/failure-words.ts';
import { Form } from '../frame/form.tsx';
import { useLock } from '../frame/use-lock.ts';
import { isRefusedWith } from '../link/answer.ts';
import type { Secret } from '../link/secret-memory.ts';
import { useStore } from '../link/store.ts';
import { visit } from '../link/use-visit.ts';
import * as comingInWords from '../words/english/coming-in-words.ts';
import * as frameWords from '../words/english/frame-words.ts';
import { brought } from './brought.ts';
import { broughtByText } from './fragment.ts';
import { LabelCodeField } from './label-code-field.tsx';
import { ScannedField } from './scanned-field.tsx';
import { isWholeSetupCode } from './setup-code.ts';

type Way = 'code' | 'pass';

const useLogin = () => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { left, isLocking } = useLock();
  const enter = async (secret: Secret): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const answer = await visit.login(secret);
    setBusy(false);
    if (answer.ok) {
      // Used up: whoever comes back after a long while has to show something again.
      brought.set({ ...brought.value, code: null, pass: null });
      return setProblem(null);
    }
    const { failure } = answer;
    if (isLocking(failure)) return setProblem(null);
    const isWrongCode = 'code' in secret && isRefusedWith(failure, 401);
    setProblem(
      isWrongCode && (visit.hello.value?.login.includes('code') ?? false)
        ? comingInWords.wrongCode
        : failureWords(failure),
    );
  };
  return { enter, isBusy, problem, locked: left };
};

/** Once for each thing that an address brings, and only where it opens something. */
const useBrought = (ways: readonly Way[], enter: (secret: Secret) => void): void => {
  const { code, pass } = useStore(brought);
  const tried = useRef<string | null>(null);
  useEffect(() => {
    const secret =
      pass !== null && ways.includes('pass') ? { pass } : code !== null && ways.includes('code') ? { code } : null;
    const form = JSON.stringify(secret);
    if (secret === null || tried.current === form) return;
    tried.current = form;
    enter(secret);
  }, [code, pass, ways.join()]);
};

/** The code on the label or a pass, whichever opens the controller now. */
export const LoginForm = () => {
  const ways = useStore(visit.hello)?.login ?? [];
  const [wanted, setWanted] = useState<Way | null>(null);
  const [code, setCode] = useState('');
  const [pass, setPass] = useState('');
  const { enter, isBusy, problem, locked } = useLogin();
  useBrought(ways, secret => void enter(secret));
  const way = wanted !== null && ways.includes(wanted) ? wanted : (ways[0] ?? 'code');
  const isLocked = way === 'code' && locked > 0;
  const isReady = way === 'code' ? isWholeSetupCode(code) : pass.trim() !== '';
  const submit = (): void => {
    const found = broughtByText(pass, 'pass').pass;
    void enter(way === 'code' ? { code } : { pass: found ?? pass.trim() });
  };
  const shown = isLocked ? comingInWords.throttled : problem;
  return (
    <Form
      isOff={!isReady || isLocked || isBusy}
      send={submit}
      words={
        isLocked ? frameWords.wait(frameWords.clock(locked)) : isBusy ? comingInWords.entering : comingInWords.enter
      }
    >
      {ways.length > 1 ? (
        <Segments
          name="way"
          legend={comingInWords.wayLegend}
          chosen={way}
          options={[
            { value: 'pass', label: comingInWords.byPass },
            { value: 'code', label: comingInWords.byCode },
          ]}
          choose={setWanted}
        />
      ) : null}
      {way === 'code' ? (
        <LabelCodeField
          id="setup-code"
          label={comingInWords.code}
          hint={comingInWords.codeHint}
          error={shown}
          code={code}
          type={setCode}
        />
      ) : (
        <ScannedField
          id="pass"
          label={comingInWords.pass}
          hint={comingInWords.passHint}
          error={shown}
          value={pass}
          type={setPass}
        />
      )}
    </Form>
  );
};

import { useEffect, useRef, useState } from 'preact/hooks';
import { SegmentedControl } from '../../design/controls.tsx';
import { isRejectedWith } from '../api/api-result.ts';
import type { LoginCredential } from '../api/credential-cache.ts';
import { useStore } from '../api/store.ts';
import { session } from '../api/use-session.ts';
import { Form } from '../components/form.tsx';
import * as loginMessages from '../messages/english/login.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { errorMessage } from '../state/error-message.ts';
import { useLockout } from '../state/use-lockout.ts';
import { CodeField } from './code-field.tsx';
import { parseScannedText } from './parse-fragment.ts';
import { ScanField } from './scan-field.tsx';
import { isCompleteSetupCode } from './setup-code.ts';
import { urlCredentials } from './url-credentials.ts';

type LoginMethod = 'code' | 'pass';

const useLogin = () => {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const { secondsLeft, startLockout } = useLockout();
  const login = async (credential: LoginCredential): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const result = await session.login(credential);
    setBusy(false);
    if (result.ok) {
      // Used once: after the session has expired, the page asks for a credential again.
      urlCredentials.set({ ...urlCredentials.value, code: null, pass: null });
      return setMessage(null);
    }
    const { error } = result;
    if (startLockout(error)) return setMessage(null);
    const isWrongCode = 'code' in credential && isRejectedWith(error, 401);
    setMessage(
      isWrongCode && (session.hello.value?.login.includes('code') ?? false)
        ? loginMessages.wrongCode
        : errorMessage(error),
    );
  };
  return { login, isBusy, message, secondsLeft };
};

/** Logs in once with each credential of the URL that the controller accepts. */
const useUrlLogin = (methods: readonly LoginMethod[], login: (credential: LoginCredential) => void): void => {
  const { code, pass } = useStore(urlCredentials);
  const lastTried = useRef<string | null>(null);
  useEffect(() => {
    const credential =
      pass !== null && methods.includes('pass')
        ? { pass }
        : code !== null && methods.includes('code')
          ? { code }
          : null;
    const key = JSON.stringify(credential);
    if (credential === null || lastTried.current === key) return;
    lastTried.current = key;
    login(credential);
  }, [code, pass, methods.join()]);
};

export const LoginForm = () => {
  const methods = useStore(session.hello)?.login ?? [];
  const [selected, setSelected] = useState<LoginMethod | null>(null);
  const [code, setCode] = useState('');
  const [pass, setPass] = useState('');
  const { login, isBusy, message, secondsLeft } = useLogin();
  useUrlLogin(methods, credential => void login(credential));
  const method = selected !== null && methods.includes(selected) ? selected : (methods[0] ?? 'code');
  const isLockedOut = method === 'code' && secondsLeft > 0;
  const isReady = method === 'code' ? isCompleteSetupCode(code) : pass.trim() !== '';
  const submit = (): void => {
    const found = parseScannedText(pass, 'pass').pass;
    void login(method === 'code' ? { code } : { pass: found ?? pass.trim() });
  };
  const error = isLockedOut ? loginMessages.lockedOut : message;
  return (
    <Form
      isDisabled={!isReady || isLockedOut || isBusy}
      onSubmit={submit}
      submitLabel={
        isLockedOut
          ? shellMessages.wait(shellMessages.clock(secondsLeft))
          : isBusy
            ? loginMessages.submitting
            : loginMessages.submit
      }
    >
      {methods.length > 1 ? (
        <SegmentedControl
          name="method"
          legend={loginMessages.methodLegend}
          value={method}
          options={[
            { value: 'pass', label: loginMessages.byPass },
            { value: 'code', label: loginMessages.byCode },
          ]}
          onChange={setSelected}
        />
      ) : null}
      {method === 'code' ? (
        <CodeField
          id="setup-code"
          label={loginMessages.code}
          hint={loginMessages.codeHint}
          error={error}
          code={code}
          onInput={setCode}
        />
      ) : (
        <ScanField
          id="pass"
          label={loginMessages.pass}
          hint={loginMessages.passHint}
          error={error}
          value={pass}
          onInput={setPass}
        />
      )}
    </Form>
  );
};

import * as loginMessages from '../messages/english/login.ts';
import * as shellMessages from '../messages/english/shell.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, SegmentedControl } from '../../design/controls.tsx';
import { isTechnicianApiRejectionWith } from '../api/api-result.ts';
import type { LoginCredential } from '../api/login-credential-cache.ts';
import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import { Form } from '../../components/form.tsx';
import { storeTechnicianPass } from '../pass/pass-store.ts';
import { describeTechnicianApiError } from '../api/describe-api-error.ts';
import { useLockoutCountdown } from '../state/use-lockout-countdown.ts';
import { SetupOrClaimCodeField } from './setup-or-claim-code-field.tsx';
import {
  formatTechnicianPassExpiry,
  redirectToTechnicianPassRequest,
  useStoredTechnicianPass,
} from './use-or-request-technician-pass.ts';
import { isCompleteSetupCode } from './login-input.ts';
import { fragmentCredentials } from './fragment-credentials.ts';

type LoginMethod = 'code' | 'pass';

const useLogin = () => {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const { secondsLeft, startLockout } = useLockoutCountdown();
  /** Returns a message for an error. */
  const send = async (credential: LoginCredential): Promise<string | null> => {
    const result = await controllerSession.login(credential);
    if (result.ok) {
      // Used once: after the session has expired, the page asks for a credential again.
      fragmentCredentials.set({ ...fragmentCredentials.value, code: null, pass: null });
      return null;
    }
    const { error } = result;
    if ('code' in credential && startLockout(error)) return null;
    const isWrongCode = 'code' in credential && isTechnicianApiRejectionWith(error, 401);
    return isWrongCode && (controllerSession.hello.value?.login.includes('code') ?? false)
      ? loginMessages.wrongSetupCodeText
      : describeTechnicianApiError(error);
  };
  const run = async (work: () => Promise<string | null>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const text = await work().catch(() => loginMessages.cannotStoreTechnicianPassText);
    setBusy(false);
    setMessage(text);
  };
  const login = (credential: LoginCredential): Promise<void> => run(() => send(credential));
  /** With a pass that the bridge has just issued. */
  const loginWithNewPass = (pass: string): Promise<void> =>
    run(async () =>
      (await storeTechnicianPass(pass)) ? send({ pass }) : loginMessages.technicianPassOfOtherBrowserText,
    );
  const getPass = (): Promise<void> =>
    run(async () => {
      if (controllerSession.hello.value !== null) await redirectToTechnicianPassRequest(controllerSession.hello.value);
      return null;
    });
  return { login, loginWithNewPass, getPass, isBusy, message, secondsLeft };
};

/** Acts once on each credential of the URL that the controller accepts. */
const useUrlLogin = (
  methods: readonly LoginMethod[],
  storedPass: string | null | undefined,
  { login, loginWithNewPass, getPass }: ReturnType<typeof useLogin>,
): void => {
  const { code, pass, signIn } = useObservableValue(fragmentCredentials);
  const lastTried = useRef<string | null>(null);
  useEffect(() => {
    const tryOnce = (key: string, act: () => Promise<void>): void => {
      if (lastTried.current === key) return;
      lastTried.current = key;
      void act();
    };
    if (pass !== null && methods.includes('pass')) tryOnce(pass, () => loginWithNewPass(pass));
    else if (code !== null && methods.includes('code')) tryOnce(code, () => login({ code }));
    else if (signIn === 'pass' && methods.includes('pass') && storedPass !== undefined)
      tryOnce('sign_in', () => (storedPass === null ? getPass() : login({ pass: storedPass })));
  }, [code, pass, signIn, storedPass, methods.join()]);
};

interface PassLoginProps {
  readonly storedPass: string | null;
  readonly error: string | null;
  readonly onGetPass: () => void;
}

const PassLogin = ({ storedPass, error, onGetPass }: PassLoginProps) => {
  const bridge = useObservableValue(controllerSession.hello)?.bridge_url ?? '';
  return (
    <>
      <p class="quiet">
        {storedPass === null
          ? loginMessages.getTechnicianPassHint(bridge.replace(/^https?:\/\//, ''))
          : loginMessages.storedTechnicianPassHint(formatTechnicianPassExpiry(storedPass))}
      </p>
      {error === null ? null : (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      {storedPass === null ? null : <Button onPress={onGetPass}>{loginMessages.getNewTechnicianPassButton}</Button>}
    </>
  );
};

export const TechnicianLoginForm = () => {
  const methods = useObservableValue(controllerSession.hello)?.login ?? [];
  const [selected, setSelected] = useState<LoginMethod | null>(null);
  const [code, setCode] = useState('');
  const storedPass = useStoredTechnicianPass();
  const logins = useLogin();
  const { login, getPass, isBusy, message, secondsLeft } = logins;
  useUrlLogin(methods, storedPass, logins);
  const method = selected !== null && methods.includes(selected) ? selected : (methods[0] ?? 'code');
  const isLockedOut = method === 'code' && secondsLeft > 0;
  const isReady = method === 'code' ? isCompleteSetupCode(code) : storedPass !== undefined;
  const submit = (): void => {
    if (method === 'code') void login({ code });
    else void (storedPass == null ? getPass() : login({ pass: storedPass }));
  };
  const error = isLockedOut ? loginMessages.setupCodeLockedOutText : message;
  return (
    <Form
      isDisabled={!isReady || isLockedOut || isBusy}
      onSubmit={submit}
      submitLabel={
        isLockedOut
          ? shellMessages.retryCountdownText(shellMessages.formatCountdown(secondsLeft))
          : isBusy
            ? loginMessages.signInInProgressText
            : method === 'pass' && storedPass == null
              ? loginMessages.getTechnicianPassButton
              : loginMessages.signInButton
      }
    >
      {methods.length > 1 ? (
        <SegmentedControl
          name="method"
          legend={loginMessages.loginMethodLegend}
          value={method}
          options={[
            { value: 'pass', label: loginMessages.technicianPassMethodLabel },
            { value: 'code', label: loginMessages.setupCodeMethodLabel },
          ]}
          onChange={setSelected}
        />
      ) : null}
      {method === 'code' ? (
        <SetupOrClaimCodeField
          id="setup-code"
          label={loginMessages.setupCodeLabel}
          hint={loginMessages.setupCodeHint}
          error={error}
          code={code}
          onInput={setCode}
        />
      ) : (
        <PassLogin storedPass={storedPass ?? null} error={error} onGetPass={() => void getPass()} />
      )}
    </Form>
  );
};

import type { SessionProofOptionsResponse, SessionProofRequest } from '@lintel/wire-protocol/admin/session-proof';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormField } from '../../components/form-field.tsx';
import { Button } from '../../design/controls.tsx';
import { ApiRequestError, sendAdminRequest, setFreshLoginPrompt } from '../api/send-request.ts';
import { useMessages } from '../messages/language.ts';
import { describeAdminError } from './describe-admin-error.ts';
import { useSubmission } from './use-submission.ts';
import { CancelButton } from './dialog-buttons.tsx';

const prove = (proof: SessionProofRequest): Promise<unknown> => sendAdminRequest('POST', '/session/proof', proof);

const proveWithPasskey = async (options: string): Promise<void> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
  );
  // The browser rejects when the user cancels.
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (credential === null) return Promise.reject(new ApiRequestError(400, { type: 'invalid_request' }));
  await prove({ passkey: JSON.stringify((credential as PublicKeyCredential).toJSON()) });
};

const FreshLoginDialog = ({ onDone }: { readonly onDone: (hasProved: boolean) => void }) => {
  const messages = useMessages();
  const { freshLogin } = messages.general;
  const [password, setPassword] = useState('');
  const [passkeyOptions, setPasskeyOptions] = useState<string | null>(null);
  const [hasUsedPasskey, setUsedPasskey] = useState(false);
  const { isBusy, error, submit } = useSubmission();
  useEffect(() => {
    if (typeof PublicKeyCredential !== 'function' || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return;
    // Without an answer, the password is enough.
    sendAdminRequest<SessionProofOptionsResponse>('GET', '/session/proof').then(
      ({ passkey_options }) => setPasskeyOptions(passkey_options),
      () => undefined,
    );
  }, []);
  const finishWith = (work: () => Promise<unknown>): Promise<void> =>
    submit(async () => {
      await work();
      onDone(true);
    });
  const submitPasskey = (options: string): void => {
    setUsedPasskey(true);
    void finishWith(() => proveWithPasskey(options));
  };
  const isWrong = error instanceof ApiRequestError && error.type === 'invalid_request';
  const wrongText = hasUsedPasskey ? freshLogin.passkeyWrong : freshLogin.passwordWrong;
  const problem = error === null ? null : isWrong ? wrongText : describeAdminError(messages, error);
  return (
    <Dialog label={freshLogin.title} onClose={() => onDone(false)}>
      <h2>{freshLogin.title}</h2>
      <p>{freshLogin.text}</p>
      <Form
        isDisabled={password === '' || isBusy}
        submitLabel={freshLogin.confirm}
        cancel={
          <>
            <CancelButton onPress={() => onDone(false)} />
            {passkeyOptions === null ? null : (
              <Button isDisabled={isBusy} onPress={() => submitPasskey(passkeyOptions)}>
                {freshLogin.passkey}
              </Button>
            )}
          </>
        }
        onSubmit={() => {
          setUsedPasskey(false);
          void finishWith(() => prove({ password }));
        }}
      >
        <FormField id="fresh-login-password" label={freshLogin.password}>
          {field => (
            <input
              {...field}
              type="password"
              value={password}
              maxLength={1024}
              autocomplete="current-password"
              onInput={event => setPassword(event.currentTarget.value)}
            />
          )}
        </FormField>
        <p class="wrong" role="alert">
          {problem}
        </p>
      </Form>
    </Dialog>
  );
};

/** Asks for the password or a passkey when the bridge requires a fresh login. The request is then repeated. */
export const FreshLoginProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const [isAsking, setAsking] = useState(false);
  const answer = useRef<(hasProved: boolean) => void>(() => undefined);
  useEffect(
    () =>
      setFreshLoginPrompt(
        () =>
          new Promise(resolve => {
            answer.current = resolve;
            setAsking(true);
          }),
      ),
    [],
  );
  const finish = (hasProved: boolean): void => {
    setAsking(false);
    answer.current(hasProved);
  };
  return (
    <>
      {children}
      {isAsking ? <FreshLoginDialog onDone={finish} /> : null}
    </>
  );
};

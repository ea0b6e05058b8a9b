import { useEffect } from 'preact/hooks';
import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import { Dialog } from '../../components/dialog.tsx';
import * as loginMessages from '../messages/english/login.ts';
import { CertificateHelpPanel } from './certificate-help.tsx';
import { TechnicianLoginForm } from './login-form.tsx';

const POLL_MS = 4_000;

/** The login methods change when the setup button is pressed or a claim completes. */
const useHelloPolling = (): void => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void controllerSession.loadHello();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
};

const BridgeLoginLink = () => (
  <p>
    <a class="button primary" href={`/login?return_to=${encodeURIComponent(location.pathname + location.search)}`}>
      {loginMessages.signInButton}
    </a>
  </p>
);

export const LoginScreen = () => {
  const hello = useObservableValue(controllerSession.hello);
  useHelloPolling();
  if (controllerSession.endpoint.isRemote)
    return (
      <main class="login">
        <BridgeLoginLink />
      </main>
    );
  if (hello === null) {
    return (
      <main class="login">
        <section class="card panel">
          <h1>{loginMessages.connectingToControllerText}</h1>
          <p class="quiet">{loginMessages.connectingHint}</p>
        </section>
      </main>
    );
  }
  return (
    <main class="login">
      <section class="card panel">
        <div>
          <h1>{hello.name}</h1>
          <p class="quiet">{loginMessages.productAndFirmwareText(hello.product_id, hello.firmware)}</p>
        </div>
        <p>{hello.claimed ? loginMessages.signInClaimedText : loginMessages.signInUnclaimedText}</p>
        <TechnicianLoginForm />
      </section>
      <CertificateHelpPanel />
    </main>
  );
};

/** Covers the page after the session has expired. */
export const SessionExpiredDialog = () => {
  useHelloPolling();
  return (
    <Dialog label={loginMessages.sessionExpiredHeading} onClose={null}>
      <h2>{loginMessages.sessionExpiredHeading}</h2>
      <p class="quiet">{loginMessages.sessionExpiredHint}</p>
      {controllerSession.endpoint.isRemote ? <BridgeLoginLink /> : <TechnicianLoginForm />}
    </Dialog>
  );
};

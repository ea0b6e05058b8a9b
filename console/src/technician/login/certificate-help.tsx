import { useObservableValue } from '../api/observable-value.ts';
import { controllerSession } from '../api/controller-hooks.ts';
import * as loginMessages from '../messages/english/login.ts';
import { fragmentCredentials } from './fragment-credentials.ts';

const normalize = (fingerprint: string): string => fingerprint.replaceAll(/[^0-9a-f]/gi, '').toLowerCase();

/** Groups of four bytes, as on the label. */
export const splitFingerprintForDisplay = (fingerprint: string): readonly string[] => {
  const pairs = fingerprint.split(':');
  return Array.from({ length: Math.ceil(pairs.length / 4) }, (_, index) =>
    pairs.slice(index * 4, index * 4 + 4).join(' '),
  );
};

const Fingerprint = ({ fingerprint }: { readonly fingerprint: string }) => (
  <p class="fingerprint" aria-label={loginMessages.fingerprintLabel}>
    {splitFingerprintForDisplay(fingerprint).map(group => (
      <code key={group}>{group}</code>
    ))}
  </p>
);

/** Explains the certificate warning of the browser. */
export const CertificateHelpPanel = () => {
  const hello = useObservableValue(controllerSession.hello);
  const { fingerprint: scanned } = useObservableValue(fragmentCredentials);
  if (hello === null) return null;
  const isSame = scanned === null ? null : normalize(scanned) === normalize(hello.fingerprint);
  return (
    <details class="card explanation" open={isSame === false}>
      <summary>
        <h2>{loginMessages.browserWarningHeading}</h2>
      </summary>
      <p>{loginMessages.browserWarningReasonText}</p>
      <p>{loginMessages.fingerprintCheckHint}</p>
      <Fingerprint fingerprint={hello.fingerprint} />
      {isSame === null ? null : (
        <p class={isSame ? 'good' : 'wrong'}>
          {isSame ? loginMessages.fingerprintMatchesLabelText : loginMessages.fingerprintDiffersFromLabelText}
        </p>
      )}
    </details>
  );
};

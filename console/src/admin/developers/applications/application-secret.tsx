import { SecretValue } from '../../components/secret-value.tsx';
import { useMessages } from '../../messages/language.ts';
import type { OAuthApplicationWithSecret } from './application-forms.tsx';

/** The client secret, which only the response of the creation or rotation contains. */
export const OAuthApplicationSecretPanel = ({ application }: { readonly application: OAuthApplicationWithSecret }) => {
  const { developers } = useMessages();
  return (
    <section class="card panel" aria-label={developers.secretOf(application.name)}>
      <h2>{developers.secretOf(application.name)}</h2>
      <SecretValue label={developers.clientId} value={application.client_id} />
      {application.client_secret === null ? null : (
        <>
          <SecretValue label={developers.clientSecret} value={application.client_secret} />
          <p class="mark">{developers.secretOnce}</p>
        </>
      )}
    </section>
  );
};

import * as credentialTestMessages from '../messages/english/credential-test.ts';
import { AccessCheckForm } from './access-check.tsx';
import { TemporaryCredentialPanel } from './commissioning.tsx';

export const CredentialTestScreen = () => (
  <>
    <h1>{credentialTestMessages.credentialTestHeading}</h1>
    <div class="columns">
      <TemporaryCredentialPanel />
      <AccessCheckForm />
    </div>
  </>
);

import * as credentialTestMessages from '../messages/english/credential-test.ts';
import { CredentialCheckForm } from './credential-check-form.tsx';
import { CommissioningCredentialPanel } from './commissioning-credential-panel.tsx';

export const CredentialTestScreen = () => (
  <>
    <h1>{credentialTestMessages.credentialTestHeading}</h1>
    <div class="columns">
      <CommissioningCredentialPanel />
      <CredentialCheckForm />
    </div>
  </>
);

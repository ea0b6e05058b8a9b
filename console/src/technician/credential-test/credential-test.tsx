import * as credentialTestMessages from '../messages/english/credential-test.ts';
import { AccessCheck } from './access-check.tsx';
import { Commissioning } from './commissioning.tsx';

export const CredentialTest = () => (
  <>
    <h1>{credentialTestMessages.heading}</h1>
    <div class="columns">
      <Commissioning />
      <AccessCheck />
    </div>
  </>
);

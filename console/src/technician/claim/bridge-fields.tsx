import { Field } from '../frame/field.tsx';
import * as claimWords from '../words/english/claim-words.ts';
import { addressOf } from './bridge-address.ts';

interface BridgeFieldsProps {
  readonly bridge: string;
  readonly setBridge: (bridge: string) => void;
  readonly authority: string;
  readonly setAuthority: (authority: string) => void;
}

/** Where a code is to be shown, and by what that bridge is known where no public authority vouches for it. */
export const BridgeFields = ({ bridge, setBridge, authority, setAuthority }: BridgeFieldsProps) => (
  <>
    <Field
      id="bridge"
      label={claimWords.bridge}
      hint={claimWords.bridgeHint}
      error={bridge === '' || addressOf(bridge) !== null ? null : claimWords.notAddress}
    >
      {described => (
        <input
          {...described}
          type="url"
          inputmode="url"
          value={bridge}
          autocomplete="off"
          autocapitalize="none"
          onInput={event => setBridge(event.currentTarget.value)}
        />
      )}
    </Field>
    <details class="small" open={authority !== ''}>
      <summary>{claimWords.ownCertificate}</summary>
      <Field id="authority" label={claimWords.authority} hint="SHA-256, 13:F0:…">
        {described => (
          <input
            {...described}
            value={authority}
            autocomplete="off"
            spellcheck={false}
            onInput={event => setAuthority(event.currentTarget.value)}
          />
        )}
      </Field>
    </details>
  </>
);

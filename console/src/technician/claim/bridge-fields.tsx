import { Field } from '../components/field.tsx';
import * as claimMessages from '../messages/english/claim.ts';
import { parseBridgeUrl } from './parse-bridge-url.ts';

interface BridgeFieldsProps {
  readonly bridge: string;
  readonly setBridge: (bridge: string) => void;
  readonly authority: string;
  readonly setAuthority: (authority: string) => void;
}

export const BridgeFields = ({ bridge, setBridge, authority, setAuthority }: BridgeFieldsProps) => (
  <>
    <Field
      id="bridge"
      label={claimMessages.bridge}
      hint={claimMessages.bridgeHint}
      error={bridge === '' || parseBridgeUrl(bridge) !== null ? null : claimMessages.invalidAddress}
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
      <summary>{claimMessages.selfSigned}</summary>
      <Field id="authority" label={claimMessages.authority} hint="SHA-256, 13:F0:…">
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

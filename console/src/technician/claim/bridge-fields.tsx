import * as claimMessages from '../messages/english/claim.ts';
import { FormField } from '../../components/form-field.tsx';
import { parseBridgeUrl } from './claim-input.ts';

interface BridgeFieldsProps {
  readonly bridge: string;
  readonly setBridge: (bridge: string) => void;
  readonly authority: string;
  readonly setAuthority: (authority: string) => void;
}

export const BridgeFields = ({ bridge, setBridge, authority, setAuthority }: BridgeFieldsProps) => (
  <>
    <FormField
      id="bridge"
      label={claimMessages.bridgeAddressLabel}
      hint={claimMessages.bridgeAddressHint}
      error={bridge === '' || parseBridgeUrl(bridge) !== null ? null : claimMessages.invalidBridgeAddressText}
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
    </FormField>
    <details class="small" open={authority !== ''}>
      <summary>{claimMessages.ownAuthorityLabel}</summary>
      <FormField id="authority" label={claimMessages.authorityFingerprintLabel} hint="SHA-256, 13:F0:…">
        {described => (
          <input
            {...described}
            value={authority}
            autocomplete="off"
            spellcheck={false}
            onInput={event => setAuthority(event.currentTarget.value)}
          />
        )}
      </FormField>
    </details>
  </>
);

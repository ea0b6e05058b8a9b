/** The credentials in the fragment of a link or QR code. Browsers do not send the fragment to a server. */
export interface FragmentCredentials {
  readonly code: string | null;
  readonly pass: string | null;
  readonly ticket: string | null;
  /** Of the controller's certificate, from the QR code of the label. */
  readonly fingerprint: string | null;
  /** `pass`: sign in with the pass of this browser, or get one. */
  readonly signIn: string | null;
}

const none: FragmentCredentials = { code: null, pass: null, ticket: null, fingerprint: null, signIn: null };

/** `#/rules` is a screen; `#pass=…` contains a credential. */
export const parseUrlFragment = (hash: string): FragmentCredentials => {
  if (!/^#?[a-z_]+=/.test(hash)) return none;
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string): string | null => fields.get(name)?.trim() || null;
  return {
    code: text('code'),
    pass: text('pass'),
    ticket: text('ticket'),
    fingerprint: text('fp') ?? text('fingerprint'),
    signIn: text('sign_in'),
  };
};

/** Accepts a link, its fragment, or the credential alone, which is then of type `type`. */
export const parseScannedText = (text: string, type: 'code' | 'ticket'): FragmentCredentials => {
  const trimmed = text.trim();
  const hash = trimmed.includes('#') ? trimmed.slice(trimmed.indexOf('#')) : trimmed;
  const credentials = parseUrlFragment(hash);
  if (credentials !== none) return credentials;
  return trimmed === '' ? none : { ...none, [type]: trimmed };
};

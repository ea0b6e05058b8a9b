const CODE_LENGTH = 12;
const GROUP_LENGTH = 4;

/** Formats typed text as on the label: uppercase, in groups, with `0` for `O` and `1` for `I` and `L`. */
export const formatSetupCode = (typed: string): string => {
  const plain = typed
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(/[^0-9A-Z]/g, '')
    .slice(0, CODE_LENGTH);
  return plain.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g'))?.join('-') ?? '';
};

export const isCompleteSetupCode = (code: string): boolean => /^([0-9A-Z]{4}-){2}[0-9A-Z]{4}$/.test(code);

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

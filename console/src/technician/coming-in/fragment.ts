/** What a link or a QR code brought along behind the `#`, which no request carries. */
export interface Brought {
  readonly code: string | null;
  readonly pass: string | null;
  readonly ticket: string | null;
  /** Of the certificate, as the label's QR code has it. */
  readonly fingerprint: string | null;
}

const nothing: Brought = { code: null, pass: null, ticket: null, fingerprint: null };

/** `#/rules` is a screen; anything else with a `=` may bring something. */
export const broughtBy = (hash: string): Brought => {
  if (!/^#?[a-z_]+=/.test(hash)) return nothing;
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string): string | null => fields.get(name)?.trim() || null;
  return {
    code: text('code'),
    pass: text('pass'),
    ticket: text('ticket'),
    fingerprint: text('fp') ?? text('fingerprint'),
  };
};

/** What was pasted or scanned: a link, the part behind its `#`, or the bare text. */
export const broughtByText = (text: string, bare: 'code' | 'pass' | 'ticket'): Brought => {
  const plain = text.trim();
  const hash = plain.includes('#') ? plain.slice(plain.indexOf('#')) : plain;
  const brought = broughtBy(hash);
  if (brought !== nothing) return brought;
  return plain === '' ? nothing : { ...nothing, [bare]: plain };
};

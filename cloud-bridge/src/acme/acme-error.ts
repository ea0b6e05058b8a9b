/** The problem document of an ACME server (RFC 8555, section 6.7). */
export interface AcmeProblem {
  readonly type?: string | undefined;
  readonly detail?: string | undefined;
}

const PREFIX = 'urn:ietf:params:acme:error:';

/** A certificate could not be obtained. The message says why, in the words of the ACME server. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
  /** Such as `rateLimited`; empty if the server gave none or was not reached. */
  readonly kind: string;
  /** The server asks to wait this long. */
  readonly retryAfterMs: number;

  constructor(message: string, kind = '', retryAfterMs = 0, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

export const toAcmeError = ({ type, detail }: AcmeProblem, action: string, retryAfterMs = 0): AcmeError => {
  const kind = type?.startsWith(PREFIX) === true ? type.slice(PREFIX.length) : '';
  return new AcmeError(`${action}: ${detail ?? kind}`, kind, retryAfterMs);
};

/** What the operator can do about it. */
export const describeAcmeErrorAdvice = (kind: string, name: string, port: 80 | 443): string => {
  switch (kind) {
    case 'dns':
      return `Create an A or AAAA record for ${name} that points to this bridge.`;
    case 'connection':
      return `Check that ${name} points to this bridge, and that port ${port} is open in the firewall and forwarded to it.`;
    case 'unauthorized':
    case 'incorrectResponse':
    case 'tls':
      return `Another server answers for ${name} on port ${port}. Point the name to this bridge, or forward the port to it unchanged.`;
    case 'rateLimited':
      return 'The certificate authority limits the number of requests. The bridge tries again later.';
    case 'caa':
      return `The CAA record of ${name} does not permit this certificate authority. Change the record or --acme-directory.`;
    case 'rejectedIdentifier':
      return `The certificate authority issues no certificates for ${name}. Check --public-url.`;
    case 'invalidContact':
    case 'unsupportedContact':
      return 'Check --acme-email.';
    case 'externalAccountRequired':
      return 'This certificate authority requires an external account, which is not supported. Choose another --acme-directory.';
    default:
      return 'Check --acme-directory and the network connection of this bridge.';
  }
};

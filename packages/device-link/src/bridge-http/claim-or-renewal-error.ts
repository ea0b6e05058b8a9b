/** A failed claim or renewal, with a message for people. */
export class ClaimOrRenewalError extends Error {
  override readonly name = 'ClaimOrRenewalError';
  /** Retries are useless. */
  readonly isFinal: boolean;
  /** The invalid field of the request: `code`, `ticket`, `product_id`, … */
  readonly field: string | null;

  constructor(message: string, isFinal: boolean, field: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
    this.field = field;
  }
}

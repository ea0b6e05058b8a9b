/** Why a claim or a renewal did not succeed, as a person needs it. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError';
  /** Trying again will not help. */
  readonly isFinal: boolean;
  /** What the bridge found wrong in the request: `code`, `ticket`, `product_id`, … */
  readonly field: string | null;

  constructor(message: string, isFinal: boolean, field: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
    this.field = field;
  }
}

/** The card or an option cannot be used. */
export class PrepareError extends Error {}

/** The card or an option cannot be used. */
export class SdCardPreparationError extends Error {}

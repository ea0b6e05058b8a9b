export const osdpReadersHeading = 'OSDP readers';
export const osdpReadersHint =
  'A new reader works only after it was replaced here. For 5 minutes one with the default key is accepted: watch the cable.';
export const replaceReaderButton = 'Replace reader';
export const readerKeyLabel = 'Key of the new reader';
export const readerKeyHint = 'Empty for a reader in installation mode, otherwise 32 digits, 0 to 9 and A to F.';

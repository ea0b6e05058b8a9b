const codes: Readonly<Record<number, string>> = {
  0x80100002: 'Cancelled',
  0x80100003: 'InvalidHandle',
  0x80100008: 'InsufficientBuffer',
  0x80100009: 'UnknownReader',
  0x8010000a: 'Timeout',
  0x8010000b: 'SharingViolation',
  0x8010000c: 'NoCard',
  0x8010000f: 'ProtocolMismatch',
  0x80100013: 'CommunicationError',
  0x80100016: 'NotTransacted',
  0x80100017: 'ReaderUnavailable',
  0x8010001d: 'NoService',
  0x8010001e: 'ServiceStopped',
  0x8010002e: 'NoReadersAvailable',
  0x80100066: 'UnresponsiveCard',
  0x80100067: 'UnpoweredCard',
  0x80100068: 'ResetCard',
  0x80100069: 'RemovedCard',
  0x8010006a: 'SecurityViolation',
};

/** An error code of the PC/SC service. */
export class PcscError extends Error {
  override readonly name = 'PcscError';
  /** The name of the error, such as `NoService`. */
  readonly code: string;
  /** The number that PC/SC returned. */
  readonly result: number;

  constructor(result: number) {
    const code = codes[result] ?? `Code${result.toString(16)}`;
    super(`PC/SC says ${code}`);
    this.code = code;
    this.result = result;
  }
}

import type { PartFault } from '../../interfaces/part-fault.ts';
import type { PcscReaderChoice } from './pcsc-reader.ts';
import { PcscTimeoutError } from './pcsc-session-and-service-interfaces.ts';

const SERVICE_AWAY = 'The PC/SC service (pcscd) does not respond';
const LONGEST_REASON = 160;

/**
 * The binding reports service errors by codes such as `NoService`; other errors come from the binding or the process.
 */
export const isPcscServiceError = (error: Error): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][a-z]/.test(code);
};

const CARD_TROUBLES: readonly unknown[] = [
  'NoCard',
  'CommunicationError',
  'NotTransacted',
  'UnresponsiveCard',
  'UnpoweredCard',
  'ResetCard',
  'RemovedCard',
];

/** The card did not respond or left too early; neither the service nor another program is at fault. */
export const isPcscCardError = (error: unknown): boolean => CARD_TROUBLES.includes((error as { code?: unknown }).code);

export const toPcscFault = (error: Error): PartFault => {
  if (error instanceof PcscTimeoutError) return { kind: 'broken', message: SERVICE_AWAY };
  if (isPcscServiceError(error)) return { kind: 'absent', message: SERVICE_AWAY };
  const reason = error.message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON);
  return { kind: 'absent', message: `PC/SC cannot be used: ${reason}` };
};

export const createMissingPcscReaderFault = ({
  model,
  usb_path,
  serial,
  isUnassigned,
}: PcscReaderChoice): PartFault => {
  if (isUnassigned === true)
    return { kind: 'absent', message: 'no reader is assigned: assign it on the tests page of the controller' };
  const name = model === undefined ? 'no reader' : `no reader "${model}"`;
  const number = serial === undefined ? '' : ` with the serial number ${serial}`;
  const port = usb_path === undefined ? '' : ` at USB port ${usb_path}`;
  return { kind: 'absent', message: `${name}${number} is plugged in${port}` };
};

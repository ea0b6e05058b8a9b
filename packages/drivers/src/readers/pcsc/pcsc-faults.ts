import type { PartFault } from '../../ports/part-fault.ts';
import { PcscTimeoutError } from './pcsc-session.ts';

const SERVICE_AWAY = 'the PC/SC service (pcscd) does not answer';
const LONGEST_REASON = 160;

/** The binding names what the service says by codes as `NoService`; others are of a binding or process that does not run. */
export const isService = (error: Error): boolean => {
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

/** It was the card that did not answer, or not to the end: neither the service nor somebody else who holds it. */
export const isCardError = (error: unknown): boolean => CARD_TROUBLES.includes((error as { code?: unknown }).code);

export const pcscFaultOf = (error: Error): PartFault => {
  if (error instanceof PcscTimeoutError) return { kind: 'broken', message: SERVICE_AWAY };
  if (isService(error)) return { kind: 'absent', message: SERVICE_AWAY };
  const reason = error.message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON);
  return { kind: 'absent', message: `PC/SC cannot be used: ${reason}` };
};

export const missing = (name: string | null): PartFault => ({
  kind: 'absent',
  message: name === null ? 'no reader is plugged in' : `no reader "${name}" is plugged in`,
});

/* Readers that a technician assigns on site. */

export * from './pcsc/assignment.ts';
export { PcscProcessService } from './pcsc/service.ts';
export type { PcscReaderUsbPortAndSerial, PcscService } from './pcsc/session.ts';

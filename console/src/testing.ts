/** What tests and benchmarks outside this package use of it. The pages do not import it. */
export { trimQrDecoder } from '../trim-qr-decoder.ts';
export { EVENT_EXPAND_NAMES } from './admin/api/event-expand-parameter.ts';

export { cardReaderContract } from './testing/card-reader-contract.ts';
export { supervisedLinesContract } from './testing/input-lines-contract.ts';
export { keypadContract } from './testing/keypad-contract.ts';
export { timedOutputLinesContract } from './testing/output-lines-contract.ts';
export { type OsdpTestBench, type OsdpTestBenchReader, openOsdpTestBench } from './testing/osdp-test-bench.ts';

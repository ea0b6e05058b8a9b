/** What tests and benchmarks outside this package use of it. Production code does not import it. */
export { decideByReference } from './permission/reference-decide.test-support.ts';

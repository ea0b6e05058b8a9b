import { configureGlobal } from 'fast-check';

/** Fewer property runs per mutant. Most mutants fail early, and full runs for thousands of mutants take days. */
configureGlobal({ interruptAfterTimeLimit: 150 });

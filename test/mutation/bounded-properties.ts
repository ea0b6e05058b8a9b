import { configureGlobal } from 'fast-check';

/** A changed rule is noticed early or not at all: thousands of runs for each of thousands of mutants would take days. */
configureGlobal({ interruptAfterTimeLimit: 150 });

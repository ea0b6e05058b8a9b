import { join } from 'node:path';

/** The folder of the repository that packages are built from. */
export const repositoryRoot = join(import.meta.dirname, '../../../..');

import { join } from 'node:path';

/** Files of the image that are not TypeScript: root, init script, package list, the script that makes partitions. */
export const imageSystemFilesFolder = join(import.meta.dirname, '../../files/system');

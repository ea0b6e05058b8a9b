import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiNames } from './api-names.ts';

writeFileSync(join(import.meta.dirname, '../../docs/api-names.md'), apiNames());

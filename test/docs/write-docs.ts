import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { drawWiring } from '@lintel/hardware-profiles/wiring-drawing';
import { withDriverTables } from './generate-driver-tables.ts';
import { apiNames } from './generate-api-names-page.ts';
import { clientTypes } from './generate-client-api-types.ts';
import { formatPostmanCollection } from './generate-postman-collection.ts';
import { differences, GENERATED_PART } from './generate-specification-differences.ts';

const docs = join(import.meta.dirname, '../../docs');

writeFileSync(join(docs, 'integrator/api-names.md'), apiNames());
writeFileSync(join(docs, 'integrator/postman-collection.json'), formatPostmanCollection());
writeFileSync(join(docs, '../packages/client/src/api-types.ts'), clientTypes());

const differencesPage = join(docs, 'integrator/differences.md');
const [handWritten = ''] = readFileSync(differencesPage, 'utf8').split(GENERATED_PART);
writeFileSync(differencesPage, handWritten + GENERATED_PART + differences());

const hardwarePage = join(docs, 'hardware.md');
writeFileSync(hardwarePage, withDriverTables(readFileSync(hardwarePage, 'utf8')));

mkdirSync(join(docs, 'hardware/wiring'), { recursive: true });
for (const profile of loadProfiles()) {
  if (Object.keys(profile.buses).length === 0) continue;
  writeFileSync(join(docs, 'hardware/wiring', `${profile.product_id}.svg`), drawWiring(profile));
}

import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseCommandArguments,
  rejectExtraArguments,
  requireOption,
} from '@lintel/service/command-line/command-arguments';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { openBridgeServices } from '../open-services.ts';
import {
  readClusterSecretOption,
  parseDatabaseOption,
  requireBridgeFolder,
} from './data-folder-and-database-options.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';

const usage = `lintel broker-certificate --data DIR [--database URL] --name NAME --out DIR [--json]

Issues the certificate of an external MQTT broker with the bridge's own authority, which controllers trust. Works while
the bridge is running or stopped. Run it again before the certificate expires, and reload the broker.

  --name NAME   host name or address in --mqtt-public-url (repeatable)
  --out DIR     folder for the files:
                  broker.pem       certificate of the broker
                  broker-key.pem   its key
                  ca.pem           authority of the broker and of the devices; clients must have a certificate of it

  npx lintel broker-certificate --data .lintel/bridge --name broker.example.com --out broker
`;

const options = {
  data: { type: 'string' },
  database: { type: 'string' },
  'cluster-secret-file': { type: 'string' },
  name: { type: 'string', multiple: true },
  out: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const command = defineBridgeCommand(usage, async (args, { stdout }) => {
  const { values, positionals } = parseCommandArguments({ args, options, allowPositionals: true });
  rejectExtraArguments(positionals, 0);
  const names = values.name ?? [];
  if (names.length === 0) throw new UsageError('--name is required');
  const folder = requireOption(values.out, 'out');
  const database = parseDatabaseOption(values.database);
  const dataDir = requireBridgeFolder(values.data, database);
  const clusterSecret = readClusterSecretOption(values['cluster-secret-file'], database);
  const services = await openBridgeServices({ dataDir, database, clusterSecret });
  try {
    const authority = await services.authority();
    const { key, certificate } = await authority.issueServerCertificate(names, services.clock());
    mkdirSync(folder, { recursive: true });
    const files = { 'broker.pem': certificate, 'broker-key.pem': key, 'ca.pem': authority.certificate };
    for (const [file, text] of Object.entries(files)) writePrivateFile(join(folder, file), text);
    const expires_at = new X509Certificate(certificate).validToDate.toISOString();
    const text = `${Object.keys(files).join(', ')} written to ${folder}. The certificate expires on ${expires_at.slice(0, 10)}.`;
    stdout.write(values.json === true ? `${JSON.stringify({ folder, expires_at })}\n` : `${text}\n`);
    return 0;
  } finally {
    await services.close();
  }
});

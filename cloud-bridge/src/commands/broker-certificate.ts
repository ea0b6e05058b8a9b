import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { rejectExtraArguments, requireOption } from '@lintel/service/command-line/command-arguments';
import { UsageError } from '@lintel/service/command-line/cli-command';
import { createPrivateFolder } from '@lintel/service/data-folder/create-folder';
import { writeAsCaller } from '@lintel/service/data-folder/folder-owner';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { openBridgeServices } from '../open-services.ts';
import { parseBridgeCommand, withBridgeData } from './bridge-location.ts';
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
  name: { type: 'string', multiple: true },
  out: { type: 'string' },
} as const;

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, positionals, locate } = parseBridgeCommand(args, options);
  rejectExtraArguments(positionals, 0);
  const names = values.name ?? [];
  if (names.length === 0) throw new UsageError('--name is required');
  const folder = requireOption(values.out, 'out');
  const location = locate(streams);
  // A cluster needs the certificate before the first bridge starts, because bridges need the broker.
  const access = location.clusterSecret === undefined ? 'existing' : 'new';
  return withBridgeData(location, access, async () => {
    const services = await openBridgeServices(location);
    try {
      const authority = await services.authority();
      const { key, certificate } = await authority.issueServerCertificate(names, services.clock());
      const files = { 'broker.pem': certificate, 'broker-key.pem': key, 'ca.pem': authority.certificate };
      await writeAsCaller(folder, async () => {
        createPrivateFolder(folder);
        for (const [file, text] of Object.entries(files)) writePrivateFile(join(folder, file), text);
      });
      const expires_at = new X509Certificate(certificate).validToDate.toISOString();
      const text = `${Object.keys(files).join(', ')} written to ${folder}. The certificate expires on ${expires_at.slice(0, 10)}.`;
      streams.stdout.write(values.json === true ? `${JSON.stringify({ folder, expires_at })}\n` : `${text}\n`);
      return 0;
    } finally {
      await services.close();
    }
  });
});

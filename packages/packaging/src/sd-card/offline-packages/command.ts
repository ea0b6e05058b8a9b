import { commandOf, UsageError } from '@lintel/service/command-line/command';
import { parseCall } from '@lintel/service/command-line/options';
import { openOutFolder } from '../../debian-package/out-folder.ts';
import { DEBIAN, fetchBytes, fetchPackages } from './fetch-packages.ts';
import { type Suite, suites } from './wanted-packages.ts';

const usage = `lintel image packages --out DIR [--suite bookworm|trixie] [--mirror URL] [--json]

Downloads the Debian packages that a controller needs for USB card readers, for \`lintel image prepare --packages DIR\`.
Online, prepare downloads them itself.

  --out DIR       output folder
  --suite NAME    Debian release on the card: trixie (since October 2025, default) or bookworm
  --mirror URL    default: ${DEBIAN}
  --json          print one JSON document

  npx lintel image packages --out packages
`;

const options = {
  out: { type: 'string' },
  suite: { type: 'string' },
  mirror: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const command = commandOf(usage, async (args, { stdout }) => {
  const { values } = parseCall({ args, options });
  const { out, suite = 'trixie', mirror = DEBIAN, json } = values;
  if (out === undefined) throw new UsageError('--out is required');
  if (!suites.includes(suite as Suite)) throw new UsageError(`--suite must be ${suites.join(' or ')}`);
  if (URL.parse(mirror)?.protocol !== 'https:') throw new UsageError('--mirror must be an https address');
  openOutFolder(out);
  const source = { suite: suite as Suite, folder: out, mirror: mirror.replace(/\/+$/, '') };
  const files = await fetchPackages(source, fetchBytes);
  stdout.write(json === true ? `${JSON.stringify({ suite, files })}\n` : `${files.join('\n')}\n`);
  return 0;
});

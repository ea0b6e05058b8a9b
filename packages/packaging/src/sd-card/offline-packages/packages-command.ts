import { createCliCommand, UsageError } from '@lintel/service/command-line/cli-command';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { parseCommandArguments } from '@lintel/service/command-line/command-arguments';
import { ensureOutputFolder } from '../../debian-package/output-folder.ts';
import { DEBIAN_MIRROR, fetchBytes, fetchDebianPackages } from './fetch-packages.ts';
import { type DebianSuite, debianSuites } from './debian-suites-and-package-names.ts';

const usage = `lintel image packages --out DIR [--suite bookworm|trixie] [--mirror URL] [--json]

Downloads the Debian packages that a controller needs for USB card readers, for \`lintel image prepare --packages DIR\`.
Online, prepare downloads them itself.

  --out DIR       output folder
  --suite NAME    Debian release on the card: trixie (since October 2025, default) or bookworm
  --mirror URL    default: ${DEBIAN_MIRROR}
  --json          print one JSON document

  npx lintel image packages --out packages
`;

const options = {
  out: { type: 'string' },
  suite: { type: 'string' },
  mirror: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const command = createCliCommand(usage, async (args, { stdout, stderr }) => {
  const { values } = parseCommandArguments({ args, options });
  const { out, suite = 'trixie', mirror = DEBIAN_MIRROR, json } = values;
  if (out === undefined) throw new UsageError('--out is required');
  if (!debianSuites.includes(suite as DebianSuite))
    throw new UsageError(`--suite must be ${debianSuites.join(' or ')}`);
  if (URL.parse(mirror)?.protocol !== 'https:') throw new UsageError('--mirror must be an https address');
  ensureOutputFolder(out);
  const source = { suite: suite as DebianSuite, folder: out, mirror: mirror.replace(/\/+$/, '') };
  const fetchWithProgress = async (): Promise<string[]> => {
    using progress = openProgressLine({ stderr, isQuiet: json === true });
    return await fetchDebianPackages(source, fetchBytes, progress.report);
  };
  const files = await fetchWithProgress();
  stdout.write(json === true ? `${JSON.stringify({ suite, files })}\n` : `${files.join('\n')}\n`);
  return 0;
});

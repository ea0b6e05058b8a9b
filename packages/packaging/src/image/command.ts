import { commandOf } from '@lintel/service/command-line/command';
import { onSignals } from '@lintel/service/command-line/signals';
import { writeLabel } from '../labels/write-label.ts';
import { sizeInWords } from '../flash/target-judgement.ts';
import { buildImage, type BuiltImage } from './build-image.ts';
import { buildSettings } from './build-settings.ts';

const usage = `lintel image build --profile FILE --out FILE.img [OPTIONS]

Builds a whole system for a memory card: Debian 13 with the controller, read-only with a layer in memory over it, data
on a partition of its own that grows to the end of the card. For Raspberry Pi 3, 4 and Zero 2 W; a Pi 5 goes by
lintel image prepare. Writes FILE.img, FILE.img.sha256 and FILE.img.packages.

  --profile FILE          the product, see \`lintel profile list\`
  --out FILE.img          the image
  --arch arm64|amd64      arm64 unless told otherwise; amd64 for PCs that start by UEFI
  --bridge URL            claims the controller by itself as soon as it has a line, with --code; for one card
  --code CODE             of a claim ticket, such as 7K3M-0QXW-PT5H
  --ca-fingerprint FP     what the bridge prints at its start as ca_fingerprint, where it is its own authority
  --label FILE            .pdf or .png: setup code and page key are made now, and the image is for one card.
                          Without it each card makes its own and shows the code on its screen
  --ssh-key FILE          public keys that may log in as root over SSH, which is not installed otherwise
  --size N                of the image in MiB, or 4G; as small as can be unless told otherwise
  --overlay DIR           files that are laid over the root
  --release-keys DIR      public keys (*.pub) whose releases the controller takes, see docs/updates.md
  --package FILE          the controller's package, instead of one that is built now
  --mirror URL            of Debian, or a snapshot: https://snapshot.debian.org/archive/debian/20260101T000000Z
  --cache DIR             where fetched packages are kept, ~/.cache/lintel/debian unless told otherwise
  --json                  one JSON document instead of words

  sudo npx lintel image build --profile hardware-profiles/profiles/rpi-osdp.json --out door.img
`;

const inWords = ({ file, bytes, kernel, packages, sha256 }: BuiltImage): string =>
  [
    `${file}: ${sizeInWords(bytes)}, Linux ${kernel}, ${packages.length} packages`,
    `SHA-256 ${sha256}`,
    `Write it to a card: sudo npx lintel image flash /dev/sdX ${file}`,
  ].join('\n');

const BROKEN_OFF = 130;

export const command = commandOf(usage, async (args, { stdout, stderr }) => {
  const settings = buildSettings(args);
  using _ = onSignals(['SIGINT', 'SIGTERM'], () => process.exit(BROKEN_OFF));
  const { label, ...built } = await buildImage(settings, line => void stderr.write(`${line}\n`));
  if (label !== null && settings.label !== null) await writeLabel(settings.label, label);
  stdout.write(`${settings.json ? JSON.stringify(built) : inWords({ ...built, label })}\n`);
  return 0;
});

import { createCliCommand } from '@lintel/service/command-line/cli-command';
import { listenForSignals } from '@lintel/service/command-line/listen-for-signals';
import { writeLabelFile } from '../labels/write-label-file.ts';
import { formatByteSize } from '../flash/require-allowed-flash-target.ts';
import { buildSdCardImage, type BuiltSdCardImage } from './build-image.ts';
import { parseImageSettings } from './parse-image-build-options.ts';

const usage = `lintel image build --profile FILE --out FILE.img [OPTIONS]

Builds a complete system for a memory card: Debian 13 with the controller, a read-only root with a layer in memory, and a
data partition that grows to the end of the card. For Raspberry Pi 3, 4 and Zero 2 W. For a Pi 5 use lintel image prepare.
Writes FILE.img, FILE.img.sha256 and FILE.img.packages.

  --profile FILE          the product: a file, or an id of \`lintel profile list\`
  --out FILE.img          the image
  --arch arm64|amd64      default arm64; amd64 is for PCs with UEFI
  --bridge URL            the controller claims itself as soon as it is online, with --code; for one card
  --code CODE             of a claim ticket, such as 7K3M-0QXW-PT5H
  --ca-fingerprint FP     ca_fingerprint that the bridge prints at its start, if it has its own certificate authority
  --label FILE            a .pdf: makes setup code and page key now, so that the image is for one card.
                          Default: each card makes its own and shows the code on its screen
  --ssh-key FILE          public keys that may log in as root over SSH (default: no SSH)
  --size N                size of the image in MiB, or 4G (default: as small as possible)
  --overlay DIR           files to copy over the root
  --release-keys DIR      public keys (*.pub) whose releases the controller accepts, see docs/operator/updates.md
  --package FILE          the controller's package (default: builds it)
  --mirror URL            Debian mirror or snapshot: https://snapshot.debian.org/archive/debian/20260101T000000Z
  --cache DIR             downloaded packages (default: ~/.cache/lintel/debian)
  --json                  print one JSON document

  sudo npx lintel image build --profile hardware-profiles/profiles/rpi-osdp.json --out door.img
`;

const formatText = ({ file, bytes, kernel, packages, sha256 }: BuiltSdCardImage): string =>
  [
    `${file}: ${formatByteSize(bytes)}, Linux ${kernel}, ${packages.length} packages`,
    `SHA-256 ${sha256}`,
    `Write it to a card: sudo npx lintel image flash /dev/sdX ${file}`,
  ].join('\n');

const INTERRUPTED = 130;

export const command = createCliCommand(usage, async (args, { stdout, stderr }) => {
  const settings = parseImageSettings(args);
  using _ = listenForSignals(['SIGINT', 'SIGTERM'], () => process.exit(INTERRUPTED));
  const { label, ...built } = await buildSdCardImage(settings, line => void stderr.write(`${line}\n`));
  if (label !== null && settings.label !== null) await writeLabelFile(settings.label, label);
  stdout.write(`${settings.json ? JSON.stringify(built) : formatText({ ...built, label })}\n`);
  return 0;
});

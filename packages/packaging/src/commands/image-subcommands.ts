import { createCommandGroup } from '@lintel/service/command-line/subcommands';

export const command = createCommandGroup('lintel image', [
  {
    name: 'package',
    summary: 'build the Debian packages of controller and gateway: --arch arm64|amd64',
    load: () => import('../debian-package/package-command.ts'),
  },
  {
    name: 'prepare',
    summary: 'prepare a card with stock Raspberry Pi OS: BOOTFOLDER',
    load: () => import('./prepare.ts'),
  },
  {
    name: 'packages',
    summary: 'download the Debian packages for card readers, for prepare: --out DIR',
    load: () => import('../sd-card/offline-packages/packages-command.ts'),
  },
  {
    name: 'build',
    summary: 'build an image for a memory card: --profile FILE --out FILE.img',
    load: () => import('../image/image-build-command.ts'),
  },
  {
    name: 'flash',
    summary: 'write an image to a card and verify it: DEVICE FILE.img',
    load: () => import('../flash/flash-command.ts'),
  },
]);

import { commandOfSeveral } from '@lintel/service/command-line/subcommands';

export const command = commandOfSeveral(
  'lintel image',
  [
    {
      name: 'package',
      summary: 'the Debian packages of controller and gateway: --arch arm64|amd64',
      load: () => import('../debian-package/command.ts'),
    },
    {
      name: 'prepare',
      summary: 'a card with stock Raspberry Pi OS: BOOTFOLDER',
      load: () => import('../sd-card/command.ts'),
    },
    {
      name: 'packages',
      summary: 'what card readers need of Debian, fetched beforehand for prepare: --out DIR',
      load: () => import('../sd-card/offline-packages/command.ts'),
    },
    {
      name: 'build',
      summary: 'our own image for a memory card: --profile FILE --out FILE.img',
      load: () => import('../image/command.ts'),
    },
    {
      name: 'flash',
      summary: 'writes an image to a card and compares: DEVICE FILE.img',
      load: () => import('../flash/command.ts'),
    },
  ],
  word => `"${word}" is nothing that can be done with an image.`,
);

import { commandOfSeveral } from '@lintel/device-link/command-line/subcommands';

export const command = commandOfSeveral(
  'lintel image',
  [
    {
      name: 'package',
      summary: 'the Debian packages of controller and gateway: --arch arm64|amd64',
      load: () => import('../image/package/command.ts'),
    },
    {
      name: 'prepare',
      summary: 'a card with stock Raspberry Pi OS: BOOTFOLDER',
      load: () => import('../image/prepare/command.ts'),
    },
    {
      name: 'packages',
      summary: 'what card readers need of Debian, fetched beforehand for prepare: --out DIR',
      load: () => import('../image/prepare/offline-packages/command.ts'),
    },
    {
      name: 'build',
      summary: 'our own image for a memory card: --profile FILE --out FILE.img',
      load: () => import('../image/build/command.ts'),
    },
    {
      name: 'flash',
      summary: 'writes an image to a card and compares: DEVICE FILE.img',
      load: () => import('../image/flash/command.ts'),
    },
  ],
  word => `"${word}" is nothing that can be done with an image.`,
);

import type { Architecture } from './build-settings.ts';

/** A file of the FAT partition. */
export interface BootFile {
  readonly path: string;
  readonly text: string;
}

export interface BootFacts {
  readonly architecture: Architecture;
  /** Of the disk, eight hex digits. */
  readonly signature: string;
  readonly kernelVersion: string;
  /** What the parts of the profile need beside: `dtparam=spi=on`. */
  readonly firmwareSettings: readonly string[];
  readonly extraArguments: string;
}

/** A console that is last is where the first program speaks. */
const CONSOLES: Readonly<Record<Architecture, string>> = {
  arm64: 'console=tty1',
  amd64: 'console=tty1',
};

const argumentsOf = ({ architecture, signature, extraArguments }: BootFacts): string =>
  [
    `lintel.disk=${signature}`,
    CONSOLES[architecture],
    // A kernel that stops, stops the door: start again.
    'panic=10',
    'fsck.repair=yes',
    'quiet',
    'loglevel=4',
    'systemd.show_status=auto',
    ...(extraArguments === '' ? [] : [extraArguments]),
  ].join(' ');

/** For machines that start by UEFI: systemd-boot's own file, no menu. */
const loaderFiles = (facts: BootFacts): readonly BootFile[] => [
  { path: 'loader/loader.conf', text: 'default lintel.conf\ntimeout 0\neditor no\n' },
  {
    path: 'loader/entries/lintel.conf',
    text: [
      'title Lintel',
      `version ${facts.kernelVersion}`,
      'linux /vmlinuz',
      'initrd /initrd.img',
      `options ${argumentsOf(facts)}`,
      '',
    ].join('\n'),
  },
];

/** For the boot program of the Raspberry Pi. */
const raspberryFiles = (facts: BootFacts): readonly BootFile[] => [
  { path: 'cmdline.txt', text: `${argumentsOf(facts)}\n` },
  {
    path: 'config.txt',
    text: [
      'arm_64bit=1',
      // Device trees of the kernel itself, under its own names.
      'upstream_kernel=1',
      'kernel=vmlinuz',
      'initramfs initrd.img followkernel',
      'disable_splash=1',
      ...facts.firmwareSettings,
      '',
    ].join('\n'),
  },
];

export const bootFiles = (facts: BootFacts): readonly BootFile[] => [
  ...loaderFiles(facts),
  ...(facts.architecture === 'arm64' ? raspberryFiles(facts) : []),
];

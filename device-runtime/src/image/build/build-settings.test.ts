import { UsageError } from '@lintel/device-link/command-line/command';
import { expect, it } from 'vitest';
import { bootFiles } from './boot-files.ts';
import { buildSettings } from './build-settings.ts';
import { missingPackages } from './host-tools.ts';
import { dependenciesIn, packageList } from './package-list.ts';

const needed = ['--profile', 'door.json', '--out', 'door.img'];
const refusal = (...args: readonly string[]): string => {
  try {
    buildSettings(args);
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
};

it('profile and file are enough, the rest has its usual values', () => {
  expect(buildSettings(needed)).toMatchObject({
    architecture: 'arm64',
    claim: null,
    sshKey: null,
    label: null,
    sizeBytes: null,
    mirror: 'http://deb.debian.org/debian',
    json: false,
  });
});

it.each([
  [['--profile', 'door.json'], '--profile and --out are needed'],
  [[...needed, '--arch', 'armhf'], '--arch must be arm64 or amd64'],
  [[...needed, '--bridge', 'https://doors.example.com'], '--bridge and --code go together'],
  [[...needed, '--size', 'big'], '--size must be a number of mebibytes such as 2048, or 4G'],
  [[...needed, '--label', 'x.gif'], '--label x.gif must end in .pdf or .png'],
  [[...needed, '--mirror', 'here'], '--mirror must be an address such as http://deb.debian.org/debian'],
  [[...needed, '--speed'], "Unknown option '--speed'"],
])('refuses %j', (args, message) => {
  expect(refusal(...args)).toContain(message);
});

it('a size is in mebibytes, or in gibibytes with a G', () => {
  const size = (text: string) => buildSettings([...needed, '--size', text]).sizeBytes;
  expect([size('2048'), size('4G')]).toEqual([2 ** 31, 2 ** 32]);
});

it('a wrong fingerprint is refused and a right one is written in one way', () => {
  const claim = [...needed, '--bridge', 'https://doors.example.com', '--code', '7K3M-0QXW-PT5H', '--ca-fingerprint'];
  expect(refusal(...claim, 'abc')).toContain('32 bytes in hex');
  expect(buildSettings([...claim, 'ab'.repeat(32)]).claim?.caFingerprint).toBe(Array(32).fill('AB').join(':'));
});

it('SSH is in the image only where a key was given', () => {
  const names = (hasSsh: boolean) => packageList('arm64', { hasSsh, depends: '' });
  expect(names(false)).not.toContain('openssh-server');
  expect(names(true)).toContain('openssh-server');
  expect(names(false)).toContain('raspi-firmware');
  expect(packageList('amd64', { hasSsh: false, depends: '' })).not.toContain('raspi-firmware');
});

it("what the controller's package depends on comes along", () => {
  expect(dependenciesIn('libc6 (>= 2.28), libgcc-s1, libpcsclite1 | libother, adduser')).toEqual([
    'libc6',
    'libgcc-s1',
    'libpcsclite1',
  ]);
});

it('missing programs are told by the packages that have them', () => {
  expect(missingPackages(tool => tool !== 'mkfs.vfat' && tool !== 'mcopy')).toEqual(['dosfstools', 'mtools']);
  expect(missingPackages(() => true)).toEqual([]);
});

it('a Raspberry Pi finds its files, a PC its own, and both the disk by its signature', () => {
  const facts = {
    signature: '90613706',
    kernelVersion: '6.12',
    firmwareSettings: ['enable_uart=1'],
    extraArguments: '',
  };
  const files = (architecture: 'arm64' | 'amd64') =>
    new Map(bootFiles({ ...facts, architecture }).map(({ path, text }) => [path, text]));
  expect([...files('amd64').keys()]).toEqual(['loader/loader.conf', 'loader/entries/lintel.conf']);
  expect(files('amd64').get('loader/entries/lintel.conf')).toContain('options lintel.disk=90613706 ');
  expect(files('arm64').get('cmdline.txt')).toMatch(/^lintel\.disk=90613706 [^\n]*\n$/);
  expect(files('arm64').get('config.txt')).toContain('enable_uart=1\n');
});

import { UsageError } from '@lintel/service/command-line/cli-command';
import { describe, expect, it } from 'vitest';
import { parseImageSettings } from './parse-image-build-options.ts';
import { listMissingToolPackages } from './image-build-host-tools.ts';
import { listImagePackages } from './list-image-debian-packages.ts';

const needed = ['--profile', 'door.json', '--out', 'door.img'];
const refusal = (...args: readonly string[]): string => {
  try {
    parseImageSettings(args);
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
};

describe('image build settings', () => {
  it('need only a profile and an output file; the rest has defaults', () => {
    expect(parseImageSettings(needed)).toMatchObject({
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
    [['--profile', 'door.json'], '--profile and --out are required'],
    [[...needed, '--arch', 'armhf'], '--arch must be arm64 or amd64'],
    [[...needed, '--bridge', 'https://doors.example.com'], '--bridge and --code must be used together'],
    [[...needed, '--size', 'big'], '--size must be a number of mebibytes such as 2048, or 4G'],
    [[...needed, '--label', 'x.png'], '--label x.png must end in .pdf'],
    [[...needed, '--mirror', 'here'], '--mirror must be an address such as http://deb.debian.org/debian'],
    [[...needed, '--speed'], 'Unknown option --speed'],
  ])('reject %j', (args, message) => {
    expect(refusal(...args)).toContain(message);
  });

  it('accept a size in mebibytes, or in gibibytes with a G', () => {
    const size = (text: string) => parseImageSettings([...needed, '--size', text]).sizeBytes;
    expect([size('2048'), size('4G')]).toEqual([2 ** 31, 2 ** 32]);
  });

  it('reject an invalid fingerprint and normalize a valid one', () => {
    const claim = [...needed, '--bridge', 'https://doors.example.com', '--code', '7K3M-0QXW-PT5H', '--ca-fingerprint'];
    expect(refusal(...claim, 'abc')).toContain('32 bytes in hex');
    expect(parseImageSettings([...claim, 'ab'.repeat(32)]).claim?.caFingerprint).toBe(Array(32).fill('AB').join(':'));
  });

  it('include SSH only with a key', () => {
    const names = (hasSsh: boolean) => listImagePackages('arm64', { hasSsh, depends: '' });
    expect(names(false)).not.toContain('openssh-server');
    expect(names(true)).toContain('openssh-server');
    expect(names(false)).toContain('raspi-firmware');
    expect(listImagePackages('amd64', { hasSsh: false, depends: '' })).not.toContain('raspi-firmware');
  });

  it('include the dependencies of the controller package, except those of its scripts', () => {
    const depends = 'libc6 (>= 2.28), libgcc-s1, libexample | libother, adduser';
    const names = listImagePackages('arm64', { hasSsh: false, depends });
    expect(names).toEqual(expect.arrayContaining(['libc6', 'libgcc-s1', 'libexample', 'systemd']));
    for (const name of ['libother', 'adduser']) expect(names).not.toContain(name);
  });

  it('name the packages that provide missing programs', () => {
    expect(listMissingToolPackages(tool => tool !== 'mkfs.vfat' && tool !== 'mcopy')).toEqual(['dosfstools', 'mtools']);
    expect(listMissingToolPackages(() => true)).toEqual([]);
  });
});

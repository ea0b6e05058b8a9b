import { describe, expect, it } from 'vitest';
import { hostArchitecture, testedArchitectures } from './virtual-machine/tested-architectures.ts';
import { missingPackages } from './virtual-machine/required-packages.ts';

describe('hostArchitecture', () => {
  it('returns the Debian name of the architecture', () => {
    expect([hostArchitecture('x64'), hostArchitecture('arm64')]).toEqual(['amd64', 'arm64']);
    expect(() => hostArchitecture('riscv64')).toThrow('amd64 and arm64 hosts');
  });
});

describe('testedArchitectures', () => {
  it('starts with the architecture of the host', () => {
    expect(testedArchitectures('', 'arm64')).toEqual(['arm64', 'amd64']);
    expect(testedArchitectures('', 'amd64')).toEqual(['amd64', 'arm64']);
  });

  it('takes the architectures of LINTEL_IMAGE_ARCH', () => {
    expect(testedArchitectures('amd64', 'arm64')).toEqual(['amd64']);
    expect(() => testedArchitectures('armhf', 'arm64')).toThrow('LINTEL_IMAGE_ARCH must be arm64, amd64 or both');
  });
});

describe('missingPackages', () => {
  it('contains the emulator of the image architecture only', () => {
    const isMissing = (): boolean => false;
    expect(missingPackages('arm64', isMissing)).toContain('qemu-system-arm');
    expect(missingPackages('arm64', isMissing)).not.toContain('qemu-system-x86');
    expect(missingPackages('amd64', isMissing)).toEqual(expect.arrayContaining(['qemu-system-x86', 'ovmf']));
    expect(missingPackages('amd64', isMissing)).not.toContain('qemu-system-arm');
  });

  it('is empty when everything is installed', () => {
    expect(missingPackages('arm64', () => true)).toEqual([]);
  });
});

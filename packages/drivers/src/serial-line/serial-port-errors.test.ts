import { describe, expect, it } from 'vitest';
import { formatSerialConnectionLoss, formatSerialOpenError } from './open-serial-port.ts';

const path = '/dev/serial/by-id/relay';

describe('serial port that cannot be opened', () => {
  it.each([
    [`Error: No such file or directory, cannot open ${path}`, `${path} does not exist`],
    [
      'Error Resource temporarily unavailable Cannot lock port',
      `${path} is open in another program: sudo fuser ${path} shows which`,
    ],
    [
      `Error: Permission denied, cannot open ${path}`,
      `${path} cannot be opened: add the user of this process to its group (ls -lL ${path})`,
    ],
    ['Inappropriate ioctl for device', `${path} is not a serial port, or does not support this baud rate`],
    ['the moon is full', `${path} does not open: the moon is full`],
  ])('reports what to do instead of: %s', (message, reported) => {
    expect(formatSerialOpenError(path, new Error(message), false)).toBe(reported);
  });

  it('is still reported as removed when it was open before', () => {
    const missing = new Error(`Error: No such file or directory, cannot open ${path}`);
    expect(formatSerialOpenError(path, missing, true)).toBe(`${path} was disconnected`);
  });
});

describe('serial port that is lost', () => {
  it("is reported as removed when its adapter was unplugged, whatever the kernel's error", () => {
    for (const code of ['EIO', 'ENODEV', 'EBADF'])
      expect(formatSerialConnectionLoss(path, Object.assign(new Error(`${code}: read`), { code }))).toBe(
        `${path} was disconnected`,
      );
    expect(formatSerialConnectionLoss(path, new Error('EIO: i/o error, read'))).toBe(`${path} was disconnected`);
    expect(formatSerialConnectionLoss(path, new Error('The port was hung up'))).toBe(`${path} was disconnected`);
  });

  it('keeps the text of an unknown error', () => {
    expect(formatSerialConnectionLoss(path, new Error('out of luck'))).toBe(`${path} fails: out of luck`);
  });
});

import { read } from 'node:fs';
import { promisify } from 'node:util';
import { LinuxBinding, type LinuxBindingInterface } from '@serialport/bindings-cpp';
import { unixRead } from '@serialport/bindings-cpp/dist/unix-read.js';

const readDescriptor = promisify(read);

/** ENXIO makes the stream close the port. */
const readOrHangUp: typeof readDescriptor = async (...args: Parameters<typeof readDescriptor>) => {
  const result = await readDescriptor(...args);
  if (result.bytesRead > 0) return result;
  throw Object.assign(new Error('The port was hung up'), { code: 'ENXIO' });
};

/**
 * The Linux binding of serialport, except that reading ends when the terminal is hung up, for example because its
 * adapter was unplugged. Such a terminal returns 0 bytes forever, and the original reads again at once, which occupies
 * a processor: https://github.com/serialport/bindings-cpp/issues/162
 */
export const serialHangUpBinding: LinuxBindingInterface = {
  list: () => LinuxBinding.list(),
  open: async options => {
    const port = await LinuxBinding.open(options);
    port.read = (buffer, offset, length) =>
      unixRead({ binding: port, buffer, offset, length, fsReadAsync: readOrHangUp });
    return port;
  },
};

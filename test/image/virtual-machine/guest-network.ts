import { join } from 'node:path';

/** The address of the host's loopback in the guest. */
export const HOST_IN_GUEST = '10.0.2.100';

/** Settings of QEMU: the guest reaches these ports of the host's loopback at `HOST_IN_GUEST`, and nothing else. */
export const createGuestNetwork = (ports: readonly number[]): readonly string[] => {
  const forward = join(import.meta.dirname, 'tcp-forward-process.ts');
  const reached = ports.map(
    port => `guestfwd=tcp:${HOST_IN_GUEST}:${port}-cmd:${process.execPath} ${forward} 127.0.0.1 ${port}`,
  );
  const network = ['user,id=net,restrict=on', ...reached].join(',');
  return ['-netdev', network, '-device', 'virtio-net-pci,netdev=net,romfile='];
};

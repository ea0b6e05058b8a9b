import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { expect, it } from 'vitest';
import { PeerDirectory } from './peer-directory.ts';

const peer = (id: string, serial: string, ...renewed: string[]): SnapshotEntry => ({
  type: 'peer',
  id,
  serial,
  public_key: `key of ${serial}`,
  name: `name of ${id}`,
  certificates: [serial, ...renewed].map(one => ({ serial: one, public_key: `key of ${one}` })),
});

it('PeerDirectory lists the allowed devices with every valid certificate', () => {
  const peers = new PeerDirectory([peer('dev_a', '0a'), peer('dev_b', '0b', '1b')]);
  expect(['0a', '0b', '1b', '2b'].map(serial => peers.deviceOf(serial))).toEqual(['dev_a', 'dev_b', 'dev_b', null]);
  expect(peers.verifierOf('dev_b', '1b')).not.toBeNull();
  expect(peers.verifierOf('dev_a', '1b')).toBeNull();
  expect([...peers.names()]).toEqual([
    ['dev_a', 'name of dev_a'],
    ['dev_b', 'name of dev_b'],
  ]);
});

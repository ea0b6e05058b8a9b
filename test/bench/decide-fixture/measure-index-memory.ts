import { setTimeout } from 'node:timers/promises';
import { AccessIndex } from '@lintel/access-core/access-index/access-index';
import { makeHotel, makeMembers } from './generate-hotel-members-and-requests.ts';

/* Prints the memory of an access index with this number of members, in bytes. */

const measureMemory = async () => {
  globalThis.gc?.();
  // Buffers are freed on another thread.
  await setTimeout(200);
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: heapUsed + external, resident: rss };
};

const hotel = makeHotel();
const before = await measureMemory();
const index = new AccessIndex({ ...hotel, members: makeMembers(hotel, Number(process.argv[2])) });
const after = await measureMemory();
if (index.memberCount === 0) throw new Error('The index is empty');
// The larger of the values of the runtime and of the operating system.
process.stdout.write(String(Math.max(after.held - before.held, after.resident - before.resident)));

import { setTimeout } from 'node:timers/promises';
import { AccessIndex } from '@lintel/access-core/access-index/access-index';
import { makeHotel, makeMembers } from './hotel.ts';

/* Prints how many bytes more the process holds for an index of so many members. */

const weigh = async () => {
  globalThis.gc?.();
  // Freed buffers are given back on another thread.
  await setTimeout(200);
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: heapUsed + external, resident: rss };
};

const hotel = makeHotel();
const before = await weigh();
const index = new AccessIndex({ ...hotel, members: makeMembers(hotel, Number(process.argv[2])) });
const after = await weigh();
if (index.memberCount === 0) throw new Error('an empty index weighs nothing');
// Whichever is more: what the runtime counts, or what the system gave.
process.stdout.write(String(Math.max(after.held - before.held, after.resident - before.resident)));

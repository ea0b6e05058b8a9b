import { setImmediate } from 'node:timers/promises';
import { EventBuffer } from '@lintel/device-runtime/adapters/sqlite/event-buffer';
import { EventLanes } from '@lintel/device-runtime/app/event-lanes';
const c = new EventBuffer({ file: '/tmp/zzm/many.db', remembered: () => ({ ceiling: 0, confirmed: 0 }) });
let sent = 0;
const lanes = new EventLanes(c);
const mb = (n: number) => Math.round(n / 2 ** 20);
for (let batch = lanes.next(500); batch.length > 0; batch = lanes.next(500)) {
  sent += batch.length;
  lanes.acknowledged({ up_to: batch.at(-1)!.sequence, event_ids: [] });
  await setImmediate();
  if (sent % 100_000 === 0) {
    const m = process.memoryUsage();
    console.log(sent, {
      rss: mb(m.rss),
      heapUsed: mb(m.heapUsed),
      heapTotal: mb(m.heapTotal),
      ext: mb(m.external),
      ab: mb(m.arrayBuffers),
    });
  }
}
c.close();

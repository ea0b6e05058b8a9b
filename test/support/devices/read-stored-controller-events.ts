import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import SqliteDatabase from 'better-sqlite3';

/** The events that a controller has stored, also the acknowledged ones. */
export const storedEvents = (dataDir: string): DeviceEvent[] => {
  const file = join(dataDir, 'events.db');
  if (!existsSync(file)) return [];
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    const rows = database.prepare<[], { body: string }>('select body from events order by sequence').all();
    return rows.map(({ body }) => JSON.parse(body) as DeviceEvent);
  } finally {
    database.close();
  }
};

import { expect, it } from 'vitest';
import { createJsonLog } from './json-log.ts';

it('jsonLog writes one JSON document per line', () => {
  const written: string[] = [];
  const log = createJsonLog({ stderr: { write: text => written.push(text) } });
  log('warn', 'the disk is\nfull', { bytes: 0 });
  log('info', 'ready');
  expect(written).toEqual([
    '{"level":"warn","message":"the disk is\\nfull","bytes":0}\n',
    '{"level":"info","message":"ready"}\n',
  ]);
});

import { splitLines, removeMarkedBlock } from './remove-marked-block.ts';

const marks = { begin: '# lintel first boot: begin', end: '# lintel first boot: end' };

const CALL = [
  marks.begin,
  'for lintel in /boot/firmware/lintel /boot/lintel; do',
  '  if [ -f "$lintel/start.sh" ]; then sh "$lintel/start.sh"; break; fi',
  'done',
  marks.end,
];

/**
 * Inserts the call at the beginning of the script of Raspberry Pi Imager: the system rewrites its end before it runs, and the
 * call also runs when the rest fails.
 */
export const addFirstBootCallToFirstrun = (script: string): string => {
  const [first = '', ...rest] = removeMarkedBlock(splitLines(script), marks);
  const lines = first.startsWith('#!') ? [first, ...CALL, ...rest] : ['#!/bin/bash', ...CALL, first, ...rest];
  return `${lines.join('\n')}\n`;
};

import { linesOf, withoutBlock } from './marked-block.ts';

const marks = { begin: '# lintel first boot: begin', end: '# lintel first boot: end' };

const CALL = [
  marks.begin,
  'for lintel in /boot/firmware/lintel /boot/lintel; do',
  '  if [ -f "$lintel/start.sh" ]; then sh "$lintel/start.sh"; break; fi',
  'done',
  marks.end,
];

/**
 * Into the script of Raspberry Pi Imager, and at its beginning: its system rewrites the end before the script runs, and a
 * script that fails on the way still has called ours.
 */
export const withFirstBootCall = (script: string): string => {
  const [first = '', ...rest] = withoutBlock(linesOf(script), marks);
  const lines = first.startsWith('#!') ? [first, ...CALL, ...rest] : ['#!/bin/bash', ...CALL, first, ...rest];
  return `${lines.join('\n')}\n`;
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from './card-text.ts';
import { PrepareProblem } from './prepare-problem.ts';

/** The first boot leaves it when it has taken over the settings: from then on another name or code would not count. */
const STARTED = 'started';

const refuseBegun = (ours: string): void => {
  if (!existsSync(join(ours, STARTED))) return;
  const name = /^name=(.*)$/m.exec(textOf(ours, 'settings') ?? '')?.[1];
  const trouble = textOf(ours, 'TROUBLE.txt')?.trim();
  throw new PrepareProblem(
    [
      `this card has begun to start as ${name ?? 'a controller'} and keeps the code of that label: put it back and let it go on, or write Raspberry Pi OS on it anew`,
      ...(trouble ? [`What stopped it: ${trouble}`] : []),
    ].join('\n'),
  );
};

/** Throws where what is prepared now would not be what starts. */
export const checkNotUsed = (path: string): void => {
  const ready = textOf(path, 'lintel-ready.txt');
  if (ready !== null)
    throw new PrepareProblem(
      `this card has been started as ${ready.split(' ')[0]}: write Raspberry Pi OS on it anew, or use the controller as it is`,
    );
  const ours = join(path, 'lintel');
  refuseBegun(ours);
  // A preparation that was cut off has left some of its files, always with these settings among the first.
  if (existsSync(ours) && !existsSync(join(ours, 'settings')))
    throw new PrepareProblem(`${ours} is there and was not made here: move it away first`);
};

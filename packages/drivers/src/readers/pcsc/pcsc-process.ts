import { exitWithParent } from './exit-with-parent.ts';
import { type PcscAnswer, type PcscOrder, type PcscReport, type PcscRequest, refusalOf } from './pcsc-messages.ts';
import { openPcscLiteSession, type WatchedSession } from './pcsc-lite-session.ts';
import type { PcscCard } from './pcsc-session.ts';

/*
 * A program of its own, started by the door. Calls into PC/SC block as long as the service pleases, and the binding may end its
 * process: neither must happen to a door.
 */

let session: WatchedSession | null = null;
const cards = new Map<number, PcscCard>();
let lastCard = 0;

/** The channel may close at any time; the process ends with it. */
const tell = (report: PcscReport): void => void process.send?.(report, undefined, undefined, () => undefined);

const opened = (): WatchedSession => {
  if (session === null) throw new Error('there is no session');
  return session;
};

const cardOf = (number: number): PcscCard => {
  const card = cards.get(number);
  if (card === undefined) throw new Error('the card is gone');
  return card;
};

const open = (): Promise<WatchedSession> =>
  openPcscLiteSession({
    changed: (reader, hasCard) => tell({ type: 'changed', reader, hasCard }),
    mute: reader => tell({ type: 'mute', reader }),
    unplugged: reader => tell({ type: 'unplugged', reader }),
    ended: reason => tell({ type: 'ended', ...refusalOf(reason) }),
  });

const carryOut = async (request: PcscRequest): Promise<PcscAnswer> => {
  switch (request.type) {
    case 'open':
      session = await open();
      return null;
    case 'beat':
      await opened().beat();
      return null;
    case 'connect': {
      const card = await opened().connect(request.reader);
      lastCard++;
      cards.set(lastCard, card);
      return lastCard;
    }
    case 'atr':
      return cardOf(request.card).atr();
    case 'transmit':
      return cardOf(request.card).transmit(request.apdu);
    case 'release': {
      const card = cardOf(request.card);
      cards.delete(request.card);
      await card.release();
      return null;
    }
  }
};

const answer = async ({ id, request }: PcscOrder): Promise<void> => {
  try {
    tell({ type: 'answer', id, answer: await carryOut(request) });
  } catch (error) {
    tell({ type: 'refused', id, ...refusalOf(error) });
  }
};

exitWithParent();
// Meant for the door, which closes the channel when it is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('message', order => void answer(order as PcscOrder));
tell({ type: 'started' });

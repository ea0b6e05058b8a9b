import { exitWithParent } from './exit-with-parent.ts';
import {
  type PcscResponse,
  type PcscCommand,
  type PcscProcessMessage,
  type PcscRequest,
  toPcscErrorInfo,
} from './pcsc-messages.ts';
import { openPcscLiteSession, type WatchedPcscSession } from './pcsc-lite-session.ts';
import type { PcscCard } from './pcsc-session.ts';

/*
 * A separate program, started by the controller. Calls into PC/SC may block, and the binding may crash; neither may
 * affect the controller.
 */

let session: WatchedPcscSession | null = null;
const cards = new Map<number, PcscCard>();
let lastCard = 0;

/** The channel may close at any time; the process then exits. */
const tell = (report: PcscProcessMessage): void => void process.send?.(report, undefined, undefined, () => undefined);

const opened = (): WatchedPcscSession => {
  if (session === null) throw new Error('No PC/SC session is open');
  return session;
};

const cardOf = (number: number): PcscCard => {
  const card = cards.get(number);
  if (card === undefined) throw new Error('The card has left');
  return card;
};

const open = (): Promise<WatchedPcscSession> =>
  openPcscLiteSession({
    changed: (reader, hasCard) => tell({ type: 'changed', reader, hasCard }),
    mute: reader => tell({ type: 'mute', reader }),
    unplugged: reader => tell({ type: 'unplugged', reader }),
    ended: reason => tell({ type: 'ended', ...toPcscErrorInfo(reason) }),
  });

const carryOut = async (request: PcscRequest): Promise<PcscResponse> => {
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

const answer = async ({ id, request }: PcscCommand): Promise<void> => {
  try {
    tell({ type: 'answer', id, answer: await carryOut(request) });
  } catch (error) {
    tell({ type: 'refused', id, ...toPcscErrorInfo(error) });
  }
};

exitWithParent();
// For the parent process, which closes the channel when it is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('message', order => void answer(order as PcscCommand));
tell({ type: 'started' });

import koffi from 'koffi';
import {
  type PcscRequestResult,
  type NumberedPcscRequest,
  type PcscProcessMessage,
  type PcscRequest,
  toPcscErrorInfo,
} from './messages.ts';
import { openPcscSessionWithNfcPcsc, type PcscSessionWithHeartbeat } from './nfc-pcsc-session.ts';
import type { PcscCard } from './session.ts';

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

const end = (): void => void process.kill(process.pid, 'SIGKILL');

/** Works even while a call into PC/SC blocks this process, so that it cannot notice the closed channel. */
const askKernel = (): void => {
  if (process.platform !== 'linux') return;
  // Variadic in C; on the supported 64-bit systems its second argument is passed like any other.
  const prctl = koffi.load('libc.so.6').func('int prctl(int option, unsigned long value)');
  prctl(PR_SET_PDEATHSIG, SIGKILL);
};

const exitWithParent = (): void => {
  process.on('disconnect', end);
  askKernel();
  if (!process.connected) end();
};

/*
 * A separate program, started by the controller. Calls into PC/SC may block, and the binding may crash; neither may
 * affect the controller.
 */

let session: PcscSessionWithHeartbeat | null = null;
const cards = new Map<number, PcscCard>();
let lastCard = 0;

/** The channel may close at any time; the process then exits. */
const sendMessage = (report: PcscProcessMessage): void =>
  void process.send?.(report, undefined, undefined, () => undefined);

const requirePcscSession = (): PcscSessionWithHeartbeat => {
  if (session === null) throw new Error('No PC/SC session is open');
  return session;
};

const requireCard = (number: number): PcscCard => {
  const card = cards.get(number);
  if (card === undefined) throw new Error('The card has left');
  return card;
};

const open = (): Promise<PcscSessionWithHeartbeat> =>
  openPcscSessionWithNfcPcsc({
    changed: (reader, hasCard) => sendMessage({ type: 'changed', reader, hasCard }),
    mute: reader => sendMessage({ type: 'mute', reader }),
    unplugged: reader => sendMessage({ type: 'unplugged', reader }),
    ended: reason => sendMessage({ type: 'ended', ...toPcscErrorInfo(reason) }),
  });

const executeRequest = async (request: PcscRequest): Promise<PcscRequestResult> => {
  switch (request.type) {
    case 'open':
      session = await open();
      return null;
    case 'beat':
      await requirePcscSession().beat();
      return null;
    case 'connect': {
      const card = await requirePcscSession().connect(request.reader);
      lastCard++;
      cards.set(lastCard, card);
      return lastCard;
    }
    case 'locate':
      return requirePcscSession().locate(request.reader);
    case 'atr':
      return requireCard(request.card).atr();
    case 'transmit':
      return requireCard(request.card).transmit(request.apdu);
    case 'release': {
      const card = requireCard(request.card);
      cards.delete(request.card);
      await card.release();
      return null;
    }
  }
};

const handleCommand = async ({ id, request }: NumberedPcscRequest): Promise<void> => {
  try {
    sendMessage({ type: 'answer', id, answer: await executeRequest(request) });
  } catch (error) {
    sendMessage({ type: 'refused', id, ...toPcscErrorInfo(error) });
  }
};

exitWithParent();
// For the parent process, which closes the channel when it is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('message', order => void handleCommand(order as NumberedPcscRequest));
sendMessage({ type: 'started' });

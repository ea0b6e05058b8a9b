import { NFC, type Reader } from 'nfc-pcsc';
import { expect, it, type TestContext } from 'vitest';
import { PcscDaemon, requirePcsc } from '../support/hardware/pcsc-daemon.ts';
import { PROCESSOR_CARD_ATR, respondWithUid, STORAGE_CARD_ATR, VirtualCard } from '../support/hardware/virtual-card.ts';

const openNfc = async (context: TestContext) => {
  requirePcsc(context);
  const daemon = await PcscDaemon.start('ACS ACR122U PICC Interface');
  context.onTestFinished(() => daemon.close());
  const reported: string[] = [];
  const readers: Reader[] = [];
  const nfc = new NFC();
  context.onTestFinished(() => nfc.close());
  nfc.on('error', error => reported.push(`error ${(error as { code?: string }).code}`));
  nfc.on('reader', reader => {
    readers.push(reader);
    reader.on('card', ({ uid }: { uid?: string }) => reported.push(`card ${uid}`));
    reader.on('card.off', () => reported.push('removed'));
    reader.on('error', (error: Error) => reported.push(error.message));
    reader.on('end', () => reported.push('end'));
  });
  await expect.poll(() => readers.length).toBeGreaterThan(0);
  return { daemon, reported, readers };
};

it('nfc-pcsc reads a card over the replaced binding, and reports the end of the service', async context => {
  const { daemon, reported, readers } = await openNfc(context);
  expect(readers[0]!.name).toBe('ACS ACR122U PICC Interface 00 00');
  const card = await VirtualCard.insert(daemon.port(), STORAGE_CARD_ATR, respondWithUid('04a1b2c3'));
  await expect.poll(() => reported).toEqual(['card 04a1b2c3']);
  await card.remove();
  await expect.poll(() => reported).toEqual(['card 04a1b2c3', 'removed']);
  const other = await VirtualCard.insert(daemon.port(), PROCESSOR_CARD_ATR, respondWithUid('04a1b2c3'));
  await expect.poll(() => reported.at(-1)).toBe('Cannot process ISO 14443-4 tag because AID was not set.');
  await other.remove();
  await daemon.stop();
  await expect.poll(() => reported.at(-1)).toMatch(/^error (NoService|ServiceStopped|CommunicationError)$/);
});

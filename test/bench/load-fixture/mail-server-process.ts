import { TestMailServer } from '../../support/bridge/mail-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Sends its options, then the same address back for each address whose mail has arrived. */
const mails = await TestMailServer.open();
process.on('message', (email: string) => {
  void waitUntil(
    () => mails.letters.some(letter => letter.includes(email)),
    () => 'the mail of the alarm',
    120_000,
  ).then(() => process.send!(email));
});
process.send!(mails.options);

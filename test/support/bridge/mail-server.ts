import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { waitUntil } from '../wait-until.ts';

/** A minimal SMTP server that keeps the messages it receives. */
export class TestMailServer {
  readonly letters: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(socket => this.#converse(socket));
  }

  static async open(): Promise<TestMailServer> {
    const mailServer = new TestMailServer();
    mailServer.#server.listen(0, '127.0.0.1');
    await once(mailServer.#server, 'listening');
    return mailServer;
  }

  get options(): { readonly smtpUrl: string; readonly from: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Doors <doors@example.test>' };
  }

  /** Waits until `count` messages have arrived and returns the last one, with its line breaks undone. */
  async letter(count: number): Promise<string> {
    await waitUntil(
      () => this.letters.length >= count,
      () => `${count} messages`,
    );
    return (this.letters.at(-1) ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  }

  close(): void {
    this.#server.close();
  }

  #converse(socket: Socket): void {
    let letter: string | null = null;
    socket.write('220 test\r\n');
    socket.on('data', chunk => {
      const text = String(chunk);
      if (letter !== null || text.startsWith('Date') || text.startsWith('From')) {
        letter = (letter ?? '') + text;
        if (!letter.endsWith('\r\n.\r\n')) return;
        this.letters.push(letter);
        letter = null;
        socket.write('250 kept\r\n');
      } else if (text.startsWith('DATA')) {
        letter = '';
        socket.write('354 go on\r\n');
      } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 fine\r\n');
    });
  }
}

import { randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 24;

/** A secret that is accepted once. It exists only in this process, so a restart makes it invalid. */
export class OneTimeToken {
  readonly text = randomBytes(TOKEN_BYTES).toString('base64url');
  #isUsed = false;

  use(text: string): boolean {
    const [expected, actual] = [Buffer.from(this.text), Buffer.from(text)];
    const isAccepted = !this.#isUsed && expected.length === actual.length && timingSafeEqual(expected, actual);
    this.#isUsed ||= isAccepted;
    return isAccepted;
  }
}

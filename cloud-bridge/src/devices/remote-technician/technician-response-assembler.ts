import type { TechnicianResponseMqttMessage } from '@lintel/wire-protocol/mqtt/messages/technician-response';

export type ForwardedTechnicianResponse = Pick<TechnicianResponseMqttMessage, 'status' | 'headers' | 'body'>;

/** Assembles a response from its parts, which may arrive in any order and more than once. */
export class TechnicianResponseAssembler {
  #partCount = 0;
  readonly #bodies = new Map<number, string>();

  /** Returns the response with its last missing part, otherwise null. */
  add({ part, parts, status, headers, body }: TechnicianResponseMqttMessage): ForwardedTechnicianResponse | null {
    if (this.#partCount === 0) this.#partCount = parts;
    if (parts !== this.#partCount || part >= parts) return null;
    this.#bodies.set(part, body);
    if (this.#bodies.size < parts) return null;
    const whole = Array.from({ length: parts }, (_, index) => this.#bodies.get(index)!).join('');
    return { status, headers, body: whole };
  }
}

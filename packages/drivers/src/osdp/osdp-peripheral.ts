import type { PartFaultListener, PartFault } from '../interfaces/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { CardReadingCounter } from '../taps/card-reading-counter.ts';
import type { OsdpCommand } from './encode-osdp-command.ts';
import type { OsdpPeripheralEffect } from './peripheral-state-types.ts';
import type { OsdpPeripheralIdentity, OsdpReply } from './decode-osdp-reply.ts';

/** One address of a bus with one session, shared by the keypads, card readers and lines of all its readers. */
export class OsdpPeripheral {
  readonly address: number;
  /** Quality of its replies on the line. */
  readonly signal: CardReadingCounter;
  readonly #send: (command: OsdpCommand) => boolean;
  readonly #replies: ((reply: OsdpReply) => void)[] = [];
  readonly #health = new PartHealth();
  readonly #ready: (() => void)[] = [];
  readonly #executed: ((command: OsdpCommand, refusal: number | null) => void)[] = [];
  #identity: OsdpPeripheralIdentity | null = null;

  constructor(address: number, signal: CardReadingCounter, send: (command: OsdpCommand) => boolean) {
    this.address = address;
    this.signal = signal;
    this.#send = send;
  }

  /** False if the reader is offline or its queue is full. */
  send(command: OsdpCommand): boolean {
    return this.#send(command);
  }

  onReply(listener: (reply: OsdpReply) => void): void {
    this.#replies.push(listener);
  }

  /** Also called for a fault that already exists. */
  onFault(listener: PartFaultListener): void {
    this.#health.onFault(listener);
  }

  /** Called for each new session: the reader may have lost its earlier state. */
  onReady(listener: () => void): void {
    this.#ready.push(listener);
  }

  /** Called for each command: null if executed, otherwise the NAK reason of the standard. */
  onExecuted(listener: (command: OsdpCommand, refusal: number | null) => void): void {
    this.#executed.push(listener);
  }

  fault(): PartFault | null {
    return this.#health.fault;
  }

  /** Null until the reader has identified itself. */
  identity(): OsdpPeripheralIdentity | null {
    return this.#identity;
  }

  take(effect: Extract<OsdpPeripheralEffect, { type: 'ready' | 'fault' | 'reply' | 'executed' }>): void {
    switch (effect.type) {
      case 'ready':
        this.#identity = effect.identity;
        for (const listener of this.#ready) listener();
        break;
      case 'fault':
        this.#health.follow(effect.fault);
        break;
      case 'executed':
        for (const listener of this.#executed) listener(effect.command, effect.refusal);
        break;
      case 'reply':
        for (const listener of this.#replies) listener(effect.reply);
        break;
    }
  }
}

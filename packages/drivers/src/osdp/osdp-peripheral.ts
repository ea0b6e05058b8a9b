import type { FaultListener, PartFault } from '../ports/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { SignalRecord } from '../readers/signal/signal-record.ts';
import type { Command } from './commands.ts';
import type { PeripheralEffect } from './peripheral-model.ts';
import type { PeripheralIdentity, Reply } from './replies.ts';

/** One reader of a bus, for the parts that it has: keypad, card reader, lines. */
export class OsdpPeripheral {
  readonly address: number;
  /** How its answers to the panel come over the line. */
  readonly signal: SignalRecord;
  readonly #send: (command: Command) => boolean;
  readonly #replies: ((reply: Reply) => void)[] = [];
  readonly #health = new PartHealth();
  readonly #ready: (() => void)[] = [];
  readonly #executed: ((command: Command['type'], refusal: number | null) => void)[] = [];
  #identity: PeripheralIdentity | null = null;

  constructor(address: number, signal: SignalRecord, send: (command: Command) => boolean) {
    this.address = address;
    this.signal = signal;
    this.#send = send;
  }

  /** False when it is not there to take it, or has too much to do already. */
  send(command: Command): boolean {
    return this.#send(command);
  }

  onReply(listener: (reply: Reply) => void): void {
    this.#replies.push(listener);
  }

  /** Told a fault that lasts already, too. */
  onFault(listener: FaultListener): void {
    this.#health.onFault(listener);
  }

  /** With each new session: what it was told before, it may have forgotten. */
  onReady(listener: () => void): void {
    this.#ready.push(listener);
  }

  /** With each order that was obeyed (null), or refused for a reason of the standard's list. */
  onExecuted(listener: (command: Command['type'], refusal: number | null) => void): void {
    this.#executed.push(listener);
  }

  fault(): PartFault | null {
    return this.#health.fault;
  }

  /** Null until it has said so. */
  identity(): PeripheralIdentity | null {
    return this.#identity;
  }

  take(effect: Extract<PeripheralEffect, { type: 'ready' | 'fault' | 'reply' | 'executed' }>): void {
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

import type { FaultListener, PartFault } from '../ports/part-fault.ts';
import type { SignalRecord } from '../readers/signal/signal-record.ts';
import type { Command } from './commands.ts';
import type { PeripheralEffect } from './peripheral-model.ts';
import type { Capability, PeripheralIdentity, Reply } from './replies.ts';

/** One reader of a bus, for the parts that it has: keypad, card reader, lines. */
export class OsdpPeripheral {
  readonly address: number;
  /** How its answers to the panel come over the line. */
  readonly signal: SignalRecord;
  readonly #send: (command: Command) => boolean;
  readonly #replies: ((reply: Reply) => void)[] = [];
  readonly #faults: FaultListener[] = [];
  readonly #ready: (() => void)[] = [];
  readonly #executed: ((command: Command['type'], refusal: number | null) => void)[] = [];
  #fault: PartFault | null = null;
  #identity: PeripheralIdentity | null = null;
  #capabilities: readonly Capability[] = [];

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
    this.#faults.push(listener);
    if (this.#fault !== null) listener(this.#fault);
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
    return this.#fault;
  }

  /** Null until it has said so. */
  identity(): PeripheralIdentity | null {
    return this.#identity;
  }

  capabilities(): readonly Capability[] {
    return this.#capabilities;
  }

  take(effect: Extract<PeripheralEffect, { type: 'ready' | 'fault' | 'reply' | 'executed' }>): void {
    switch (effect.type) {
      case 'ready':
        this.#identity = effect.identity;
        this.#capabilities = effect.capabilities;
        for (const listener of this.#ready) listener();
        break;
      case 'fault':
        this.#fault = effect.fault;
        for (const listener of this.#faults) listener(effect.fault);
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

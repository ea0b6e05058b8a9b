import type { GatewayStatusDocument } from '@lintel/gateway/status/status-document-types';
import { LaunchedProgram } from './launched-program.ts';

/** A gateway as systemd runs it. */
export class LaunchedGateway extends LaunchedProgram {
  protected override call(): readonly string[] {
    const listeners = ['--listen', '127.0.0.1:0', '--mqtt-port', '0', '--no-mdns'];
    return ['gateway', '--data', this.options.dataDir, ...listeners];
  }

  /** Rejects while the gateway does not serve. */
  async status(): Promise<GatewayStatusDocument> {
    const answer = await fetch(`${this.ready['status']}/status.json`, { signal: AbortSignal.timeout(5000) });
    return (await answer.json()) as GatewayStatusDocument;
  }

  override async use(): Promise<void> {
    await this.status();
  }
}

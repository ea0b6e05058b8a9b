import { InProcessBridge, type InProcessBridgeOptions } from '@lintel/cloud-bridge/testing';
import { newTestDatabase } from './postgres.ts';

export { type ApiBody, type ApiResponse, TestOrganizationClient } from '@lintel/cloud-bridge/testing';

export type TestDatabaseEngine = 'sqlite' | 'postgres';

export interface TestBridgeOptions extends InProcessBridgeOptions {
  readonly engine?: TestDatabaseEngine;
}

/** A bridge in this process with a clock that the test controls, on SQLite or on a new database of the test server. */
export class TestBridge extends InProcessBridge {
  static override async open({ engine, ...options }: TestBridgeOptions = {}): Promise<TestBridge> {
    const isNew = engine === 'postgres' && options.database === undefined;
    return super.open(isNew ? { ...options, database: await newTestDatabase() } : options);
  }
}

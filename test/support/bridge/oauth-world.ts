import { createHash, randomBytes } from 'node:crypto';
import { createApplication, type NewApplication } from '@lintel/cloud-bridge/accounts/applications';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { createUser, setRole } from '@lintel/cloud-bridge/accounts/users';
import { afterAll, beforeAll, describe } from 'vitest';
import { BridgeWorld, type Engine } from './bridge-world.ts';
import { RecordingLogger } from '../processes/recording-logger.ts';
import { Visitor } from './visitor.ts';

export const PASSWORD = 'correct horse battery staple';
export const CALLBACK = 'https://pms.example/callback';

export interface Application {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string;
}

export interface House {
  readonly organizationId: string;
  readonly email: string;
  readonly userId: string;
  readonly application: Application;
}

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, string>>;
}

/** A bridge with its log, and what it takes to connect an application to it. */
export class OAuthWorld {
  readonly world: BridgeWorld;
  readonly log: RecordingLogger;
  #count = 0;

  constructor(world: BridgeWorld, log: RecordingLogger) {
    this.world = world;
    this.log = log;
  }

  get #circumstances() {
    return { newId: this.world.bridge.services.newId, now: this.world.now };
  }

  visitor(ip?: string): Visitor {
    return new Visitor(this.world.bridge.app, ip);
  }

  async newUser(organizationId: string, role: Role): Promise<{ email: string; userId: string }> {
    const db = this.world.bridge.services.storage.writer;
    const email = `person${++this.#count}@example.test`;
    const { id: userId } = await createUser(db, { email, password: PASSWORD }, this.#circumstances);
    await setRole(db, { organizationId, userId }, role);
    return { email, userId };
  }

  async newApplication(organizationId: string, more: Partial<NewApplication> = {}): Promise<Application> {
    const db = this.world.bridge.services.storage.writer;
    const wanted = { organizationId, name: 'Booking', redirectUris: [CALLBACK], ...more };
    const { application, clientSecret } = await createApplication(db, wanted, this.#circumstances);
    return { id: application.id, clientId: application.client_id, secret: clientSecret ?? '' };
  }

  async newHouse(more: Partial<NewApplication> = {}, role: Role = 'owner'): Promise<House> {
    const { organizationId } = await this.world.newOrganization();
    return {
      organizationId,
      ...(await this.newUser(organizationId, role)),
      application: await this.newApplication(organizationId, more),
    };
  }

  authUrl(application: Application, more: Record<string, string> = {}): string {
    const parameters = {
      client_id: application.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'full_read_write offline',
      state: 'st4te',
      ...more,
    };
    const given = Object.entries(parameters).filter(([, value]) => value !== '');
    return `/oauth2/auth?${new URLSearchParams(given).toString()}`;
  }

  /** Logs in, allows, and answers what the application is told. */
  async authorize(house: House, more: Record<string, string> = {}): Promise<URLSearchParams> {
    const visitor = this.visitor();
    await visitor.logIn(house.email, PASSWORD);
    const consent = await visitor.get(this.authUrl(house.application, more));
    const { location } = await visitor.submit(consent, { decision: 'allow' });
    return new URL(location ?? '').searchParams;
  }

  async code(house: House, more: Record<string, string> = {}): Promise<string> {
    return (await this.authorize(house, more)).get('code') ?? '';
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenAnswer> {
    const answer = await this.world.bridge.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  /** With exactly the specification's four fields. */
  exchange({ application }: House, code: string, more: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.post('/oauth2/token', {
      grant_type: 'authorization_code',
      client_id: application.clientId,
      client_secret: application.secret,
      code,
      ...more,
    });
  }

  refresh({ application }: House, refresh_token: string, more: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.post('/oauth2/token', {
      grant_type: 'refresh_token',
      client_id: application.clientId,
      client_secret: application.secret,
      refresh_token,
      ...more,
    });
  }

  async tokens(house: House, more: Record<string, string> = {}): Promise<TokenAnswer['body']> {
    return (await this.exchange(house, await this.code(house, more))).body;
  }

  /** The API's answer to a token. */
  async asks(token: string | undefined, path = '/members'): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await this.world.bridge.app.inject({ url: `/v2${path}`, headers })).statusCode;
  }
}

export const pkcePair = (): { verifier: string; challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

const openOAuthWorld = async (engine: Engine): Promise<OAuthWorld> => {
  const log = new RecordingLogger();
  return new OAuthWorld(await BridgeWorld.open({ engine, logger: log }), log);
};

/** The same suite on SQLite and on a real PostgreSQL. */
export const oauthOnBothEngines = (name: string, suite: (world: () => OAuthWorld) => void): void => {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, engine => {
    let world: OAuthWorld;
    beforeAll(async () => {
      world = await openOAuthWorld(engine);
    }, 60_000);
    afterAll(async () => {
      await world.world.close();
    });
    suite(() => world);
  });
};

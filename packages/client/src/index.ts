export type * from './api-types.ts';
export { LintelClient, type OperationArguments, type ClientOptions } from './lintel-client.ts';
export { LintelApiError } from './api-error.ts';
export { OAuthTokenSource, type OAuthTokens, type TokenSource } from './token-source.ts';
export type { StreamOptions } from './event-stream.ts';
export { isGenuineDelivery, isGenuineStandardDelivery } from './webhook-signature.ts';

export type * from './api-types.ts';
export { LintelClient, type OperationArguments, type LintelClientOptions } from './lintel-client.ts';
export { LintelApiError } from './api-error.ts';
export { OAuthTokenSource, type OAuthTokens, type TokenSource } from './token-source.ts';
export type { EventStreamClientOptions } from './event-stream.ts';
export { isGenuineDelivery, isGenuineStandardDelivery } from './webhook-signature.ts';

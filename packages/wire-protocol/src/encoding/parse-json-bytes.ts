import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export const parseJsonBytes = (bytes: Uint8Array): Result<unknown> => {
  try {
    return ok(JSON.parse(strictUtf8.decode(bytes)));
  } catch {
    return failed([createProblem('', 'invalid_json', 'must be JSON in UTF-8')]);
  }
};

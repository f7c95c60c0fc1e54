// Errors with a code of the core's table, for assert.throws and assert.rejects.
import assert from 'node:assert/strict';
import { PolyflakeError } from 'polyflake';

export const code = (name) => ({ code: `ERR_POLYFLAKE_${name.toUpperCase()}` });

export function isRefusal(name, ...parts) {
  return (error) => {
    assert.ok(error instanceof PolyflakeError, `expected ${name}, got ${error}`);
    assert.equal(error.code, code(name).code, error.message);
    for (const part of parts) assert.ok(error.message.includes(part), `${error.message} lacks ${part}`);
    return true;
  };
}

export function refuses(name, call, ...parts) {
  assert.throws(call, isRefusal(name, ...parts));
}

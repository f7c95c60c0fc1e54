// assert.throws for a code of the core's table.
import assert from 'node:assert/strict';
import { PolyflakeError } from 'polyflake';

export function isRefusal(code, ...parts) {
  return (error) => {
    assert.ok(error instanceof PolyflakeError, `expected ${code}, got ${error}`);
    assert.equal(error.code, `ERR_POLYFLAKE_${code.toUpperCase()}`, error.message);
    for (const part of parts) assert.ok(error.message.includes(part), `${error.message} lacks ${part}`);
    return true;
  };
}

export function refuses(code, call, ...parts) {
  assert.throws(call, isRefusal(code, ...parts));
}

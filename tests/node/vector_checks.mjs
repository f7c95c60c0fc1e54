// What the runners of vectors share: how numbers, refusals and results are compared.
import assert from 'node:assert/strict';
import { refuses as refusesWith } from './refusal.mjs';

// The vectors' numbers are digits written by their author, not text that a user passed.
export const number = (digits) => BigInt(digits);

export const idOf = ({ id, hex }) => {
  assert.equal(number(id), number(`0x${hex}`), 'the twins differ');
  return number(id);
};

export function equalsId(actual, expected) {
  assert.equal(actual, idOf(expected));
}

/** A refusal with the code that the test says, and the position and words where it says them. */
export function refuses({ error, position, message_has: words = [] }, call) {
  refusesWith(
    error,
    () => {
      try {
        return call();
      } catch (failure) {
        if (position !== undefined) assert.equal(failure.position, position, failure.message);
        throw failure;
      }
    },
    ...words,
  );
}

/** Whatever gives a result or a refusal: both are compared. */
export function compare(vector, call, check) {
  if (vector.error) refuses(vector, call);
  else check(call(), vector.expect);
}

/** The same properties, named as in JavaScript. */
export function camel(properties) {
  const name = (snake) => snake.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(properties).map(([snake, value]) => [name(snake), value]));
}

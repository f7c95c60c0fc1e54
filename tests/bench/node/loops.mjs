// Loops to be timed, each compiled for one expression.
//
// V8 remembers per place in the source what it has seen there. A timing loop that is handed a closure has one call
// site for all candidates: after a few of them it is "megamorphic", calls nothing inline any more, and every later
// figure carries the cost of a lookup that no user pays. So the expression is written into the source of a loop of
// its own, by `new Function`; a serial number keeps the sources apart, since V8 shares what it knows of equal ones.

let serial = 0;

function compiled(source, scope) {
  serial += 1;
  return new Function(...Object.keys(scope), `let sink; return ${source}; // ${serial}`)(...Object.values(scope));
}

const kindOf = (source) => (/\bawait /.test(source) ? 'async ' : '');

const timed = (call, statement, scope) =>
  compiled(
    `${kindOf(call)}(count, ids) => {
      const begin = process.hrtime.bigint();
      for (let i = 0; i < count; i++) ${statement};
      return Number(process.hrtime.bigint() - begin);
    }`,
    scope,
  );

/**
 * (count, ids) => nanoseconds: runs the expression so many times and keeps what it gives in `ids`, and in a variable
 * outside of the loop: what goes into a BigUint64Array alone would never become a BigInt.
 * @param {string} call uses the names of `scope`; may await
 */
export const timedLoop = (call, scope) => timed(call, `ids[i] = sink = ${call}`, scope);

/** The same for an expression that fills an array of its own. */
export const batchLoop = (call, scope) => timed(call, `sink = ${call}`, scope);

/** Runs a statement such as `ids[i] = ...` for each i from `from` to before `to`. */
export function keepingLoop(statement, scope) {
  return compiled(`${kindOf(statement)}(ids, from, to) => { for (let i = from; i < to; i++) ${statement}; }`, scope);
}

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

/**
 * Runs the expression so many times and returns the nanoseconds that took. Each result goes into a variable outside
 * of the loop: one that nothing could read would never become an object.
 * @param {string} call uses the names of `scope`, and `i`; may await
 */
export function timedLoop(call, scope) {
  return compiled(
    `${kindOf(call)}(count) => {
      const begin = process.hrtime.bigint();
      for (let i = 0; i < count; i++) sink = ${call};
      return Number(process.hrtime.bigint() - begin);
    }`,
    scope,
  );
}

/** Runs a statement such as `ids[i] = ...` for each i from `from` to before `to`. */
export function keepingLoop(statement, scope) {
  return compiled(`${kindOf(statement)}(ids, from, to) => { for (let i = from; i < to; i++) ${statement}; }`, scope);
}

/** Runs the expression once; `i` counts the runs. */
export function singleCall(call, scope) {
  return compiled(`(() => { let i = 0; return ${kindOf(call)}() => { sink = ${call}; i++; }; })()`, scope);
}

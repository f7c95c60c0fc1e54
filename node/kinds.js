'use strict';
// Sources of ids by the name of their kind: those of this package, and those that were registered in this thread.

const check = require('./check.js');
const { PolyflakeError, described, quoted } = require('./error.js');
const { Generator } = require('./generator.js');
const native = require('./native.js');
const { ObjectIds, Uuid7 } = require('./stamped.js');
const { Uuid4 } = require('./uuid4.js');

const BUILT_IN = new Map([
  ['snowflake', Generator],
  ['uuid7', Uuid7],
  ['uuid4', Uuid4],
  ['objectid', ObjectIds],
]);

const factories = new Map(); // of own kinds, by name

function register(name, factory) {
  native.checkNewKind(check.text(name, 'the name of a kind', 'text_invalid'), [...factories.keys()]);
  if (typeof factory !== 'function') {
    throw new PolyflakeError('option_invalid', `a factory is a function, got ${described(factory)}`);
  }
  factories.set(name, factory);
}

function kinds() {
  return [...native.builtInKinds(), ...factories.keys()];
}

/** What `kind` names: a class of this package, or a factory and the store that stands behind the name. */
function asked(kind) {
  const text = check.text(kind, 'a kind', 'text_invalid');
  const { name, store } = native.parseKind(text, [...factories.keys()]);
  return { name, store, Class: BUILT_IN.get(name), factory: factories.get(name) };
}

/** Options of an own kind: what its factory reads, or deletes, it has taken. */
class Offer {
  #untaken;

  constructor(name, store, given) {
    if (!check.isPlain(given)) {
      throw new PolyflakeError('option_invalid', `kind '${name}' takes a plain object, got ${described(given)}`);
    }
    if (store !== undefined && given.store !== undefined) {
      throw new PolyflakeError(
        'option_invalid',
        `kind '${name}' is given a store twice: behind the ':' and as an option`,
      );
    }
    const values = store === undefined ? given : { ...given, store };
    this.name = name;
    this.options = {};
    this.#untaken = new Set(Object.keys(values).filter((option) => values[option] !== undefined));
    for (const option of this.#untaken) {
      const get = () => {
        this.#untaken.delete(option);
        return values[option];
      };
      Object.defineProperty(this.options, option, { get, enumerable: true, configurable: true });
    }
  }

  /** What the factory made of it; option_invalid where that is none, or where options are left. */
  accepted(source) {
    const left = [...this.#untaken].filter((option) => Object.hasOwn(this.options, option));
    if (left.length > 0) {
      this.discard(source);
      throw new PolyflakeError('option_invalid', `kind '${this.name}' has no option ${left.map(quoted).join(', ')}`);
    }
    if (typeof source === 'object' && source !== null) return source;
    throw new PolyflakeError('option_invalid', `the factory of kind '${this.name}' gave ${described(source)}`);
  }

  /** Closes, at once, a source that is refused; an error of that is a warning, since it would hide the refusal. */
  discard(source) {
    new Promise((closed) => closed(source?.close?.())).catch((error) => {
      const why = error instanceof Error ? error.message : described(error);
      process.emitWarning(`closing a source of kind '${this.name}': ${why}`, 'PolyflakeWarning', 'POLYFLAKE_CLOSE');
    });
  }
}

async function open(kind, options = {}) {
  const { name, store, Class, factory } = asked(kind);
  if (Class !== undefined) return Class.open === undefined ? new Class(options) : Class.open(options);
  const offer = new Offer(name, store, options);
  return offer.accepted(await factory(offer.options));
}

function openSync(kind, options = {}) {
  const { name, store, Class, factory } = asked(kind);
  if (Class !== undefined) return new Class(options);
  const offer = new Offer(name, store, options);
  const source = factory(offer.options);
  if (typeof source?.then !== 'function') return offer.accepted(source);
  source.then(
    (late) => offer.discard(late),
    () => {}, // the refusal says what to do
  );
  throw new PolyflakeError('option_invalid', `kind '${name}' takes its time to open: use \`await open()\``);
}

module.exports = { kinds, open, openSync, register };

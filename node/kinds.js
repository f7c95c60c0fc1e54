'use strict';
// Sources of ids by the name of their kind: of this package, or registered in this thread.

const check = require('./check.js');
const { PolyflakeError, described, quoted } = require('./error.js');
const { Generator } = require('./generator.js');
const native = require('./native.js');
const sources = require('./sources.js');

// By the name that each object of the class gives.
const BUILT_IN = new Map([Generator, ...Object.values(sources)].map((Class) => [Class.prototype.kind, Class]));

const factories = new Map(); // of registered kinds, by name

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

/** Returns a class of this package, or a factory and the store after the name. */
function asked(kind) {
  const text = check.text(kind, 'a kind', 'text_invalid');
  const { name, store } = native.parseKind(text, [...factories.keys()]);
  return { name, store, Class: BUILT_IN.get(name), factory: factories.get(name) };
}

/** Returns the options with the store after the name, if there is one. */
function withStore(name, store, given) {
  if (!check.isPlain(given)) {
    throw new PolyflakeError('option_invalid', `kind '${name}' takes a plain object, got ${described(given)}`);
  }
  if (store === undefined) return given;
  if (given.store === undefined) return { ...given, store };
  throw new PolyflakeError('option_invalid', `kind '${name}' is given a store twice: behind the ':' and as an option`);
}

/** Options of a registered kind: an option that its factory reads, or deletes, is taken. */
class Offer {
  #untaken;

  constructor(name, store, given) {
    const values = withStore(name, store, given);
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

  /** Returns the source. Errors: option_invalid for another value, or options left over. */
  accepted(source) {
    const left = [...this.#untaken].filter((option) => Object.hasOwn(this.options, option));
    if (left.length > 0) {
      this.discard(source);
      throw new PolyflakeError('option_invalid', `kind '${this.name}' has no option ${left.map(quoted).join(', ')}`);
    }
    if (typeof source === 'object' && source !== null) return source;
    throw new PolyflakeError('option_invalid', `the factory of kind '${this.name}' gave ${described(source)}`);
  }

  /** Closes a refused source at once; its error becomes a warning, as it would hide the refusal. */
  discard(source) {
    new Promise((closed) => closed(source?.close?.())).catch((error) => {
      const why = error instanceof Error ? error.message : described(error);
      process.emitWarning(`closing a source of kind '${this.name}': ${why}`, 'PolyflakeWarning', 'POLYFLAKE_CLOSE');
    });
  }
}

async function open(kind, options = {}) {
  const { name, store, Class, factory } = asked(kind);
  if (Class !== undefined) {
    const given = store === undefined ? options : withStore(name, store, options);
    return Class.open === undefined ? new Class(given) : Class.open(given);
  }
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
    () => {}, // the refusal gives the advice
  );
  throw new PolyflakeError('option_invalid', `kind '${name}' takes its time to open: use \`await open()\``);
}

module.exports = { kinds, open, openSync, register };

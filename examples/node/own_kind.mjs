// A kind of one's own: ids of a generator as texts with a prefix, opened by the name that a configuration would have.
import { Codec, Generator, openSync, register } from 'polyflake';

const codec = new Codec('crockford32');

/** 'order-01CTGTGRG80P1', say. It has what all sources of ids have. */
class Prefixed {
  #generator;
  #prefix;

  constructor(prefix, generator) {
    this.#prefix = prefix;
    this.#generator = generator;
  }

  get kind() {
    return 'prefixed';
  }

  #text(id) {
    return `${this.#prefix}-${codec.encode(id)}`;
  }

  nextId() {
    return this.#text(this.#generator.nextId());
  }

  tryNextId() {
    const id = this.#generator.tryNextId();
    return id === null ? null : this.#text(id);
  }

  nextIdString() {
    return this.nextId();
  }

  async nextIdAsync() {
    return this.#text(await this.#generator.nextIdAsync());
  }

  nextIds(count) {
    return Array.from(this.#generator.nextIds(count), (id) => this.#text(id));
  }

  fill(ids) {
    return this.#generator.fill(ids); // the numbers behind the texts
  }

  stats() {
    return this.#generator.stats();
  }

  close() {
    this.#generator.close();
  }

  get closed() {
    return this.#generator.closed;
  }
}

// What is left when the prefix was taken is for the generator, which refuses what it does not know.
register('prefixed', ({ prefix, ...others }) => new Prefixed(prefix, new Generator(others)));

const ids = openSync('prefixed', { prefix: 'order', worker: 7 });
console.log(ids.nextId());
console.log(ids.nextId());
ids.close();

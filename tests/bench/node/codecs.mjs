// The rows of codecs: texts of random ids, each read back and compared.
//
// The floor is the fastest of the other ways in that codec, found in this run: the loop that is written again and again,
// npm's packages that take 64 bits, and JavaScript's own base 36. `price` is what they do not do, from their code.
import { randomFillSync } from 'node:crypto';
import { Codec } from 'polyflake';
import { batchLoop, timedLoop } from './loops.mjs';
import { LIBRARY, openPackage } from './peers.mjs';

const IDS = 4096;
const CODECS = ['crockford32', 'base62', 'base36'];
const WARM_UP_NS = 1e8;
const CHUNK_NS = 1e6;
const AS_NEEDED = 'as many digits as the id needs';

// `encode` and `decode` are expressions of `values[i]` and the names of `open`.
const pasted = (codec) => ({
  library: 'a loop that is pasted',
  codec,
  encode: 'write(values[i])',
  decode: 'read(values[i])',
  open: () => {
    const { digits } = new Codec(codec);
    const base = BigInt(digits.length);
    return {
      write(id) {
        let text = '';
        for (; id > 0n; id /= base) text = digits[Number(id % base)] + text;
        return text;
      },
      read(text) {
        let id = 0n;
        for (const digit of text) id = id * base + BigInt(digits.indexOf(digit));
        return id;
      },
    };
  },
  price: `${AS_NEEDED}; takes any text`,
});

const others = [
  pasted('base62'),
  {
    package: '@sindresorhus/base62',
    codec: 'base62',
    encode: 'base62.encodeBigInt(values[i])',
    decode: 'base62.decodeBigInt(values[i])',
    open: (base62) => ({ base62 }),
    price: `${AS_NEEDED}; no limit of 64 bits`,
  },
  {
    package: 'base-x',
    codec: 'base62',
    encode: '(bytes.writeBigUInt64BE(values[i]), base62.encode(bytes))',
    decode: 'Buffer.from(base62.decode(values[i])).readBigUInt64BE()',
    open: ({ default: baseX }) => ({ base62: baseX(new Codec('base62').digits), bytes: Buffer.alloc(8), Buffer }),
    price: 'of 8 bytes, not of a number; no width of its own',
  },
  pasted('crockford32'),
  {
    package: 'tsid-ts',
    codec: 'crockford32',
    encode: 'new TSID(values[i]).toString()',
    decode: 'TSID.fromString(values[i]).number',
    open: ({ TSID }) => ({ TSID }),
    price: 'reads characters that are no digits as numbers',
  },
  {
    package: 'crockford-base32',
    codec: 'crockford32',
    encode: 'CrockfordBase32.encode(values[i], options)',
    decode: 'CrockfordBase32.decode(values[i], options)',
    open: ({ CrockfordBase32 }) => ({ CrockfordBase32, options: { variant: 'ulid', asNumber: true } }),
    price: 'of as many bytes as the id needs',
  },
  pasted('base36'),
  {
    library: 'JavaScript',
    codec: 'base36',
    encode: 'values[i].toString(36)',
    decode: undefined, // BigInt() reads no base 36
    open: () => ({}),
    price: AS_NEEDED,
  },
];

const own = (codec) => ({
  library: LIBRARY,
  codec,
  encode: 'codec.encode(values[i])',
  decode: 'codec.decode(values[i])',
  open: () => ({ codec: new Codec(codec) }),
});

/** A promise of the others whose packages may be used, with their version. */
function opened(modules, withPeers) {
  const versioned = async (other) => {
    const { loaded, library } = await openPackage(modules, other.package);
    return { ...other, library, scope: other.open(loaded) };
  };
  const wanted = others.filter((other) => withPeers || other.package === undefined);
  return Promise.all(wanted.map((other) => (other.package ? versioned(other) : { ...other, scope: other.open() })));
}

/** `ns()` is the time of one id, of a chunk of about a millisecond; `given` what the last pass gave. */
class Passes {
  #count = 1;

  constructor(loop, given, times) {
    Object.assign(this, { loop, given, times });
    for (let warm = 0; warm < WARM_UP_NS;) warm += this.#pass();
    while (Math.min(this.ns(), this.ns()) * IDS * this.#count < CHUNK_NS) this.#count *= 2;
  }

  #pass() {
    return this.loop(this.times, this.given);
  }

  ns() {
    let ns = 0;
    for (let i = 0; i < this.#count; i++) ns += this.#pass();
    return ns / (IDS * this.#count);
  }

  static ofCalls = (call, scope, values) =>
    new Passes(timedLoop(call, { ...scope, values }), new Array(IDS).fill(null), IDS);

  static ofBatches = (call, scope, values) => new Passes(batchLoop(call, { ...scope, values }), null, 1);
}

function fastest(all) {
  const least = (passes) => Math.min(...Array.from({ length: 5 }, () => passes.ns()));
  return all.reduce((best, passes) => (least(passes) < least(best) ? passes : best));
}

function compare({ add, rounds }, row, subject, call, floor, work, wrong) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push([floor.ns(), work.ns(), floor.ns()]);
  add(row, { ...subject, call }, { codec: subject.codec, rounds: times, ids: IDS, wrong: wrong() });
}

/** A row for each subject, of its own passes. */
function compareAll(bench, row, subjects, floor, passes, { callOf, wrongOf }) {
  if (!bench.wants(row)) return;
  for (const [i, subject] of subjects.entries()) {
    compare(bench, row, subject, callOf(subject), floor, passes[i], () => wrongOf(passes[i].given));
  }
}

const differing = (found, expected) => expected.filter((value, i) => value !== found[i]).length;

/** Ours first, then the others, all beside the fastest of these. */
function rowsOfCodec(bench, codec, all) {
  const ids = Array.from(randomFillSync(new BigUint64Array(IDS)), (id) => id >> 1n);
  const loop = pasted(codec).open();
  const ours = new Codec(codec);
  const full = (text) => text.padStart(ours.width, ours.digits[0]);
  const texts = ids.map((id) => full(loop.write(id)));
  const subjects = [{ ...own(codec), scope: own(codec).open() }, ...all.filter((other) => other.codec === codec)];

  const encoding = subjects.map(({ encode, scope }) => Passes.ofCalls(encode, scope, ids));
  const encodingFloor = fastest(encoding.slice(1));
  compareAll(bench, 'codec.encode', subjects, encodingFloor, encoding, {
    callOf: ({ encode }) => encode.replace('values[i]', 'id'),
    wrongOf: (given) => differing(given.map(full), texts),
  });
  if (bench.wants('codec.encode_many')) {
    const work = Passes.ofBatches('codec.encodeMany(values)', { codec: ours }, BigUint64Array.from(ids));
    const wrong = () => differing(ours.encodeMany(BigUint64Array.from(ids)), texts);
    compare(bench, 'codec.encode_many', subjects[0], 'codec.encodeMany(ids)', encodingFloor, work, wrong);
  }

  const reading = subjects.filter(({ decode }) => decode !== undefined);
  const decoding = reading.map(({ decode, scope, encode }) => {
    const written = Array(IDS).fill(null);
    timedLoop(encode, { ...scope, values: ids })(IDS, written);
    return Passes.ofCalls(decode, scope, written);
  });
  const decodingFloor = fastest(decoding.slice(1));
  compareAll(bench, 'codec.decode', reading, decodingFloor, decoding, {
    callOf: ({ decode }) => decode.replace('values[i]', 'text'),
    wrongOf: (given) => differing(given, ids),
  });
  if (bench.wants('codec.decode_many')) {
    const work = Passes.ofBatches('codec.decodeMany(values)', { codec: ours }, texts);
    const wrong = () => differing(ours.decodeMany(texts), ids);
    compare(bench, 'codec.decode_many', subjects[0], 'codec.decodeMany(texts)', decodingFloor, work, wrong);
  }
}

/** `bench`: { add, wants, rounds }, as in bench.mjs. */
export async function addCodecRows(bench, modules, withPeers) {
  if (!['encode', 'decode', 'encode_many', 'decode_many'].some((row) => bench.wants(`codec.${row}`))) return;
  const all = await opened(modules, withPeers);
  for (const codec of CODECS) rowsOfCodec(bench, codec, all);
}

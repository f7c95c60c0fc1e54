import polyflake from './index.js';

export const {
  Codec,
  DateNumbers,
  Generator,
  Hashids,
  Layout,
  ManualClock,
  PolyflakeError,
  Sqids,
  Seal,
  SealRing,
  decode,
  defaultGenerator,
  explain,
  fromText,
  idFromText,
  jsonReplacer,
  jsonReviver,
  kinds,
  nextId,
  nextIdString,
  open,
  openSync,
  presets,
  register,
  setDefault,
  toText,
  version,
} = polyflake;

export * from './sources.js';

import polyflake from './index.js';

export const {
  Codec,
  Generator,
  Hashids,
  Layout,
  ManualClock,
  PolyflakeError,
  Sqids,
  Seal,
  SealRing,
  decode,
  explain,
  fromText,
  jsonReplacer,
  jsonReviver,
  nextId,
  nextIdString,
  presets,
  setDefault,
  toText,
  version,
} = polyflake;

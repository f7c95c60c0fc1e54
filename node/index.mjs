import polyflake from './index.js';

export const {
  Generator,
  Layout,
  ManualClock,
  PolyflakeError,
  decode,
  fromText,
  nextId,
  nextIdString,
  presets,
  setDefault,
  toText,
  version,
} = polyflake;

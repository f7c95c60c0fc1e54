import polyflake from './index.js';

export const {
  Generator,
  Layout,
  ManualClock,
  PolyflakeError,
  decode,
  fromText,
  nextId,
  presets,
  toText,
  version,
} = polyflake;

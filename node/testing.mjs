import testing from './testing.js';

export const { frozen } = testing;

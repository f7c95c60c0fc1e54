// Compiled, never run: the same package through require().
import polyflake = require('polyflake');

const generator: polyflake.Generator = new polyflake.Generator({ worker: 7 });
export const id: bigint = generator.nextId();
export const parts: polyflake.Parts = polyflake.decode(id);
// @ts-expect-error no such function
polyflake.nextNumber();

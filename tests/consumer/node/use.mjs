import { Generator, Layout, decode } from 'polyflake';

const generator = await Generator.open({ worker: 'host', layout: 'twitter' });
const id = generator.nextId();
const parts = decode(id, new Layout('twitter'));
if (parts.node !== generator.worker) throw new Error(`node ${parts.node}`);
process.stdout.write(`${parts.time.toISOString()}\n`);

import { Generator, Layout, decode } from 'polyflake';

const generator = await Generator.open({ worker: 'host', layout: 'twitter' });
const id = generator.nextId();
const parts = decode(id, new Layout('twitter'));
if (parts.node !== generator.worker) throw new Error(`node ${parts.node}`);

const refused = await Generator.open({ worker: 'redis://127.0.0.1/0?namespace=orders' }).catch((error) => error);
if (!/need the package redis or ioredis: npm install redis/.test(refused.message)) throw refused;
process.stdout.write(`${parts.time.toISOString()}\n`);
